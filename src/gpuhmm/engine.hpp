// Engines score many sequences against a profile (plain reference, host SIMD, OpenCL devices). A pool shares
// work between them.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <future>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpuhmm/device.hpp"
#include "gpuhmm/progress.hpp"
#include "gpuhmm/sequence.hpp"

namespace gpuhmm {

class OpenDevice;
struct LengthOrder;
class SequenceSet;
class WorkSharing;
struct ScoreModel;

/// Seconds that an engine has spent so far, stage by stage, and a count of its work; zero where the engine
/// does not measure.
struct EngineTimes {
  double start = 0;               ///< opening the device, building its programs
  double pack = 0;                ///< sorting and packing of batches on the host
  double copy = 0;                ///< waiting for copies of batches to the device
  double kernels = 0;             ///< time during which the device computed
  std::int64_t scored_again = 0;  ///< sequences scored exactly, as their upper bounds did not decide

  EngineTimes& operator+=(const EngineTimes& other) {
    start += other.start;
    pack += other.pack;
    copy += other.copy;
    kernels += other.kernels;
    scored_again += other.scored_again;
    return *this;
  }
};

/// A batch in the form that its engine needs: sorted, interleaved, on the device. May refer to the
/// SequenceBatch, which must outlive it.
class PreparedBatch {
 public:
  virtual ~PreparedBatch() = default;
};

/// Scores batches on its own device or threads. Up to concurrency() threads may call score at the same time,
/// each with another model; only one thread at a time may call anything else, except where noted.
class ScoreEngine {
 public:
  virtual ~ScoreEngine() = default;

  /// One line of text: device, instruction set, number of threads.
  virtual std::string description() const = 0;

  /// True if the scores come from a device or compiler outside this program, so that a sample of them should
  /// be verified.
  virtual bool verified() const { return false; }

  /// How many calls of score may run at the same time to keep the device busy.
  virtual unsigned concurrency() const { return 1; }

