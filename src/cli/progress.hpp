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

/// What the rate is shown in: `scale` times the meter's work a second.
struct ProgressUnit {
  const char* name;
  double scale;
};
inline constexpr ProgressUnit kCells{"GCUPS", 1e-9}, kBytes{"MB/s", 1e-6}, kLetters{"M letters/s", 1e-6},
    kNumbers{"M numbers/s", 1e-6};

/// The text of a progress line of at most `width` characters: percent, bar, rate, time passed and time left.
/// `fraction` is of the run, 0 to 1; without it the bar shows only that something goes on: `step` moves it.
std::string progress_text(std::optional<double> fraction, double rate, const char* unit, double seconds,
                          unsigned step, std::size_t width);

/// Draws a line anew four times a second in a thread of its own, from the first half second on, as long as
/// it lives. Silent, and without a thread, unless standard error is a terminal.
class ProgressLine {
 public:
  /// `quiet` silences it.
  ProgressLine(bool quiet, const ProgressUnit& unit);
  /// Clears the line.
  ~ProgressLine() { finish(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// What the run reports about itself.
  WorkMeter& meter() { return meter_; }
  /// As long as it is held, the line is cleared and not drawn: for writing to standard output, if that is a
  /// terminal, too.
  [[nodiscard]] std::unique_lock<std::mutex> pause();
  /// Prints a warning, one line, in place of the progress line.
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
  std::mutex mutex_;    // of standard error and what follows
  std::condition_variable wake_;
  bool ended_ = false;
  unsigned step_ = 0;
  double shown_fraction_ = 0;  // the line never goes back
  std::thread thread_;
};

/// Clears a progress line that may be there. For handlers of signals that end the program: it is
/// async-signal-safe.
void clear_progress_line() noexcept;

}  // namespace gpuhmm::cli
