// The domain stage on devices: shares regions and envelopes among them, and recomputes a sample.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "gpuhmm/engine.hpp"
#include "hmmer3/arithmetic.hpp"
#include "search/hmmer3_devices.hpp"

namespace gpuhmm::hmmer3 {

namespace {

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

bool same(const AlignedColumn& a, const AlignedColumn& b) {
  return a.state == b.state && a.node == b.node && a.residue == b.residue &&
         bits(a.posterior) == bits(b.posterior);
}

// Whether they agree in all that is known of an envelope: if there is no domain, that is its score.
bool same(const EnvelopeTask& a, const EnvelopeTask& b) {
  const auto same_bits = [](float x, float y) { return bits(x) == bits(y); };
  if (a.possible != b.possible || !same_bits(a.forward_score, b.forward_score)) return false;
  if (!a.possible) return true;
  return same_bits(a.alignment.accuracy, b.alignment.accuracy) &&
         (!a.wants_null2 || std::ranges::equal(a.odds, b.odds, same_bits)) &&
         std::ranges::equal(a.alignment.columns, b.alignment.columns,
                            [](const AlignedColumn& x, const AlignedColumn& y) { return same(x, y); });
}

bool same(const SampledSegment& a, const SampledSegment& b) {
  return a.traceback == b.traceback && a.from == b.from && a.to == b.to && a.model_from == b.model_from &&
         a.model_to == b.model_to;
}

bool same(const TracebackEnsemble& a, const TracebackEnsemble& b) {
  return std::ranges::equal(a.null2, b.null2, [](float x, float y) { return bits(x) == bits(y); }) &&
         std::ranges::equal(a.segments, b.segments,
                            [](const SampledSegment& x, const SampledSegment& y) { return same(x, y); });
}

const Alphabet& alphabet_of(const SearchProfile& profile) { return Alphabet::get(profile.profile.alphabet); }

// What the host makes of a task.
RegionTask by_host(const SearchProfile& profile, const RegionTask& task, std::uint32_t seed) {
  RegionTask expected{task.sequence, task.lengths, {}};
  RegionTask* const pointer = &expected;
  sample_regions(profile.floats, alphabet_of(profile), {&pointer, 1}, seed);
  return expected;
}
EnvelopeTask by_host(const SearchProfile& profile, const EnvelopeTask& task) {
  EnvelopeTask expected = task.unscored();
  score_envelopes(profile.floats, alphabet_of(profile), {&expected, 1});
  return expected;
}

}  // namespace

// Regions and envelopes in shares, which devices take one after the other. Each share has some of all
// profiles.
class StageDevices::Domains {
 public:
  /// `call`: how often devices have done this before.
  Domains(StageDevices& devices, const StagedComparisons& compared, std::uint64_t call)
      : devices_(devices), compared_(compared), shares_(devices.shares_of(can_work)), call_(call) {}

  void sample_tracebacks() {
    if (compared_.empty()) return;
    const std::uint32_t seed = compared_.front()->seed();
    devices_.run_shares(shares_, can_work, [&](Member& member, std::size_t share) {
      std::vector<RegionQuery> queries;
      for (const auto& comparison : compared_)
        queries.push_back(
            {&comparison->profile(),
             of_share<RegionTask>(*comparison, &StagedComparison::regions, share, [](const RegionTask& task) {
               return task.ensemble || !is_for_devices(task);
             })});
      DomainScorer& scorer = *member.stages.domains;
      const auto verify = [&](const SearchProfile& profile, std::size_t place, std::size_t number,
                              const RegionTask& task) {
        if (!task.ensemble || !is_in_sample(profile, place, number, task.sequence)) return;
        if (!same(*by_host(profile, task, seed).ensemble, *task.ensemble))
          throw_wrong(scorer, profile, task.sequence, "sampled tracebacks");
      };
      run_verified([&] { scorer.sample(queries, seed); }, queries, verify);
    });
  }

