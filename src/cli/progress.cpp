// The progress line; see the header.
#include "cli/progress.hpp"

#include <unistd.h>

#include <cstdio>

namespace gpuhmm::cli {

ProgressLine::ProgressLine(bool quiet) : enabled_(!quiet && isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

void ProgressLine::warn(const std::string& message) {
  clear();
  std::fprintf(stderr, "gpuhmm: warning: %s\n", message.c_str());
}

void ProgressLine::show(const SearchStatistics& so_far) {
  const Clock::time_point now = Clock::now();
  if (!enabled_ || now - last_ < std::chrono::milliseconds(200)) return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::string left;
  if (so_far.fraction_done && *so_far.fraction_done > 0) {
    const auto rest = static_cast<long>(seconds / *so_far.fraction_done - seconds);
    char text[64];
    std::snprintf(text, sizeof text, ", %ld:%02ld:%02ld left", rest / 3600, rest / 60 % 60, rest % 60);
    left = text;
  }
  std::fprintf(stderr, "\r\033[K%lld profiles done, %.3g residues, %.2f GCUPS%s",
               static_cast<long long>(so_far.profiles), static_cast<double>(so_far.residues),
               so_far.cells / seconds * 1e-9, left.c_str());
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace gpuhmm::cli
