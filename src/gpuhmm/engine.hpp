// Engines: whatever scores many sequences against a profile (plain reference, host SIMD, OpenCL devices), the
// pool that shares the work between them, and making them from what the user asked for.
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

class SequenceSet;
struct ScoreModel;

/// Seconds that an engine has spent so far, stage by stage, and what it has done; zero where it does not
/// measure.
struct EngineTimes {
  double start = 0;               ///< opening the device, building its programs
  double pack = 0;                ///< sorting and packing of batches on the host
  double copy = 0;                ///< waiting for copies of batches to the device
  double kernels = 0;             ///< time in which the device was at work
  std::int64_t scored_again = 0;  ///< sequences that bounds left open, scored exactly

  EngineTimes& operator+=(const EngineTimes& other) {
    start += other.start;
    pack += other.pack;
    copy += other.copy;
    kernels += other.kernels;
    scored_again += other.scored_again;
    return *this;
  }
};

/// A batch in the form its engine wants: sorted, interleaved, on the device. May refer to the SequenceBatch,
/// which must outlive it.
class PreparedBatch {
 public:
  virtual ~PreparedBatch() = default;
};

/// Scores batches, spread over its own device or threads. Up to concurrency() threads may call score at the
/// same time, each with another model; everything else is for one thread.
class ScoreEngine {
 public:
  virtual ~ScoreEngine() = default;

  /// One line for people: which device, which instruction set, how many threads.
  virtual std::string description() const = 0;

  /// True if the scores come from a device or compiler that is not part of this program, so that a sample of
  /// them should be recomputed.
  virtual bool verified() const { return false; }

  /// Calls of score that may run at the same time, so that the device is never idle between them.
  virtual unsigned concurrency() const { return 1; }

  /// Residues of the smallest batch that is worth a call, where batches can be cut at will.
  virtual std::size_t least_batch() const { return 400'000; }

  /// Residues of a batch from which on larger ones are hardly faster, only larger in memory.
  virtual std::size_t preferred_batch() const { return std::size_t{256} << 20; }

  /// Cells (nodes x residues) a second, very roughly, before anything was measured.
  virtual double expected_speed() const { return 1e9; }

  /// Counts the cells that score() does into `meter` while it runs, as far as the engine knows. It must
  /// outlive the engine; null: to none.
  virtual void count_into(WorkMeter* /*meter*/) {}

  /// May be asked at any time.
  virtual EngineTimes times() const { return {}; }

  /// Brings sequences into the engine's form, once for all profiles. Throws EngineFailure.
  virtual std::unique_ptr<PreparedBatch> prepare(const SequenceSet& sequences) = 0;

  /// Writes the raw Viterbi score S (1/1000 bit, as viterbi_score) of sequence i of the set to scores[i].
  ///
  /// Without `threshold` every score is exact. With it, scores may be upper bounds: scores[i] >= exact score
  /// always, so that no sequence with an exact score >= *threshold has scores[i] < *threshold; the caller
  /// rescores those that pass. Scores of sequences without any path (exact score below half of
  /// kMinusInfinity) only need to be below that half, too. Empty sequences are left as they are. Throws
  /// EngineFailure.
  virtual void score(const ScoreModel& model, PreparedBatch& batch, std::optional<std::int32_t> threshold,
                     std::span<std::int32_t> scores) = 0;

  /// The same, but for a sequence whose exact score is at least `enough`, any score from there up to the
  /// exact one will do: the caller will compute it anyway.
  virtual void score_up_to(const ScoreModel& model, PreparedBatch& batch,
                           std::optional<std::int32_t> threshold, std::int32_t /*enough*/,
                           std::span<std::int32_t> scores) {
    score(model, batch, threshold, scores);
  }

  /// Scores for a histogram by whole bits: as score() without threshold, but only the largest score need be
  /// exact; the others need to be below it and in the same bin (ScoreHistogram::bin_of) as the exact ones.
  virtual void score_whole_bits(const ScoreModel& model, PreparedBatch& batch,
                                std::span<std::int32_t> scores) {
    score(model, batch, std::nullopt, scores);
  }
};

/// The descriptions of several engines, in one line.
inline std::string join_descriptions(std::span<const ScoreEngine* const> engines) {
  std::string text;
  for (const ScoreEngine* engine : engines) text += (text.empty() ? "" : " + ") + engine->description();
  return text;
}

/// The plain reference (viterbi_score) over `threads` threads.
std::unique_ptr<ScoreEngine> make_reference_engine(unsigned threads);

/// Host SIMD engine, instruction set chosen at run time, for up to `calls` calls at the same time over
/// `threads` threads each.
std::unique_ptr<ScoreEngine> make_simd_engine(unsigned threads, unsigned calls = 1);

/// A device gave a score that the plain reference does not: what() names the device, the sequence and both
/// scores.
class WrongScore : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How many of a device's scores are recomputed on the CPU.
struct Verification {
  /// Percent of the sequences of every batch, 0 to 100; none: a handful of short ones.
  std::optional<double> percent;
};

/// What is known of scores that are to be verified.
struct ScoresToVerify {
  std::span<const std::int32_t> scores;  ///< raw, one a sequence (ScoreEngine::score)
  bool exact;                            ///< false: they may be upper bounds
  std::int32_t enough;                   ///< of ScoreEngine::score_up_to
};

/// Draws another sample for every call, the same in every run. Any number of threads may call.
class Verifier {
 public:
  explicit Verifier(Verification verification) : verification_(verification) {}

