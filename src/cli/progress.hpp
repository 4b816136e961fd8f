// The progress line on standard error.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "gpuhmm/progress.hpp"

namespace gpuhmm::cli {

/// The unit of the displayed rate, which is `scale` times the meter's work per second.
struct ProgressUnit {
  const char* name;
  double scale;
};
inline constexpr ProgressUnit kCells{"GCUPS", 1e-9}, kBytes{"MB/s", 1e-6}, kLetters{"M letters/s", 1e-6},
    kNumbers{"M numbers/s", 1e-6};

/// The text of a progress line of at most `width` characters: percent, bar, rate, time passed (`seconds`) and
/// time left. `fraction` is the part of the run that is done, 0 to 1. Without it the bar shows a mark that
/// moves with `step`.
std::string progress_text(std::optional<double> fraction, double rate, const char* unit, double seconds,
                          unsigned step, std::size_t width);

/// Redraws the progress line four times a second in its own thread, starting after 0.4 s and until it is
/// destroyed. Draws nothing and starts no thread unless standard error is a terminal.
class ProgressLine {
 public:
  /// `quiet`: draw nothing.
  ProgressLine(bool quiet, const ProgressUnit& unit);
  /// Clears the line.
  ~ProgressLine() { finish(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// The run reports its progress here.
  WorkMeter& meter() { return meter_; }
  /// Clears the line and keeps it from being drawn while the lock is held, so that the caller can write to
  /// standard output. Does nothing unless standard output is a terminal, too.
  [[nodiscard]] std::unique_lock<std::mutex> pause();
  /// Clears the line and prints a warning of one line.
  void warn(const std::string& message);
  /// Clears the line for good.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  void run();
  void draw();

  WorkMeter meter_;
  ProgressUnit unit_;
  Clock::time_point start_ = Clock::now();
  bool beside_output_;  // standard output is a terminal, too
  std::mutex mutex_;    // guards standard error and the members below
  std::condition_variable wake_;
  bool ended_ = false;
  unsigned step_ = 0;
  double shown_fraction_ = 0;  // the largest so far: the displayed percentage never decreases
  std::thread thread_;
};

/// Clears the progress line if one is shown. Async-signal-safe, for handlers of signals that end the program.
void clear_progress_line() noexcept;

}  // namespace gpuhmm::cli
