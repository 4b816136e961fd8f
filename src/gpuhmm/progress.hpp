// Progress: measures how much of a run is done, and how long aligning takes.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>

namespace gpuhmm {

/// Measures the progress of a run. A run is a sequence of stages; each advances the run from one fraction to
/// the next and has an expected amount of work, to which threads add what they have done. Any thread may call
/// anything at any time.
class WorkMeter {
 public:
  /// The work whose rate is displayed (cells, bytes), and other work in the same units that comes with it.
  struct Amount {
    double work = 0, other = 0;
  };
  struct Reading {
    std::optional<double> fraction;  ///< of the run that is done, 0 to 1; nothing if unknown
    double work = 0;                 ///< done in the whole run
  };

  /// Ends the current stage and begins one from fraction `from` to fraction `to`; nothing: they are unknown.
  void begin(std::optional<double> from, std::optional<double> to, const Amount& expected) {
    const std::lock_guard lock(mutex_);
    work_before_ += expected_.work;
    from_ = from;
    to_ = to;
    expected_ = expected;
    completed_ = {};
    work_ = 0;
    other_ = 0;
  }
  /// Ends the current stage; the run is done up to `fraction`, if that is known, and `work` more was done.
  void reach(std::optional<double> fraction, double work = 0) { begin(fraction, fraction, {work, 0}); }

  void add_work(std::int64_t amount) { work_.fetch_add(amount, std::memory_order_relaxed); }
  void add_other(std::int64_t amount) { other_.fetch_add(amount, std::memory_order_relaxed); }
  /// Counts `done` as done in the stage, whether or not add_work and add_other have counted it already.
  void complete(const Amount& done) {
    const std::lock_guard lock(mutex_);
    completed_.work += done.work;
    completed_.other += done.other;
  }

  Reading read() const {
    const std::lock_guard lock(mutex_);
    const auto done = [](double added, double completed, double expected) {
      return std::min(std::max(added, completed), expected);
    };
    const double work = done(static_cast<double>(work_.load()), completed_.work, expected_.work);
    const double other = done(static_cast<double>(other_.load()), completed_.other, expected_.other);
    const double all = expected_.work + expected_.other;
    Reading reading{std::nullopt, work_before_ + work};
    if (from_ && to_) reading.fraction = *from_ + (all > 0 ? (*to_ - *from_) * ((work + other) / all) : 0);
    return reading;
  }

 private:
  mutable std::mutex mutex_;  // of all but the atomics
  double work_before_ = 0;    // in the stages before
  std::optional<double> from_ = 0.0, to_ = 0.0;
  Amount expected_, completed_;
  std::atomic<std::int64_t> work_ = 0, other_ = 0;  // of the stage
};

/// Seconds that threads spent aligning, summed over them, and the sequences aligned.
struct AlignmentTimes {
  double fill = 0;                              ///< computing scores of cells
  double traceback = 0;                         ///< tracing paths, and using them
  double device = 0;                            ///< sending sequences to devices, and waiting for them
  std::int64_t by_threads = 0, by_devices = 0;  ///< sequences
};

}  // namespace gpuhmm