  /// Recomputes a sample of the scores that `devices` gave, over `threads` threads. Throws WrongScore.
  void verify(std::span<const ScoreEngine* const> devices, const ScoreModel& model,
              const SequenceBatch& batch, const ScoresToVerify& given, unsigned threads);

 private:
  std::vector<std::size_t> sample(const ScoreModel& model, const SequenceBatch& batch);

  Verification verification_;
  std::atomic<unsigned> samples_ = 0;  // drawn so far
};

struct PoolOptions {
  /// Models that every batch is scored with, about.
  std::size_t models = 1;
  /// Threads of the host that score very long sequences beside devices (count_for_host); 0: the devices score
  /// them, too.
  unsigned host_threads = 0;
  Verification verification = {};  ///< of scores that devices give
  WorkMeter* meter = nullptr;      ///< counts the cells that are scored, if there is one
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

/// Receives a problem that was recovered from, in one line.
using Warning = std::function<void(const std::string&)>;

/// What engines are to be made for.
struct ExpectedWork {
  double cells = 0;            ///< nodes x residues, as far as known
  bool more = false;           ///< there are more sequences than are known
  bool small_batches = false;  ///< the host scores as many at a time as it has threads
};

/// Makes the engines of a pool; the last is the host's (EnginePool).
using EngineSource =
    std::function<std::vector<std::unique_ptr<ScoreEngine>>(const ExpectedWork& work, const Warning& warn)>;

/// The engine that suits the type of a device: fast kernels for GPUs and CPUs, else the general one. It has
/// `threads` threads on the host. `settings` replace what is built in for its kernels; std::invalid_argument
/// if they are not for such a device. Throws EngineFailure.
std::unique_ptr<ScoreEngine> make_device_engine(const DeviceInfo& device, unsigned threads,
                                                const DeviceSettings& settings);

/// Turns --device and --cpu into engines. Devices get the settings that device_table_path() has for them.
class EngineMaker {
 public:
  /// `device`: auto, none, all (every GPU), the name or index of an OpenCL device, or several of these
  /// separated by commas, which then share the work (none among them: the host as well). Named devices are
  /// looked up in a thread of their own; OpenCL is not touched for auto and none.
  EngineMaker(const std::string& device, unsigned threads);

  /// True if devices were named, so that all work goes there.
  bool named() const { return named_.valid(); }

  /// Throws DeviceError if a device named is not there.
  void check() const;

  /// Starts making the engines in a thread of their own, if work of about `cells` is worth it, so that a
  /// device starts while the input is read.
  void begin(double cells);

  /// The devices' engines and, at the end, the host's. With auto, OpenCL is only looked at when the work is
  /// worth starting it or may be, and only a GPU is preferred to the host. A named device that cannot be
  /// opened throws DeviceError; one chosen by auto is left out after `warn` was called.
  std::vector<std::unique_ptr<ScoreEngine>> make(const ExpectedWork& work, const Warning& warn);

 private:
  /// Engines and the warnings that arose.
  struct Made {
    std::vector<std::unique_ptr<ScoreEngine>> engines;
    std::vector<std::string> warnings;
  };

  bool worth_starting(double cells) const;
  Made open_devices() const;

  bool automatic_, none_;
  std::shared_future<NamedDevices> named_;  // if any are
  unsigned threads_;
  std::future<Made> begun_;
};

}  // namespace gpuhmm