  /// Whether models of similar size take less time if they are scored at the same time.
  virtual bool pairs_models() const { return false; }
  /// Residues of the smallest batch that is worth a call, if batches can be cut anywhere.
  virtual std::size_t least_batch() const { return 400'000; }

  /// Residues of a batch above which larger ones need more memory but are hardly faster.
  virtual std::size_t preferred_batch() const { return kLargeBatch; }
  /// What GPUs prefer.
  static constexpr std::size_t kLargeBatch = std::size_t{256} << 20;

  /// Rough estimate of the cells (nodes x residues) per second, used until speeds are measured.
  virtual double expected_speed() const { return 1e9; }

  /// Counts the cells of score() into `meter` while it runs, as far as the engine knows them. The meter must
  /// outlive the engine; null: no counting.
  virtual void count_into(WorkMeter* /*meter*/) {}

  /// May be called at any time.
  virtual EngineTimes times() const { return {}; }

  /// What it has taken of its device; nothing if it has none. May be called at any time.
  virtual std::optional<DeviceCosts> device_costs() const { return std::nullopt; }

  /// The device, if it should align hits beside scoring; it lives as long as the engine. Null if the host is
  /// to align them.
  virtual const OpenDevice* aligning_device() const { return nullptr; }

  /// Prepares for models that will be scored, with or without a threshold, as far as that does not depend on
  /// a batch. One thread may call beside all others. Throws EngineFailure.
  virtual void expect(std::span<const ScoreModel* const> /*models*/, bool /*with_threshold*/) {}

  /// Whether prepare() costs little while score() runs with another batch of so many residues, and there is
  /// memory for both. One thread may then call it beside all others.
  virtual bool prepares_ahead(std::size_t /*residues*/) const { return false; }

  /// Converts sequences to the engine's form, once for all profiles. Throws EngineFailure.
  virtual std::unique_ptr<PreparedBatch> prepare(const SequenceSet& sequences) = 0;

  /// Starts a thread that does what expect() and prepare() would do for these models and sequences; both then
  /// wait for it. May be called once, before them; failures are left to the first prepare(). Sequences and
  /// models must exist until the result is ready. The sequences need a LengthOrder: it tells prepare() these
  /// from later ones at the same address. By default it does nothing, and the result is not valid().
  virtual std::shared_future<void> begin(const SequenceSet& /*sequences*/,
                                         std::span<const ScoreModel* const> /*models*/,
                                         bool /*with_threshold*/) {
    return {};
  }

  /// Writes the raw Viterbi score S (1/1000 bit, as viterbi_score) of sequence i of the set to scores[i].
  ///
  /// Without `threshold` every score is exact. With it, a score may be an upper bound, scores[i] >= exact
  /// score, so that every sequence with an exact score >= *threshold has scores[i] >= *threshold; the caller
  /// rescores those. For a sequence without any path (exact score below half of kMinusInfinity) any score
  /// below that half will do. Scores of empty sequences are not written. Throws EngineFailure.
  virtual void score(const ScoreModel& model, PreparedBatch& batch, std::optional<std::int32_t> threshold,
                     std::span<std::int32_t> scores) = 0;

  /// The same, but for a sequence whose exact score is at least `enough` any score from `enough` to the exact
  /// one will do: the caller computes the exact score anyway.
  virtual void score_up_to(const ScoreModel& model, PreparedBatch& batch,
                           std::optional<std::int32_t> threshold, std::int32_t /*enough*/,
                           std::span<std::int32_t> scores) {
    score(model, batch, threshold, scores);
  }

  /// As score_up_to() with a threshold, but scores of sequences that reach it may be upper bounds, too: the
  /// caller aligns them on aligning_device().
  virtual void score_bounds(const ScoreModel& model, PreparedBatch& batch, std::int32_t threshold,
                            std::int32_t enough, std::span<std::int32_t> scores) {
    score_up_to(model, batch, threshold, enough, scores);
  }

  /// Scores for a histogram by whole bits: as score_up_to() without threshold, but only the largest score
  /// must be exact. The others may be higher, but below it and in the same bin (ScoreHistogram::bin_of).
  virtual void score_whole_bits(const ScoreModel& model, PreparedBatch& batch, std::int32_t enough,
                                std::span<std::int32_t> scores) {
    score_up_to(model, batch, std::nullopt, enough, scores);
  }
};

/// The descriptions of several engines, in one line.
inline std::string join_descriptions(std::span<const ScoreEngine* const> engines) {
  std::string text;
  for (const ScoreEngine* engine : engines) text += (text.empty() ? "" : " + ") + engine->description();
  return text;
}

/// The plain reference (viterbi_score) on `threads` threads.
std::unique_ptr<ScoreEngine> make_reference_engine(unsigned threads);

/// Host SIMD engine; chooses its instruction set at run time. Serves up to `calls` calls at the same time
/// with `threads` threads each, of which no more than `most` (0: all) work at the same time.
std::unique_ptr<ScoreEngine> make_simd_engine(unsigned threads, unsigned calls = 1, unsigned most = 0);

/// A device's score differs from the plain reference's. what() names the device, the sequence and both
/// scores.
class WrongScore : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How many of a device's scores are recomputed on the CPU.
struct Verification {
  /// Percent of the sequences of every batch, 0 to 100; nothing: a few short ones.
  std::optional<double> percent;
};

/// Scores to be verified, and how they were computed.
struct ScoresToVerify {
  std::span<const std::int32_t> scores;  ///< raw, one per sequence (ScoreEngine::score)
  bool exact;                            ///< false: they may be upper bounds
  std::int32_t enough;                   ///< as given to ScoreEngine::score_up_to
};

/// Verifies scores. Takes a different sample for every call, the same ones in every run. Any number of
/// threads may call.
class Verifier {
 public:
  explicit Verifier(Verification verification) : verification_(verification) {}

  /// Recomputes a sample of the scores that `devices` computed, on `threads` threads. Throws WrongScore.
  void verify(std::span<const ScoreEngine* const> devices, const ScoreModel& model,
              const SequenceBatch& batch, const ScoresToVerify& given, unsigned threads);

