// Draws the progress line.
#include "cli/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>

#include "cli/message.hpp"

namespace gpuhmm::cli {

namespace {

constexpr auto kFirst = std::chrono::milliseconds(400), kEvery = std::chrono::milliseconds(250);
constexpr std::size_t kUsualWidth = 80, kLeastBar = 8, kMostBar = 60;
constexpr char kClear[] = "\r\033[K";

constinit std::atomic<bool> shown = false;  // a line is on the terminal

std::string duration(double seconds) {
  const auto all = static_cast<long long>(seconds);
  char text[48];
  if (all >= 3600) {
    std::snprintf(text, sizeof text, "%lld:%02lld:%02lld", all / 3600, all / 60 % 60, all % 60);
  } else {
    std::snprintf(text, sizeof text, "%lld:%02lld", all / 60, all % 60);
  }
  return text;
}

std::string bar(std::optional<double> fraction, unsigned step, std::size_t size) {
  std::string text(size, ' ');
  if (fraction) {
    const auto filled = static_cast<std::size_t>(*fraction * static_cast<double>(size));
    std::fill_n(text.begin(), filled, '=');
    if (filled < size) text[filled] = '>';
    return text;
  }
  const std::size_t places = size - 2, at = step % (2 * places - 2);  // the mark moves right, then left again
  text.replace(at < places ? at : 2 * places - 2 - at, 3, "<=>");
  return text;
}

std::size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsualWidth;
}

// False for a shell's background job.
bool in_foreground() {
  const pid_t foreground = ::tcgetpgrp(STDERR_FILENO);
  return foreground < 0 || foreground == ::getpgrp();
}

void put(const std::string& text) {
  const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  static_cast<void>(written);
}

}  // namespace

std::string progress_text(std::optional<double> fraction, double rate, const char* unit, double seconds,
                          unsigned step, std::size_t width) {
  constexpr double kLeastForRest = 0.005;
  if (fraction) fraction = std::clamp(*fraction, 0.0, 1.0);
  std::string text = "  ---";
  if (fraction) {
    char percent[16];
    std::snprintf(percent, sizeof percent, "%5.1f", std::floor(*fraction * 1000) / 10);
    text = percent;
  }
  text += "% ";
  std::string end;
  if (rate > 0) {
    char speed[64];
    std::snprintf(speed, sizeof speed, " %.3g %s,", rate, unit);
    end = speed;
  }
  end += " " + duration(seconds);
  if (fraction && *fraction >= kLeastForRest) {
    end += ", " + duration(std::round(seconds / *fraction - seconds)) + " left";
  }
  const std::size_t taken = text.size() + end.size() + 2;  // with the bar's ends
  if (taken + kLeastBar <= width) {
    text += "[" + bar(fraction, step, std::min(width - taken, kMostBar)) + "]";
  }
  return (text + end).substr(0, width);
}

ProgressLine::ProgressLine(bool quiet, const ProgressUnit& unit)
    : unit_(unit), beside_output_(isatty(STDOUT_FILENO) == 1) {
  if (!quiet && isatty(STDERR_FILENO) == 1) thread_ = std::thread([this] { run(); });
}

void ProgressLine::finish() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  wake_.notify_one();
  thread_.join();
  clear_progress_line();
}

void ProgressLine::run() {
  std::unique_lock lock(mutex_);
  const auto ended = [this] { return ended_; };
  for (auto pause = kFirst; !wake_.wait_for(lock, pause, ended); pause = kEvery) draw();
}

void ProgressLine::draw() {
  if (!in_foreground()) return;
  WorkMeter::Reading reading = meter_.read();
  if (reading.fraction) reading.fraction = shown_fraction_ = std::max(shown_fraction_, *reading.fraction);
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  // keep the last column free: some terminals wrap a full line
  shown = true;
  put(kClear + progress_text(reading.fraction, reading.work / seconds * unit_.scale, unit_.name, seconds,
                             step_++, terminal_width() - 1));
}

std::unique_lock<std::mutex> ProgressLine::pause() {
  if (!thread_.joinable() || !beside_output_) return {};
  std::unique_lock lock(mutex_);
  clear_progress_line();
  return lock;
}

void ProgressLine::warn(const std::string& message) {
  const std::lock_guard lock(mutex_);
  clear_progress_line();
  cli::warn(message);
}

void clear_progress_line() noexcept {
  if (!shown.exchange(false)) return;
  const ssize_t written = ::write(STDERR_FILENO, kClear, sizeof kClear - 1);
  static_cast<void>(written);
}

}  // namespace gpuhmm::cli
