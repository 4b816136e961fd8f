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
  if (!enabled_) return;
  char text[128];
  std::snprintf(text, sizeof text, "%lld profiles done, %.3g residues, %.2f GCUPS",
                static_cast<long long>(so_far.profiles), static_cast<double>(so_far.residues),
                so_far.cells / seconds() * 1e-9);
  show(text, so_far.fraction_done);
}

void ProgressLine::show(const std::string& so_far, std::optional<double> fraction_done) {
  const Clock::time_point now = Clock::now();
  if (!enabled_ || now - last_ < std::chrono::milliseconds(200)) return;
  last_ = now;
  std::string left;
  if (fraction_done && *fraction_done > 0) {
    const auto rest = static_cast<long>(seconds() / *fraction_done - seconds());
    char text[64];
    std::snprintf(text, sizeof text, ", %ld:%02ld:%02ld left", rest / 3600, rest / 60 % 60, rest % 60);
    left = text;
  }
  std::fprintf(stderr, "\r\033[K%s%s", so_far.c_str(), left.c_str());
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace gpuhmm::cli