  void score_envelopes() {
    devices_.run_shares(shares_, can_work, [&](Member& member, std::size_t share) {
      std::vector<EnvelopeQuery> queries;
      for (const auto& comparison : compared_)
        queries.push_back({&comparison->profile(),
                           of_share<EnvelopeTask>(*comparison, &StagedComparison::envelopes, share,
                                                  [](const EnvelopeTask& task) { return task.scored; })});
      DomainScorer& scorer = *member.stages.domains;
      const auto verify = [&](const SearchProfile& profile, std::size_t place, std::size_t number,
                              const EnvelopeTask& task) {
        if (!task.scored || !is_in_sample(profile, place, number, task.sequence)) return;
        if (!same(task, by_host(profile, task)))
          throw_wrong(scorer, profile, task.sequence, "scores or columns");
      };
      run_verified([&] { scorer.score(queries); }, queries, verify);
    });
  }

  static bool can_work(const Member& member) { return !member.failed && member.stages.domains; }

 private:
  // The tasks of a comparison that belong to a share and are not done.
  template <class Task, class IsDone>
  std::vector<Task*> of_share(StagedComparison& comparison,
                              std::span<Task> (StagedComparison::*tasks)(std::size_t), std::size_t share,
                              const IsDone& is_done) const {
    std::vector<Task*> own;
    std::size_t number = 0;
    for (std::size_t part = 0; part < comparison.parts(); ++part) {
      for (Task& task : (comparison.*tasks)(part)) {
        if (number++ % shares_ == share && !is_done(task)) own.push_back(&task);
      }
    }
    return own;
  }

  static const std::vector<RegionTask*>& tasks_of(const RegionQuery& query) { return query.regions; }
  static const std::vector<EnvelopeTask*>& tasks_of(const EnvelopeQuery& query) { return query.envelopes; }

  // Runs a step of a device, and verifies what it gives. What it has given before it is lost is used, too.
  template <class Query, class Verify>
  static void run_verified(const std::function<void()>& run, const std::vector<Query>& queries,
                           const Verify& verify) {
    try {
      run();
    } catch (const EngineFailure&) {
      for_each(queries, verify);
      throw;
    }
    for_each(queries, verify);
  }

  // Calls use(profile, place of the query, number of the task, task), with flush to zero.
  template <class Query, class Use>
  static void for_each(const std::vector<Query>& queries, const Use& use) {
    const FlushToZero flush;
    for (std::size_t q = 0; q < queries.size(); ++q) {
      const auto& tasks = tasks_of(queries[q]);
      for (std::size_t n = 0; n < tasks.size(); ++n) use(*queries[q].profile, q, n, *tasks[n]);
    }
  }

  bool is_in_sample(const SearchProfile& profile, std::size_t place, std::size_t number,
                    Residues sequence) const {
    constexpr unsigned kNumberBits = 32;
    return devices_.is_in_sample(place, (call_ << kNumberBits) + number,
                                 static_cast<double>(sequence.size()) * profile.profile.nodes);
  }

  [[noreturn]] static void throw_wrong(const DomainScorer& scorer, const SearchProfile& profile,
                                       Residues sequence, const std::string& what) {
    throw WrongScore(scorer.description() + " gave a domain of " + std::to_string(sequence.size()) +
                     " residues and profile " + profile.profile.name + " wrong " + what +
                     ". Do not use this device");
  }

  StageDevices& devices_;
  const StagedComparisons& compared_;
  std::size_t shares_;
  std::uint64_t call_;
};

bool StageDevices::outdo(unsigned threads) const {
  // An H200 scores 2.8 G cells of envelopes a second, while it is at other blocks' filters, a processor 0.6;
  // with 16 threads, searches were faster without its tracebacks.
  constexpr std::size_t kThreadsOfDevice = 8;
  return threads <
         kThreadsOfDevice * static_cast<std::size_t>(std::ranges::count_if(members_, Domains::can_work));
}

bool StageDevices::is_for_devices(const RegionTask& region) {
  constexpr std::size_t kMostResidues = 512;
  return region.sequence.size() <= kMostResidues;
}

void StageDevices::sample_tracebacks(const StagedComparisons& compared) {
  const std::lock_guard lock(sampling_);
  Domains(*this, compared, samplings_++).sample_tracebacks();
}

void StageDevices::score_envelopes(const StagedComparisons& compared) {
  const std::lock_guard lock(scoring_);
  Domains(*this, compared, scorings_++).score_envelopes();
}

}  // namespace gpuhmm::hmmer3
