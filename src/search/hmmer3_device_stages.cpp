// The stages behind SSV on devices: shares pairs among them, and recomputes a sample.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gpuhmm/engine.hpp"
#include "hmmer3/arithmetic.hpp"
#include "hmmer3/fast_filters.hpp"
#include "search/hmmer3_device_work.hpp"
#include "search/hmmer3_devices.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::hmmer3 {

// Pairs in shares, which devices take one after the other. Each share has pairs of all profiles and lengths.
class StageDevices::Stages {
 public:
  Stages(StageDevices& devices, const SequenceBatch& batch, const StagedComparisons& compared)
      : devices_(devices), batch_(batch), compared_(compared), shares_(shares()) {}

  void run() {
    std::size_t taken = 0;
    const auto next = [&]() -> std::optional<std::size_t> {
      if (taken == shares_) return std::nullopt;
      return taken++;
    };
    devices_.run_members<std::size_t>(
        can_work, next, [this](Member& member, std::size_t share) { run(*member.stages.scorer, share); });
  }

 private:
  // The pairs of a share that need a stage next, and their numbers in the comparisons.
  struct Wanted {
    std::vector<PairQuery> queries;
    std::vector<std::vector<std::uint32_t>> numbers;
  };

  static bool can_work(const Member& member) { return !member.failed && member.stages.scorer; }

  // One for each device if all are alike, as launches take the longer the fewer pairs they have; otherwise
  // several, of which the faster ones do more.
  std::size_t shares() const {
    constexpr std::size_t kOfUnlike = 4;
    std::vector<std::string> names;
    for (const Member& member : devices_.members_) {
      if (can_work(member)) names.push_back(member.stages.scorer->description());
    }
    const bool alike = std::ranges::adjacent_find(names, std::ranges::not_equal_to()) == names.end();
    return alike ? names.size() : kOfUnlike * names.size();
  }

  void run(PairScorer& scorer, std::size_t share) const {
    run_msv(scorer, wanted(share, Next::Msv));
    run_bias(scorer, wanted(share, Next::Bias));
    const Wanted filtered = wanted(share, Next::Viterbi);
    scorer.viterbi(filtered.queries, [&](std::size_t q, std::size_t n, float score, bool is_exact) {
      return take_viterbi(scorer, q, filtered.numbers[q][n], score, is_exact);
    });
    const Wanted swept = wanted(share, Next::Forward);
    scorer.sweep(swept.queries, {[&](std::size_t q, std::size_t n, float score) {
                                   verify(scorer, q, swept.numbers[q][n], "Forward", score,
                                          &Stages::forward_score);
                                   return compared_[q]->take_forward(swept.numbers[q][n], score);
                                 },
                                 [&](std::size_t q, std::size_t n, Regions&& regions) {
                                   verify_regions(scorer, q, swept.numbers[q][n], regions);
                                   compared_[q]->take_regions(swept.numbers[q][n], std::move(regions));
                                 }});
  }

  void run_msv(PairScorer& scorer, const Wanted& wanted) const {
    scorer.msv(wanted.queries, [&](std::size_t q, std::size_t n, float score) {
      verify(scorer, q, wanted.numbers[q][n], "MSV", score, &Stages::msv_score);
      compared_[q]->take_msv(wanted.numbers[q][n], score);
    });
  }

  // The bias filter, and behind it Viterbi.
  void run_bias(PairScorer& scorer, const Wanted& wanted) const {
    scorer.bias(
        wanted.queries,
        {[&](std::size_t q, std::size_t n, float score) {
           verify(scorer, q, wanted.numbers[q][n], "bias", score, &Stages::bias_score);
           compared_[q]->take_bias(wanted.numbers[q][n], score);
         },
         [&](std::size_t q, std::size_t n) { return compared_[q]->needs_viterbi(wanted.numbers[q][n]); },
         [&](std::size_t q, std::size_t n, float score, bool is_exact) {
           const std::size_t number = wanted.numbers[q][n];
           return compared_[q]->next(number) != Next::Viterbi ||
                  take_viterbi(scorer, q, number, score, is_exact);
         }});
  }

  bool take_viterbi(const PairScorer& scorer, std::size_t q, std::size_t number, float score,
                    bool is_exact) const {
    if (is_exact) {
      verify(scorer, q, number, "Viterbi", score, &Stages::viterbi_score);
      return compared_[q]->take_viterbi(number, score);
    }
    verify_bound(scorer, q, number, score);
    return compared_[q]->take_viterbi_bound(number, score);
  }

