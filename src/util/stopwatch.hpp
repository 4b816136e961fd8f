// Measures how long stages of the work take.
#pragma once

#include <chrono>
#include <mutex>

namespace gpuhmm {

/// Current time in seconds on a monotonic clock.
inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Adds the seconds between construction and destruction to `total`.
class Stopwatch {
 public:
  explicit Stopwatch(double& total) : total_(total), start_(seconds_now()) {}
  ~Stopwatch() { total_ += seconds_now() - start_; }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& total_;
  double start_;
};

/// Measures the time during which at least one thread works on a stage.
class StageClock {
 public:
  /// Marks one thread as working from construction to destruction.
  class Running {
   public:
    explicit Running(StageClock& clock) : clock_(clock) { clock_.enter(); }
    ~Running() { clock_.leave(); }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    StageClock& clock_;
  };

  /// Seconds so far, including work still in progress.
  double seconds() const {
    const std::lock_guard lock(mutex_);
    return total_ + (running_ > 0 ? seconds_now() - start_ : 0);
  }

 private:
  void enter() {
    const std::lock_guard lock(mutex_);
    if (running_++ == 0) start_ = seconds_now();
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    if (--running_ == 0) total_ += seconds_now() - start_;
  }

  mutable std::mutex mutex_;
  int running_ = 0;
  double start_ = 0, total_ = 0;
};

}  // namespace gpuhmm
