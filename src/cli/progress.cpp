// The progress line; see the header.
#include "cli/progress.hpp"

#include <unistd.h>

#include <cstdio>

#include "cli/message.hpp"

namespace gpuhmm::cli {

ProgressLine::ProgressLine(bool quiet) : enabled_(!quiet && isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

void ProgressLine::warn(const std::string& message) {
  clear();
  cli::warn(message);
}

bool ProgressLine::due() {
  const Clock::time_point now = Clock::now();
  if (!enabled_ || now - last_ < std::chrono::milliseconds(200)) return false;
  last_ = now;
  return true;
}

// The time left is told if a part is done.
void ProgressLine::write(const std::string& text, double fraction) {
  std::fprintf(stderr, "\r\033[K%s", text.c_str());
  if (fraction > 0) {
    const double seconds = std::chrono::duration<double>(last_ - start_).count();
    const auto rest = static_cast<long>(seconds / fraction - seconds);
    std::fprintf(stderr, ", %ld:%02ld:%02ld left", rest / 3600, rest / 60 % 60, rest % 60);
  }
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::show(const SearchStatistics& so_far) {
  if (!due()) return;
  const double seconds = std::chrono::duration<double>(last_ - start_).count();
  char text[160];
  std::snprintf(text, sizeof text, "%lld profiles done, %.3g residues, %.2f GCUPS",
                static_cast<long long>(so_far.profiles), static_cast<double>(so_far.residues),
                so_far.cells / seconds * 1e-9);
  write(text, so_far.fraction_done.value_or(0));
}

void ProgressLine::show(const std::string& what, std::optional<double> fraction) {
  if (!due()) return;
  char percent[32] = "";
  if (fraction) std::snprintf(percent, sizeof percent, ": %.1f %%", *fraction * 100);
  write(what + percent, fraction.value_or(0));
}

}  // namespace gpuhmm::cli
