// Forward and Backward on devices: shares pairs among them, and recomputes a sample.
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gpuhmm/engine.hpp"
#include "hmmer3/arithmetic.hpp"
#include "search/hmmer3_devices.hpp"

namespace gpuhmm::hmmer3 {

namespace {

// A small number that looks random, the same in every run.
std::uint64_t mixed(std::uint64_t place, std::uint64_t n) {
  std::uint64_t x = (place << 32U) + n + 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

bool same_bits(std::span<const SpecialRow> a, std::span<const SpecialRow> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

}  // namespace

// Pairs in shares, which devices take one after the other. Each share has pairs of all profiles and lengths.
class StageDevices::Sweep {
 public:
  Sweep(StageDevices& devices, const SequenceBatch& batch, const StagedComparisons& compared)
      : devices_(devices), batch_(batch), compared_(compared) {
    std::size_t working = 0;
    for (const Member& member : devices_.members_) working += !member.failed && member.stages.sweeper ? 1 : 0;
    if (working == 0) return;
    constexpr std::size_t kSharesEach = 4;
    shares_ = working == 1 ? 1 : kSharesEach * working;
    for (const auto& comparison : compared_) left_.push_back(comparison->left());
    for (std::size_t share = 0; share < shares_; ++share) waiting_.push_back(share);
  }

  void run() {
    {
      std::vector<std::jthread> threads;
      for (Member& member : devices_.members_) {
        if (!member.failed && member.stages.sweeper) threads.emplace_back([this, &member] { work(member); });
      }
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  // A share that fails goes back: another device takes it, or the host.
  void work(Member& member) {
    std::optional<std::size_t> share;
    try {
      while ((share = next())) sweep(*member.stages.sweeper, *share);
    } catch (const EngineFailure& failure) {
      devices_.lose(member, failure.what());
      const std::lock_guard lock(mutex_);
      if (share) waiting_.push_back(*share);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      waiting_.clear();
      failure_ = std::current_exception();
    }
  }

  std::optional<std::size_t> next() {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) return std::nullopt;
    const std::size_t share = waiting_.front();
    waiting_.pop_front();
    return share;
  }

  void sweep(PairSweeper& sweeper, std::size_t share) const {
    std::vector<SweepQuery> queries(left_.size());
    for (std::size_t q = 0; q < left_.size(); ++q) {
      queries[q].model = &compared_[q]->profile().floats;
      for (std::size_t n = share; n < left_[q].size(); n += shares_)
        queries[q].sequences.push_back(left_[q][n]);
    }
    sweeper.sweep(queries, {[&](std::size_t q, std::size_t n, float score) {
                              return passes(sweeper, q, n * shares_ + share, score);
                            },
                            [&](std::size_t q, std::size_t n, const SweptRows& rows) {
                              use(sweeper, q, n * shares_ + share, rows);
                            }});
  }

  bool passes(const PairSweeper& sweeper, std::size_t q, std::size_t n, float score) const {
    if (is_in_sample(q, n)) {
      SequenceTask task = task_of(q, n);
      SequenceTask* const pointer = &task;
      const FlushToZero flush;
      run_forward(compared_[q]->profile().floats, {&pointer, 1});
      if (std::memcmp(&score, &task.forward_score, sizeof score) != 0)
        throw_wrong(sweeper, q, n, "Forward score");
    }
    return compared_[q]->take_forward(n, score);
  }

  void use(const PairSweeper& sweeper, std::size_t q, std::size_t n, const SweptRows& rows) const {
    if (is_in_sample(q, n)) {
      SequenceTask task = task_of(q, n);
      SequenceTask* const pointer = &task;
      const FlushToZero flush;
      run_forward(compared_[q]->profile().floats, {&pointer, 1});
      run_backward(compared_[q]->profile().floats, {&pointer, 1});
      if (!same_bits(rows.forward, task.forward) || !same_bits(rows.backward, task.backward) ||
          rows.own_scales != task.own_scales)
        throw_wrong(sweeper, q, n, "Forward or Backward row");
    }
    compared_[q]->take_rows(n, rows);
  }

  SequenceTask task_of(std::size_t q, std::size_t n) const {
    SequenceTask task;
    task.sequence = batch_.residues(left_[q][n]);
    task.lengths = LengthModel::multihit(static_cast<std::int64_t>(task.sequence.size()));
    return task;
  }

  bool is_in_sample(std::size_t q, std::size_t n) const {
    // Without a percentage some pairs of few cells.
    constexpr std::uint64_t kOneOf = 8192;
    constexpr double kMostCells = 1e6, kParts = 1e6;
    const std::uint64_t number = mixed(q, n);
    if (devices_.verification_.percent)
      return static_cast<double>(number % static_cast<std::uint64_t>(kParts)) <
             *devices_.verification_.percent / 100 * kParts;
    const double cells =
        static_cast<double>(batch_.length(left_[q][n])) * compared_[q]->profile().profile.nodes;
    return number % kOneOf == 0 && cells <= kMostCells;
  }

  [[noreturn]] void throw_wrong(const PairSweeper& sweeper, std::size_t q, std::size_t n,
                                const std::string& what) const {
    throw WrongScore(sweeper.description() + " gave sequence " + std::string(batch_[left_[q][n]].name) +
                     " and profile " + compared_[q]->profile().profile.name + " a wrong " + what +
                     ". Do not use this device");
  }

  StageDevices& devices_;
  const SequenceBatch& batch_;
  const StagedComparisons& compared_;
  std::size_t shares_ = 0;
  std::vector<std::vector<std::size_t>> left_;  // of each comparison
  std::mutex mutex_;                            // of all below
  std::deque<std::size_t> waiting_;
  std::exception_ptr failure_;
};

void StageDevices::sweep(const SequenceBatch& batch, const StagedComparisons& compared) {
  Sweep(*this, batch, compared).run();
}

}  // namespace gpuhmm::hmmer3
