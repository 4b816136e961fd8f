// Measures variants and other implementations after comparing their scores with the plain reference.
#include "experiment/ladder/session.hpp"

#include <algorithm>
#include <numeric>

#include "experiment/ladder/occupancy.hpp"
#include "experiment/reasons.hpp"
#include "filter/opencl/opencl_engine.hpp"
#include "gpuhmm/engine_maker.hpp"
#include "plan7/viterbi.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::experiment::ladder {

namespace {

constexpr double kAllByReference = 5e7;  // cells up to which the plain reference computes all scores
constexpr std::size_t kSample = 64;      // sequences whose scores it computes in larger sets

const char* name_of(Rival rival) {
  switch (rival) {
    case Rival::Plain:
      return "plain reference";
    case Rival::Vectors:
      return "host vectors";
    case Rival::Tiled:
      return "tiled kernel";
    case Rival::Engine:
      break;
  }
  return "engine";
}

Result absent(const std::string& reason) {
  Result result;
  result.absent = reason;
  return result;
}

// Scales the time of a sample to the whole set.
Result timed(const Spread& seconds, const SequenceSet& all, const SequenceSet& sample) {
  Result result;
  result.total =
      scaled(seconds, static_cast<double>(all.residue_count()) / static_cast<double>(sample.residue_count()));
  return result;
}

// Sequences without any path have scores below this.
bool same_score(std::int32_t given, std::int32_t expected) {
  return given == expected || (given < kLow / 3 && expected < kLow / 3);
}

}  // namespace

Session::Session(const Request& request)
    : request_(request), sizes_(sizes_for(request)), families_(read_families(request)) {
  if (!request.devices.empty()) device_ = std::make_unique<OpenDevice>(request.devices.front());
}

const SequenceBatch& Session::sequences(Set set) {
  const auto found = sequences_.find(set);
  if (found != sequences_.end()) return found->second;
  return sequences_.emplace(set, make_sequences(set, request_, sizes_)).first->second;
}

double Session::cells(std::size_t family, Set set) {
  const Family& of = families_[family];
  const double nodes = of.model ? of.model->nodes : of.published->nodes;
  return nodes * static_cast<double>(sequences(set).residue_count());
}

double Session::published_cells(std::size_t family, Set set) const {
  return families_[family].published->nodes * published_residues(set);
}

Cell Session::published_seconds(const Result& result, std::size_t family, Set set) {
  if (!result.measured()) return Cell::absent(result.absent);
  return scaled(result.total, to_published(family, set));
}

// Scores by the plain reference. Scores of large sets come from the host's vector units; the reference
// confirms a sample.
const std::vector<std::int32_t>& Session::expected(std::size_t family, Set set) {
  std::vector<std::int32_t>& scores = expected_[{family, set}];
  if (!scores.empty()) return scores;
  const SequenceBatch& batch = sequences(set);
  const ScoreModel& model = *families_[family].model;
  scores.resize(batch.size());
  const bool all = cells(family, set) <= kAllByReference;
  if (!all) {
    const std::unique_ptr<ScoreEngine> vectors = make_simd_engine(request_.threads);
    vectors->score(model, *vectors->prepare(batch), std::nullopt, scores);
  }
  const std::size_t count = all ? batch.size() : std::min(kSample, batch.size());
  parallel_for(request_.threads, count, 4, [&](std::size_t first, std::size_t last) {
    for (std::size_t n = first; n < last; ++n) {
      const std::size_t i = n * batch.size() / count;
      const std::int32_t score = viterbi_score(model, batch.residues(i));
      if (!all && !same_score(scores[i], score))
        throw WrongResult("the host's vectors score sequence " + std::to_string(i) + " wrongly");
      scores[i] = score;
    }
  });
  return scores;
}

void Session::compare(const std::vector<std::int32_t>& scores, std::size_t family, Set set,
                      const std::string& who) {
  const std::vector<std::int32_t>& right = expected(family, set);
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (same_score(scores[i], right[i])) continue;
    throw WrongResult(who + ", " + families_[family].published->name + " of " +
                      std::to_string(families_[family].model->nodes) + " nodes, " +
                      std::to_string(right.size()) + " sequences: score of sequence " + std::to_string(i) +
                      " is " + std::to_string(scores[i]) + ", not " + std::to_string(right[i]));
  }
}

const Result& Session::once(const Key& key, const std::function<Result()>& measure) {
  const auto found = results_.find(key);
  if (found != results_.end()) return found->second;
  const auto& [who, family, set, group] = key;
  if (!families_[family].model)
    return results_.emplace(key, absent("the file of profiles has none of this name")).first->second;
  request_.report("  " + std::string(families_[family].published->name) + ": " + who);
  return results_.emplace(key, measure()).first->second;
}

const Result& Session::variant(const Variant& variant, std::size_t family, Set set, std::size_t group) {
  return once({variant.name, family, set, group},
              [&] { return measure_variant(variant, family, set, group == 0 ? sizes_.group : group); });
}

std::optional<int> Session::registers(const Variant& variant, std::size_t family) {
  const std::size_t first = 0;
  const SequenceSet one = SequenceSet(sequences(Set::Subset)).subset({&first, 1});
  if (!device_ || !families_[family].model) return std::nullopt;
  try {
    return DeviceJob(*device_, variant, *families_[family].model, one, 1).registers();
  } catch (const Unfit&) {
    return std::nullopt;
  }
}

Cell Session::occupancy_percent(const Variant& variant, std::size_t family, std::size_t group) {
  if (!device_) return Cell::absent(kNoDevice);
  const std::optional<Multiprocessor> limits = multiprocessor_of(*device_);
  const std::optional<int> found = registers(variant, family);
  if (!limits || !found)
    return Cell::absent("the device does not report registers, or its limits are unknown");
  if (group == 0) group = sizes_.group;
  const std::size_t local =
      local_bytes(variant, families_[family].model->nodes, Alphabet::get(AlphabetKind::Amino).size(), group)
          .used;
  return 100 * occupancy(*limits, *found, local, group);
}