  Wanted wanted(std::size_t share, Next stage) const {
    Wanted wanted;
    wanted.queries.resize(compared_.size());
    wanted.numbers.resize(compared_.size());
    parallel_for(devices_.threads_, compared_.size(), 1, [&](std::size_t q, std::size_t) {
      const StagedComparison& comparison = *compared_[q];
      wanted.queries[q].profile = &comparison.profile();
      wanted.queries[q].sequences.reserve(comparison.pairs() / shares_ + 1);
      wanted.numbers[q].reserve(comparison.pairs() / shares_ + 1);
      for (std::size_t n = share; n < comparison.pairs(); n += shares_) {
        if (comparison.next(n) != stage) continue;
        wanted.queries[q].sequences.push_back(static_cast<std::uint32_t>(comparison.sequence(n)));
        wanted.numbers[q].push_back(static_cast<std::uint32_t>(n));
      }
    });
    return wanted;
  }

  float bias_score(std::size_t q, std::size_t n) const {
    const Residues sequence = residues(q, n);
    float score = 0;
    fast_bias_scores(compared_[q]->profile().filters.bias, {&sequence, 1}, {&score, 1});
    return score;
  }
  float msv_score(std::size_t q, std::size_t n) const {
    const Residues sequence = residues(q, n);
    return first_stage_score(fast_msv_result(compared_[q]->profile().filters, sequence),
                             static_cast<std::int64_t>(sequence.size()));
  }
  float viterbi_score(std::size_t q, std::size_t n) const {
    return fast_viterbi_score(compared_[q]->profile().filters, residues(q, n));
  }
  float forward_score(std::size_t q, std::size_t n) const { return swept(q, n, false).forward_score; }

  SequenceTask swept(std::size_t q, std::size_t n, bool backward) const {
    SequenceTask task;
    task.sequence = residues(q, n);
    task.lengths = LengthModel::multihit(static_cast<std::int64_t>(task.sequence.size()));
    SequenceTask* const pointer = &task;
    run_forward(compared_[q]->profile().floats, {&pointer, 1});
    if (backward) run_backward(compared_[q]->profile().floats, {&pointer, 1});
    return task;
  }

  void verify(const PairScorer& scorer, std::size_t q, std::size_t n, const char* what, float score,
              float (Stages::*expected_score)(std::size_t, std::size_t) const) const {
    if (!is_in_sample(q, n)) return;
    const FlushToZero flush;
    const float expected = (this->*expected_score)(q, n);
    if (std::memcmp(&score, &expected, sizeof score) != 0)
      throw_wrong(scorer, q, n, std::string(what) + " score");
  }

  void verify_bound(const PairScorer& scorer, std::size_t q, std::size_t n, float least) const {
    if (!is_in_sample(q, n)) return;
    const FlushToZero flush;
    if (!(viterbi_score(q, n) >= least)) throw_wrong(scorer, q, n, "bound of the Viterbi score");
  }

  void verify_regions(const PairScorer& scorer, std::size_t q, std::size_t n, const Regions& regions) const {
    if (!is_in_sample(q, n)) return;
    const FlushToZero flush;
    if (find_regions(rows_of(swept(q, n, true))) != regions)
      throw_wrong(scorer, q, n, "region, or number of expected domains");
  }

  Residues residues(std::size_t q, std::size_t n) const { return batch_.residues(compared_[q]->sequence(n)); }

  bool is_in_sample(std::size_t q, std::size_t n) const {
    const double cells = static_cast<double>(residues(q, n).size()) * compared_[q]->profile().profile.nodes;
    return devices_.is_in_sample(q, compared_[q]->sequence(n), cells);
  }

  [[noreturn]] void throw_wrong(const PairScorer& scorer, std::size_t q, std::size_t n,
                                const std::string& what) const {
    throw WrongScore(scorer.description() + " gave sequence " +
                     std::string(batch_[compared_[q]->sequence(n)].name) + " and profile " +
                     compared_[q]->profile().profile.name + " a wrong " + what + ". Do not use this device");
  }

  StageDevices& devices_;
  const SequenceBatch& batch_;
  const StagedComparisons& compared_;
  const std::size_t shares_;
};

void StageDevices::run_stages(const SequenceBatch& batch, bool is_new, const StagedComparisons& compared) {
  if (is_new) {
    for (const Member& member : members_) {
      if (member.stages.scorer) member.stages.scorer->load(batch);
    }
  }
  Stages(*this, batch, compared).run();
  parallel_for(threads_, compared.size(), 1, [&](std::size_t c, std::size_t) { compared[c]->drop_failed(); });
}

}  // namespace gpuhmm::hmmer3
