// The domain stage on devices: gives them regions and envelopes by need, and recomputes a sample.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpuhmm/engine.hpp"
#include "hmmer3/arithmetic.hpp"
#include "search/hmmer3_device_work.hpp"
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

// Regions and envelopes that devices take some at a time.
class StageDevices::Domains {
 public:
  explicit Domains(StageDevices& devices) : devices_(devices) {}

  void sample_tracebacks(const DomainWork<RegionQuery>& work, std::uint32_t seed) {
    const auto verify = [&](const DomainScorer& scorer, const SearchProfile& profile,
                            const RegionTask& task) {
      if (!same(*by_host(profile, task, seed).ensemble, *task.ensemble))
        throw_wrong(scorer, profile, task.sequence, "sampled tracebacks");
    };
    run<RegionQuery>(
        work, [seed](DomainScorer& scorer, const auto& queries) { scorer.sample(queries, seed); }, verify);
  }

  void score_envelopes(const DomainWork<EnvelopeQuery>& work) {
    const auto verify = [](const DomainScorer& scorer, const SearchProfile& profile,
                           const EnvelopeTask& task) {
      if (!same(task, by_host(profile, task)))
        throw_wrong(scorer, profile, task.sequence, "scores or columns");
    };
    run<EnvelopeQuery>(
        work, [](DomainScorer& scorer, const auto& queries) { scorer.score(queries); }, verify);
  }

 private:
  static bool can_work(const Member& member) { return !member.failed && member.stages.domains; }
  static bool is_done(const RegionTask* task) { return task->ensemble.has_value(); }
  static bool is_done(const EnvelopeTask* task) { return task->scored; }

  static std::vector<RegionTask*>& tasks_of(RegionQuery& query) { return query.regions; }
  static std::vector<EnvelopeTask*>& tasks_of(EnvelopeQuery& query) { return query.envelopes; }

  // Has the devices do the work, and verifies a sample. What a device has done before it is lost is used,
  // too.
  template <class Query, class Step, class Verify>
  void run(const DomainWork<Query>& work, const Step& step, const Verify& verify) {
    using Queries = std::vector<Query>;
    const auto take = [&]() -> std::optional<Queries> {
      Queries queries = work.next();
      return queries.empty() ? std::nullopt : std::optional(std::move(queries));
    };
    devices_.run_members<Queries>(can_work, take, [&](Member& member, Queries& queries) {
      if (member.failed) return work.end(queries, true);  // while this waited for work
      DomainScorer& scorer = *member.stages.domains;
      try {
        do_step(scorer, queries, step, verify);
      } catch (const EngineFailure&) {
        work.end(queries, true);
        queries.clear();
        throw;
      } catch (...) {
        work.fail();
        throw;
      }
      work.end(queries, false);
    });
  }

  template <class Query, class Step, class Verify>
  void do_step(DomainScorer& scorer, std::vector<Query>& queries, const Step& step, const Verify& verify) {
    try {
      step(scorer, queries);
    } catch (const EngineFailure&) {
      verify_sample(scorer, queries, verify);
      throw;
    }
    verify_sample(scorer, queries, verify);
  }

  template <class Query, class Verify>
  void verify_sample(const DomainScorer& scorer, std::vector<Query>& queries, const Verify& verify) {
    const FlushToZero flush;
    const std::uint64_t number = devices_.domain_samples_++;
    std::uint64_t place = 0;
    for (Query& query : queries) {
      for (const auto* const task : tasks_of(query)) {
        const double cells = static_cast<double>(task->sequence.size()) * query.profile->profile.nodes;
        if (devices_.is_in_sample(number, place++, cells) && is_done(task))
          verify(scorer, *query.profile, *task);
      }
    }
  }

  [[noreturn]] static void throw_wrong(const DomainScorer& scorer, const SearchProfile& profile,
                                       Residues sequence, const std::string& what) {
    throw WrongScore(scorer.description() + " gave a domain of " + std::to_string(sequence.size()) +
                     " residues and profile " + profile.profile.name + " wrong " + what +
                     ". Do not use this device");
  }

  StageDevices& devices_;
};

void StageDevices::sample_tracebacks(const DomainWork<RegionQuery>& work, std::uint32_t seed) {
  const std::lock_guard lock(sampling_);
  Domains(*this).sample_tracebacks(work, seed);
}

void StageDevices::score_envelopes(const DomainWork<EnvelopeQuery>& work) {
  const std::lock_guard lock(scoring_);
  Domains(*this).score_envelopes(work);
}

}  // namespace gpuhmm::hmmer3