const Result& Session::rival(Rival rival, std::size_t family, Set set) {
  return once({name_of(rival), family, set, 0}, [&] { return measure_rival(rival, family, set); });
}

const Result& Session::hmmer2(std::size_t family, Set set) {
  return once({"hmm2search", family, set, 0}, [&] { return measure_hmmer2(family, set); });
}

// Splits the base into batches as large as the subset, longest sequences first; other sets are one batch. The
// SequenceSets refer to `places`.
std::vector<SequenceSet> Session::batches(Set set, std::vector<std::vector<std::size_t>>& places) {
  const SequenceSet all(sequences(set));
  if (set != Set::Base || all.size() <= sizes_.subset) return {all};
  const std::vector<std::size_t> order = longest_first(all);
  std::vector<SequenceSet> result;
  for (std::size_t first = 0; first < order.size(); first += sizes_.subset) {
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(first);
    places.emplace_back(begin,
                        begin + static_cast<std::ptrdiff_t>(std::min(sizes_.subset, order.size() - first)));
    result.push_back(all.subset(places.back()));
  }
  return result;
}

Result Session::measure_variant(const Variant& variant, std::size_t family, Set set, std::size_t group) {
  if (!device_) return absent(kNoDevice);
  const ScoreModel& model = *families_[family].model;
  std::vector<RunTimes> times(runs());
  std::vector<std::int32_t> scores(sequences(set).size());
  std::vector<std::vector<std::size_t>> places;
  Result result;
  try {
    const std::vector<SequenceSet> sets = batches(set, places);
    for (std::size_t b = 0; b < sets.size(); ++b) {
      DeviceJob job(*device_, variant, model, sets[b], group);
      job.run();
      const std::vector<std::int32_t> found = job.scores();
      for (std::size_t i = 0; i < found.size(); ++i) scores[places.empty() ? i : places[b][i]] = found[i];
      for (RunTimes& sum : times) {
        const RunTimes run = job.run();
        sum.total += run.total;
        sum.kernel += run.kernel;
        sum.send += run.send;
        sum.receive += run.receive;
      }
      result.parameters += job.parameter_seconds();
      result.resources = job.resources();
      result.memory = job.memory();
    }
  } catch (const Unfit& reason) {
    return absent(reason.what());
  } catch (const EngineFailure& failure) {
    if (!failure.out_of_memory()) throw;
    return absent("the device has no memory left for it");
  }
  if (variant.schedule != Schedule::Printed) compare(scores, family, set, variant.name);
  const auto spread = [&times](double RunTimes::*part) {
    std::vector<double> values;
    for (const RunTimes& run : times) values.push_back(run.*part);
    return spread_of(std::move(values));
  };
  result.total = spread(&RunTimes::total);
  result.kernel = spread(&RunTimes::kernel);
  result.send = spread(&RunTimes::send);
  result.receive = spread(&RunTimes::receive);
  return result;
}

ScoreEngine& Session::engine(Rival rival) {
  std::unique_ptr<ScoreEngine>& engine = engines_[rival];
  if (engine) return *engine;
  if (rival == Rival::Plain) engine = make_reference_engine(1);
  if (rival == Rival::Vectors) engine = make_simd_engine(request_.threads);
  if (rival == Rival::Tiled) engine = make_opencl_engine(request_.devices.front());
  if (rival == Rival::Engine) engine = make_device_engine(request_.devices.front(), request_.threads, {});
  return *engine;
}

// An evenly spread sample of sequences, for slow programs.
SequenceSet Session::sample(Set set) {
  const SequenceSet all(sequences(set));
  const double most = request_.full ? 1e6 : 2e4;  // residues of the sample
  const std::size_t step =
      std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(all.residue_count()) / most));
  std::vector<std::size_t> places;
  for (std::size_t i = step / 2; i < all.size(); i += step) places.push_back(i);
  return places.empty() ? all : all.subset(places);
}

Result Session::measure_rival(Rival rival, std::size_t family, Set set) {
  if (!device_ && (rival == Rival::Tiled || rival == Rival::Engine)) return absent(kNoDevice);
  const bool plain = rival == Rival::Plain;
  const SequenceSet all(sequences(set)), scored = plain ? sample(set) : all;
  std::vector<std::int32_t> scores(scored.size());
  ScoreEngine& scorer = engine(rival);
  const std::unique_ptr<PreparedBatch> prepared = scorer.prepare(scored);
  const auto score = [&] { scorer.score(*families_[family].model, *prepared, std::nullopt, scores); };
  if (!plain) {
    score();
    compare(scores, family, set, name_of(rival));
  }
  std::vector<double> times(plain ? 1 : runs());
  for (double& time : times) time = seconds_of(score);
  return timed(spread_of(std::move(times)), all, scored);
}

Result Session::measure_hmmer2(std::size_t family, Set set) {
  if (!hmmer2_.installed()) return absent("hmm2search is not installed");
  const SequenceSet all(sequences(set)), searched = sample(set);
  if (hmmer2_set_ != set) hmmer2_.set_sequences(searched);
  hmmer2_set_ = set;
  const std::optional<double> seconds = hmmer2_.seconds(*families_[family].profile);
  return seconds ? timed(spread_of({*seconds}), all, searched) : absent("hmm2search fails");
}

Cell gcups(const Result& result, double cells) {
  if (!result.measured()) return Cell::absent(result.absent);
  return cells / result.total.median * 1e-9;
}

}  // namespace gpuhmm::experiment::ladder
