// How much of a run is done, and how long aligning takes.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>

namespace gpuhmm {

/// A run is a row of stretches. Each takes the run from one fraction to the next and has an amount of work,
/// of which threads tell what they have done. Everything may be called by any thread at any time.
class WorkMeter {
 public:
  /// The work whose rate is shown (cells, bytes), and other work in the same units that goes with
  /// it.
  struct Amount {
    double work = 0, other = 0;
  };
  struct Reading {
    std::optional<double> fraction;  ///< of the run that is done, 0 to 1; nothing if that is unknown
    double work = 0;                 ///< done in the whole run
  };

  /// The stretch before is done, and one from `from` to `to` begins; nothing if these fractions are not
  /// known.
  void begin(std::optional<double> from, std::optional<double> to, const Amount& expected) {
    const std::lock_guard lock(mutex_);
    work_before_ += expected_.work;
    from_ = from;
    to_ = to;
    expected_ = expected;
    settled_ = {};
    work_ = 0;
    other_ = 0;
  }
  /// The run is done up to `fraction`, if that is known, after `work` more.
  void reach(std::optional<double> fraction, double work = 0) { begin(fraction, fraction, {work, 0}); }

  void add_work(std::int64_t amount) { work_.fetch_add(amount, std::memory_order_relaxed); }
  void add_other(std::int64_t amount) { other_.fetch_add(amount, std::memory_order_relaxed); }
  /// This much more is done in all, whether it was added before or not.
  void settle(const Amount& done) {
    const std::lock_guard lock(mutex_);
    settled_.work += done.work;
    settled_.other += done.other;
  }

  Reading read() const {
    const std::lock_guard lock(mutex_);
    const auto done = [](double added, double settled, double expected) {
      return std::min(std::max(added, settled), expected);
    };
    const double work = done(static_cast<double>(work_.load()), settled_.work, expected_.work);
    const double other = done(static_cast<double>(other_.load()), settled_.other, expected_.other);
    const double all = expected_.work + expected_.other;
    Reading reading{std::nullopt, work_before_ + work};
    if (from_ && to_) reading.fraction = *from_ + (all > 0 ? (*to_ - *from_) * ((work + other) / all) : 0);
    return reading;
  }

 private:
  mutable std::mutex mutex_;  // of all but the atomics
  double work_before_ = 0;    // in the stretches before
  std::optional<double> from_ = 0.0, to_ = 0.0;
  Amount expected_, settled_;
  std::atomic<std::int64_t> work_ = 0, other_ = 0;  // of the stretch
};

/// Seconds that threads spent aligning, summed over them.
struct AlignmentTimes {
  double fill = 0;       ///< scores of the cells
  double traceback = 0;  ///< paths, and what is made of them
};

}  // namespace gpuhmm
