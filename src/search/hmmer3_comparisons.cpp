// The order of comparisons, sizes of blocks, cut-offs, counts.
#include "search/hmmer3_comparisons.hpp"

#include <algorithm>
#include <tuple>

#include "hmmer3/hit_list.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::hmmer3 {

MissingCutoff::MissingCutoff(CutoffKind kind, const std::string& profile_name)
    : SearchError("profile " + profile_name + " has no " +
                  (kind == CutoffKind::Gathering ? "GA"
                   : kind == CutoffKind::Noise   ? "NC"
                                                 : "TC") +
                  " cut-off; expected one in its file"),
      kind_(kind),
      profile_(profile_name) {}

const char* MissingCutoff::tag() const {
  return kind_ == CutoffKind::Gathering ? "GA" : kind_ == CutoffKind::Noise ? "NC" : "TC";
}

std::size_t profiles_at_once(unsigned threads) {
  return std::max<std::size_t>(128, 16 * std::size_t{threads});
}

std::vector<double> complete(const StagedComparisons& compared, unsigned threads, StageClock& clock) {
  struct Part {
    std::size_t place, part;
    double cells, seconds = 0;
  };
  std::vector<Part> parts;
  for (std::size_t place = 0; place < compared.size(); ++place)
    for (std::size_t part = 0; part < compared[place]->parts(); ++part)
      parts.push_back({place, part, compared[place]->cells(part)});
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    return std::tie(b.cells, a.place, a.part) < std::tie(a.cells, b.place, b.part);
  });
  parallel_for(threads, parts.size(), 1, [&](std::size_t p, std::size_t) {
    const Stopwatch watch(parts[p].seconds);
    const StageClock::Running running(clock);
    compared[parts[p].place]->complete(parts[p].part);
  });
  std::vector<double> seconds(compared.size());
  for (const Part& part : parts) seconds[part.place] += part.seconds;
  return seconds;
}

std::size_t block_sequences(const gpuhmm::RunOptions& options) {
  constexpr std::size_t kStandard = 1'000'000;
  return options.batch_sequences > 0 ? options.batch_sequences : kStandard;
}

std::size_t block_residues(const SearchOptions& options) {
  // A device needs many sequences to be busy.
  constexpr std::size_t kHost = std::size_t{8} << 20, kDevices = std::size_t{64} << 20;
  if (options.batch_residues > 0) return options.batch_residues;
  return options.devices.empty() ? kHost : kDevices;
}

std::optional<Cutoff> required_cutoff(const Profile& profile, CutoffKind kind) {
  std::optional<Cutoff> cutoff = cutoff_of(profile, kind);
  if (kind != CutoffKind::None && !cutoff) throw MissingCutoff(kind, profile.name);
  return cutoff;
}

void count_stage(Counters& counters, Stage stage) {
  counters.past_msv += stage >= Stage::Msv;
  counters.past_bias += stage >= Stage::Bias;
  counters.past_viterbi += stage >= Stage::Viterbi;
  counters.past_forward += stage >= Stage::Forward;
}

Query query_of(const Profile& profile) {
  return {profile.name, profile.accession.value_or(""), profile.description.value_or(""), profile.nodes};
}

Query query_of(const SequenceView& sequence) {
  return {std::string(sequence.name), std::string(sequence.accession), std::string(sequence.description),
          static_cast<std::int64_t>(sequence.residues.size())};
}

}  // namespace gpuhmm::hmmer3
