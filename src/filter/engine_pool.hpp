// The engines of a run as one: members share the batches, work that a member fails to do goes to the others,
// and the host is the last of them. So nothing but the loss of the host ends a run.
#pragma once

#include <condition_variable>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <vector>

#include "filter/engine.hpp"
#include "filter/verification.hpp"
#include "plan7/sequence.hpp"

namespace gpuhmm {

struct PoolOptions {
  /// Models that every batch is scored with, about.
  std::size_t models = 1;
  /// Threads of the host that score very long sequences beside devices (count_for_host); 0: the devices score
  /// them, too.
  unsigned host_threads = 0;
  Verification verification = {};  ///< of scores that devices give
  WorkMeter* meter = nullptr;      ///< told of the cells that are scored, if there is one
};

/// Shares work between engines in one of two ways. Equally fast engines that have enough models each hold the
/// whole batch, and a model goes to the one that is least busy: nothing is divided and nothing put together.
/// Otherwise a batch is cut into one slice for each engine, by the speeds that they expect; when all have
/// worked long enough for their speeds to be known, the batch is cut anew if that pays, and further batches
/// are cut by the measured speeds. Scores do not depend on the engines or their number.
///
/// Any number of threads may call; each engine gets as many calls at a time as it takes.
class EnginePool {
  struct Member;
  struct Slice;
  class Reservation;

 public:
  /// No score is enough: all are wanted exactly.
  static constexpr std::int32_t kNeverEnough = std::numeric_limits<std::int32_t>::max();

  /// At least one engine. The last one is the host's, which cannot fail: it takes over when the others have
  /// all failed, or does everything if it is the only one. `warn` is called once for each engine that failed,
  /// with one line, by any thread, one at a time.
  EnginePool(std::vector<std::unique_ptr<ScoreEngine>> engines, std::function<void(const std::string&)> warn,
             const PoolOptions& options = {});
  ~EnginePool();

  /// A batch and what the members have made of it: each slice is prepared once for each member that takes
  /// it. Refers to `batch`. The pool that it was used with must outlive it.
  class Batch {
   public:
    explicit Batch(const SequenceBatch& batch);
    ~Batch();
    const SequenceBatch& sequences() const { return sequences_; }

   private:
    friend class EnginePool;
    enum class Cut { None, ByExpectedSpeeds, ForGood };

    const SequenceBatch& sequences_;
    std::shared_mutex mutex_;  // held shared while slices are in use, else to cut them
    Cut cut_ = Cut::None;
    std::vector<std::unique_ptr<Slice>> slices_;
  };

  /// The devices among the engines that gave some scores; they live as long as the pool.
  using Devices = std::vector<const ScoreEngine*>;

  /// As ScoreEngine::score_up_to. Scores of sequences without any path are those of the reference. Returns
  /// what verify() asks for. Throws EngineFailure if the host fails.
  Devices score(const ScoreModel& model, Batch& batch, std::optional<std::int32_t> threshold,
                std::span<std::int32_t> scores, std::int32_t enough = kNeverEnough);

  /// As ScoreEngine::score_whole_bits, else like score().
  Devices score_whole_bits(const ScoreModel& model, Batch& batch, std::span<std::int32_t> scores);

  /// Recomputes a sample of the scores that `devices` gave in score() over `threads` threads; `exact`:
  /// without threshold. Throws WrongScore.
  void verify(const Devices& devices, const ScoreModel& model, const SequenceBatch& batch, bool exact,
              std::span<const std::int32_t> scores, unsigned threads, std::int32_t enough = kNeverEnough);

  /// The engines at work, in one line for people.
  std::string description() const;
  /// Calls of score() that keep all engines at work.
  unsigned concurrency() const;
  /// As ScoreEngine::least_batch and preferred_batch: the most that an engine at work asks for.
  std::size_t least_batch() const;
  std::size_t preferred_batch() const;
  /// Of all engines together.
  EngineTimes times() const;

 private:
  using Call = std::function<void(ScoreEngine&, PreparedBatch&, std::span<std::int32_t>)>;

  Devices score_by(const Call& call, const ScoreModel& model, Batch& batch, std::span<std::int32_t> scores);
  const ScoreEngine& score_slice(const Call& call, const ScoreModel& model, Slice& slice,
                                 std::span<std::int32_t> scores);
  void fail(Member& member, const EngineFailure& failure);
  std::vector<Member*> at_work() const;
  Member* member_for(Slice& slice) const;
  std::size_t largest(std::size_t (ScoreEngine::*size)() const) const;

  std::shared_lock<std::shared_mutex> hold(Batch& batch) const;
  bool all_measured() const;
  void cut(Batch& batch) const;
  bool recut_pays(const Batch& batch) const;

  std::vector<std::unique_ptr<Member>> members_;
  std::size_t sharing_;               // members at the beginning that share the work until they fail
  Member* host_;                      // takes over after them
  Member* long_sequences_ = nullptr;  // of the host, for very long sequences beside devices
  bool by_models_;                    // members share models, not sequences
  unsigned host_threads_;
  mutable std::mutex mutex_;       // of the calls of members, and of the owners of slices
  std::condition_variable freed_;  // a call has ended or a member failed
  std::mutex warn_mutex_;  // of warn_; held without mutex_, since who is warned may ask for the description
  std::function<void(const std::string&)> warn_;
  Verifier verifier_;
};

}  // namespace gpuhmm
