// HMMER3's stages, plainly, as devices that do right, fail, err, or leave work to the host.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gpuhmm/engine.hpp"
#include "hmmer3/arithmetic.hpp"
#include "hmmer3/domain_scorer.hpp"
#include "hmmer3/envelope_task.hpp"
#include "hmmer3/filters.hpp"
#include "hmmer3/forward_backward.hpp"
#include "hmmer3/pair_scorer.hpp"
#include "hmmer3/ssv_finder.hpp"
#include "hmmer3/traceback_ensemble.hpp"

namespace gpuhmm::hmmer3::test {

/// The plain filter as a device, which is lost at the `calls`-th call of find (0: at load), or which forgets
/// its findings.
class PlainFinder : public SsvFinder {
 public:
  enum class Way { Right, Lost, Forgets };
  PlainFinder(Way way, int calls) : way_(way), calls_left_(calls) {}

  std::string description() const override { return "plain device"; }
  DeviceCosts device_costs() const override { return {.device = description()}; }
  double busy_seconds() const override { return 0; }
  void load(const SequenceBatch& batch) override {
    if (way_ == Way::Lost && calls_left_ == 0) throw EngineFailure("plain device: lost");
    batch_ = &batch;
  }
  std::vector<std::vector<SsvFinding>> find(std::span<const SsvQuery> queries) override {
    if (way_ == Way::Lost && --calls_left_ <= 0) throw EngineFailure("plain device: lost");
    std::vector<std::vector<SsvFinding>> found(queries.size());
    if (way_ == Way::Forgets) return found;
    const FlushToZero flush;
    for (std::size_t q = 0; q < queries.size(); ++q) {
      const ByteModel& model = *queries[q].model;
      for (std::size_t i = 0; i < batch_->size(); ++i) {
        if (batch_->length(i) == 0) continue;
        const int rise = ssv_largest_cell(model, batch_->residues(i)) - kSsvFloor;
        const LengthTerms terms(static_cast<std::int64_t>(batch_->length(i)));
        if (rise >= queries[q].marks.least_rise(terms))
          found[q].push_back({static_cast<std::uint32_t>(i), rise});
      }
    }
    return found;
  }

 private:
  Way way_;
  int calls_left_;
  const SequenceBatch* batch_ = nullptr;
};

/// The plain stages behind SSV as a device, which leaves impossible pairs to the host, and which is lost
/// after some pairs that pass, or gives wrong results, or leaves pairs to the host.
class PlainScorer : public PairScorer {
 public:
  enum class Way {
    Right,
    Lost,
    WrongMsv,
    WrongBias,
    WrongViterbi,
    WrongBound,
    WrongForward,
    WrongRows,
    LeavesOut
  };
  explicit PlainScorer(Way way, std::string name = "plain device") : way_(way), name_(std::move(name)) {}

  std::string description() const override { return name_; }
  double busy_seconds() const override { return 0; }
  void load(const SequenceBatch& batch) override { batch_ = &batch; }

  void msv(std::span<const PairQuery> queries, const TakeScore& take) override {
    each_pair(queries, [&](std::size_t q, std::size_t n, Residues sequence) {
      const FirstStage stage = msv_result(queries[q].profile->filters.bytes, sequence);
      take(q, n, first_stage_score(stage, static_cast<std::int64_t>(sequence.size())) + error(Way::WrongMsv));
      ++multihit;
    });
  }
  // Of every third pair the Viterbi score, too, whether it is needed or not.
  void bias(std::span<const PairQuery> queries, const BiasUser& user) override {
    each_pair(queries, [&](std::size_t q, std::size_t n, Residues sequence) {
      const NullModel null(static_cast<std::int64_t>(sequence.size()));
      const float score = bias_score(queries[q].profile->filters.bias, sequence, null);
      const ViterbiLimits needing = user.needs_viterbi(q, n);
      user.take(q, n, score + error(Way::WrongBias));
      ++biased;
      if (n % 3 != 0) return;
      if (score >= needing.least && score <= needing.most) ++filtered_at_once;
      give_viterbi(queries, q, n, sequence, user.take_viterbi);
    });
  }
  void viterbi(std::span<const PairQuery> queries, const TakeViterbi& take) override {
    each_pair(queries, [&](std::size_t q, std::size_t n, Residues sequence) {
      ++filtered;
      give_viterbi(queries, q, n, sequence, take);
    });
  }
  void sweep(std::span<const PairQuery> queries, const SweepUser& user) override {
    ++shares;
    int passed = 0;
    each_pair(queries, [&](std::size_t q, std::size_t n, Residues sequence) {
      SequenceTask task;
      task.sequence = sequence;
      task.lengths = LengthModel::multihit(static_cast<std::int64_t>(sequence.size()));
      try {
        run_forward_plainly(queries[q].profile->floats, task);
      } catch (const ImpossibleComparison&) {
        return;
      }
      if (!user.passes(q, n, task.forward_score + error(Way::WrongForward))) return;
      if (way_ == Way::Lost && ++passed == 3) throw EngineFailure("plain device: lost");
      run_backward_plainly(queries[q].profile->floats, task);
      if (way_ == Way::WrongRows) task.backward[0].n *= 2;
      if (std::optional<Regions> regions = find_regions(rows_of(task))) user.use(q, n, std::move(*regions));
      ++swept;
    });
  }
  static inline std::atomic<int> shares = 0, multihit = 0, biased = 0, filtered = 0, swept = 0;
  static inline std::atomic<int> filtered_at_once = 0;