 private:
  std::vector<std::size_t> sample(const ScoreModel& model, const SequenceBatch& batch);

  Verification verification_;
  std::atomic<unsigned> samples_ = 0;  // drawn so far
};

/// Options of an EnginePool.
struct PoolOptions {
  /// Approximate number of models that every batch is scored with.
  std::size_t models = 1;
  /// Host threads that score very long sequences while the devices score the rest (count_for_host); 0: the
  /// devices score all.
  unsigned host_threads = 0;
  Verification verification = {};  ///< of device scores
  WorkMeter* meter = nullptr;      ///< counts the cells scored; may be null
};

/// Shares work between engines in one of two ways. If there are enough models, each engine holds the whole
/// batch, and a model goes to an engine that will have scored it before the others would have scored it and
/// all the rest. Otherwise a batch is cut into one slice for each engine that is not far slower than the
/// fastest, in proportion to expected speeds; once all speeds have been measured, the batch is cut again if
/// that pays, and further batches are cut by the measured speeds. Either way engines whose parts of the work
/// would take long do them in pieces, and one that turns out to be slow leaves its model or slice to another:
/// more engines take no longer than the fastest alone. Scores do not depend on the engines or their number.
///
/// Any number of threads may call; each engine gets as many calls at a time as it allows.
class EnginePool {
  struct Member;
  struct Slice;
  class Reservation;

 public:
  /// No score is enough: all must be exact.
  static constexpr std::int32_t kNeverEnough = std::numeric_limits<std::int32_t>::max();

  /// `engines` must not be empty. The last one is the host's, which cannot fail: it takes over when all
  /// others have failed, or does everything if it is the only one. `warn` gets one line for each engine that
  /// failed, from any thread, one call at a time.
  EnginePool(std::vector<std::unique_ptr<ScoreEngine>> engines, std::function<void(const std::string&)> warn,
             const PoolOptions& options = {});
  ~EnginePool();

  /// A batch and its prepared slices: each slice is prepared once for each member that scores it. Refers to
  /// `batch`. The pool must outlive it.
  class Batch {
   public:
    /// `by_length`: the order of all sequences, if somebody has sorted them, or null.
    explicit Batch(const SequenceBatch& batch, std::shared_ptr<const LengthOrder> by_length = nullptr);
    /// Waits for the engines that began with the batch (EnginePool::begin).
    ~Batch();
    const SequenceBatch& sequences() const { return sequences_; }

   private:
    friend class EnginePool;
    enum class Cut { None, ByExpectedSpeeds, ForGood };

    const SequenceBatch& sequences_;
    std::shared_ptr<const LengthOrder> by_length_;
    std::shared_mutex mutex_;  // held shared while slices are in use, else to cut them
    Cut cut_ = Cut::None;
    std::vector<std::unique_ptr<Slice>> slices_;
    std::vector<std::shared_future<void>> preparing_;  // by EnginePool::begin; with mutex_
    std::size_t begun_ = 0;                            // models, not counting slices; with the pool's mutex
    double nodes_begun_ = 0;                           // of them
  };

  /// The device engines that computed some of the scores; they live as long as the pool.
  using Devices = std::vector<const ScoreEngine*>;

  /// Models in the order in which they will be scored, with or without a threshold.
  struct Expected {
    std::vector<const ScoreModel*> models;
    bool with_threshold;
  };

  /// Has an engine begin (ScoreEngine::begin) with the batch that a pool yet to be made will give it first.
  /// Does so if the batch has an order by length and it is known that `devices` engines as fast as this one
  /// would score whole models, each with the whole batch in one part. The models must exist until the batch
  /// is destroyed. `options`: of the pool.
  static void begin(ScoreEngine& engine, std::size_t devices, Batch& batch, const Expected& expected,
                    const PoolOptions& options);

  /// Has devices prepare for the first of these models, as ScoreEngine::expect, in a thread that has ended
  /// when the result is there; destroying the result waits for it. Until then the models must exist. Without
  /// devices the result is empty, and there is no thread.
  std::future<void> expect(Expected expected);