 private:
  template <class Use>
  void each_pair(std::span<const PairQuery> queries, const Use& use) const {
    const FlushToZero flush;
    int pairs = 0;
    for (std::size_t q = 0; q < queries.size(); ++q) {
      for (std::size_t n = 0; n < queries[q].sequences.size(); ++n) {
        if (way_ == Way::LeavesOut && ++pairs % 2 == 0) continue;
        use(q, n, batch_->residues(queries[q].sequences[n]));
      }
    }
  }
  // Of every second one a bound at first.
  void give_viterbi(std::span<const PairQuery> queries, std::size_t q, std::size_t n, Residues sequence,
                    const TakeViterbi& take) const {
    const float score = viterbi_score(queries[q].profile->filters.words, sequence);
    if (n % 2 == 1 && take(q, n, score - 1 + 2 * error(Way::WrongBound), false)) return;
    take(q, n, score + error(Way::WrongViterbi), true);
  }
  float error(Way wrong) const {
    if (way_ != wrong) return 0;
    return wrong == Way::WrongBound ? 1.0F : 1e-3F;
  }

  Way way_;
  std::string name_;
  const SequenceBatch* batch_ = nullptr;
};

/// The plain domain stage as a device. In each of its two steps it may leave every second piece of work to
/// the host, or be lost amid the work, behind kBeforeLoss pieces.
class PlainDomainScorer : public DomainScorer {
 public:
  enum class Way { Right, Lost, LeavesOut };
  static constexpr int kBeforeLoss = 3;

  /// How a device behaves in a step, and what it tells of that.
  template <class Task>
  struct Step {
    Way way = Way::Right;
    std::function<void(Task&)> mistake = nullptr;  ///< made in each piece that it does
    std::atomic<int>* done = nullptr;              ///< pieces, counted
    std::promise<void>* lost = nullptr;            ///< told when the thread that loses it ends
    std::future<void>* begin = nullptr;            ///< awaited before it works
  };
  struct Conduct {
    Step<RegionTask> sampling = {};
    Step<EnvelopeTask> scoring = {};
  };
  explicit PlainDomainScorer(Conduct conduct) : conduct_(std::move(conduct)) {}

  std::string description() const override { return "plain device"; }
  double busy_seconds() const override { return 0; }

  void sample(std::span<const RegionQuery> queries, std::uint32_t seed) override {
    run(conduct_.sampling, sampled_, queries, &RegionQuery::regions,
        [seed](const SearchProfile& profile, RegionTask& region) {
          StripedMatrix cells;
          SequenceTask task;
          task.sequence = region.sequence;
          task.lengths = region.lengths;
          task.forward_cells = &cells;
          run_forward_plainly(profile.floats, task);
          region.ensemble = sample_tracebacks_plainly(profile.floats, alphabet_of(profile), task, seed);
        });
  }

  void score(std::span<const EnvelopeQuery> queries) override {
    run(conduct_.scoring, scored_, queries, &EnvelopeQuery::envelopes,
        [](const SearchProfile& profile, EnvelopeTask& task) {
          score_envelope_plainly(profile.floats, alphabet_of(profile), task);
          task.scored = true;
        });
  }

 private:
  // Another thread may have work given back to it before this one ends, not after.
  struct AtThreadEnd {
    ~AtThreadEnd() {
      if (lost != nullptr) lost->set_value();
    }
    std::promise<void>* lost = nullptr;
  };

  static const Alphabet& alphabet_of(const SearchProfile& profile) {
    return Alphabet::get(profile.profile.alphabet);
  }

  // Calls use(profile, task) for the tasks of queries that the device does; `pieces`: those it has come to.
  template <class Query, class Task, class Use>
  static void run(const Step<Task>& step, int& pieces, std::span<const Query> queries,
                  std::vector<Task*> Query::*tasks, const Use& use) {
    using namespace std::chrono_literals;
    if (step.begin != nullptr) step.begin->wait_for(60s);
    const FlushToZero flush;
    for (const Query& query : queries) {
      for (Task* const task : query.*tasks) {
        const int piece = pieces++;
        if (step.way == Way::Lost && piece == kBeforeLoss) lose(step.lost);
        if (step.way == Way::LeavesOut && piece % 2 == 1) continue;
        try {
          use(*query.profile, *task);
        } catch (const ImpossibleComparison&) {
          continue;
        }
        if (step.mistake) step.mistake(*task);
        if (step.done != nullptr) ++*step.done;
      }
    }
  }

  [[noreturn]] static void lose(std::promise<void>* lost) {
    thread_local AtThreadEnd end;
    end.lost = lost;
    throw EngineFailure("plain device: lost");
  }

  Conduct conduct_;
  int sampled_ = 0, scored_ = 0;  // pieces, in two threads
};

}  // namespace gpuhmm::hmmer3::test