  /// Has those devices that can do so prepare a batch beside the scoring of another one. One thread may call
  /// beside all others; failures are left to the first score() of the batch.
  void prepare_ahead(Batch& batch);

  /// As ScoreEngine::score_up_to. Scores of sequences without any path are those of the reference. Returns
  /// the devices to pass to verify(). Throws EngineFailure if the host fails.
  Devices score(const ScoreModel& model, Batch& batch, std::optional<std::int32_t> threshold,
                std::span<std::int32_t> scores, std::int32_t enough = kNeverEnough);

  /// As ScoreEngine::score_bounds and score_whole_bits, otherwise like score().
  Devices score_bounds(const ScoreModel& model, Batch& batch, std::int32_t threshold,
                       std::span<std::int32_t> scores, std::int32_t enough);
  Devices score_whole_bits(const ScoreModel& model, Batch& batch, std::span<std::int32_t> scores,
                           std::int32_t enough = kNeverEnough);

  /// Recomputes a sample of the scores that `devices` computed in score(), on `threads` threads. `exact`:
  /// there was no threshold. Throws WrongScore.
  void verify(const Devices& devices, const ScoreModel& model, const SequenceBatch& batch, bool exact,
              std::span<const std::int32_t> scores, unsigned threads, std::int32_t enough = kNeverEnough);

  /// The active engines, in one line of text.
  std::string description() const;
  /// How many calls of score() keep all engines busy, and whether any engine pairs_models().
  unsigned concurrency() const;
  bool pairs_models() const;
  /// How many batches should exist at a time: one that is scored, and one that is read and prepared
  /// meanwhile; a further one where several engines score whole models, as they need less time for a batch.
  std::size_t batches_at_once() const;
  /// As ScoreEngine::least_batch and preferred_batch: the maximum over the active engines.
  std::size_t least_batch() const;
  std::size_t preferred_batch() const;
  /// Sum over all engines.
  EngineTimes times() const;
  /// Of each engine with a device.
  std::vector<DeviceCosts> device_costs() const;
  /// Those of the active engines that should align hits. They live as long as the pool.
  std::vector<const OpenDevice*> aligning_devices() const;

 private:
  using Call = std::function<void(ScoreEngine&, PreparedBatch&, std::span<std::int32_t>)>;

  Devices score_by(const Call& call, const ScoreModel& model, Batch& batch, std::span<std::int32_t> scores);
  const ScoreEngine& score_slice(const Call& call, const ScoreModel& model, Batch& batch, Slice& slice,
                                 std::span<std::int32_t> scores);
  bool score_parts(const Call& call, const ScoreModel& model, Slice& slice, const Reservation& reservation,
                   std::span<std::int32_t> scores);
  void fail(Member& member, const EngineFailure& failure);
  std::vector<std::size_t> at_work() const;
  std::size_t largest(std::size_t (ScoreEngine::*size)() const) const;
  bool shares(const Member& member) const;

  std::shared_lock<std::shared_mutex> hold(Batch& batch) const;
  std::vector<double> speeds() const;
  bool all_measured() const;
  void cut(Batch& batch) const;
  bool recut_pays(const Batch& batch) const;

  std::vector<std::unique_ptr<Member>> members_;
  std::unique_ptr<WorkSharing> sharing_;  // with mutex_
  std::size_t sharers_;                   // the first members, which share the work until they fail
  Member* host_;                          // takes over after them
  Member* long_sequences_ = nullptr;      // host's member for very long sequences; null without devices
  std::size_t models_;                    // that each batch is scored with, approximately
  bool by_models_;                        // members take whole models, not slices
  unsigned host_threads_;
  mutable std::mutex mutex_;       // of sharing_, the slices' owners and the models begun of batches
  std::condition_variable freed_;  // a call has ended or a member failed
  std::mutex warn_mutex_;          // of warn_; mutex_ is not held with it, since warn_ may call description()
  std::function<void(const std::string&)> warn_;
  Verifier verifier_;
};

/// Receives one line of text about a recovered problem.
using Warning = std::function<void(const std::string&)>;

}  // namespace gpuhmm
