// The progress line on standard error.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "search/search.hpp"

namespace gpuhmm::cli {

/// Rewrites one line a few times a second: profiles, residues, GCUPS, time left. Silent unless standard error
/// is a terminal.
class ProgressLine {
 public:
  /// `quiet` silences it.
  explicit ProgressLine(bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const SearchStatistics& so_far);
  /// For other work: what is done in words, and the part of all that is done, 0 to 1, where known. From one
  /// thread at a time.
  void show(const std::string& what, std::optional<double> fraction);
  /// Prints a warning, one line, in place of the progress line.
  void warn(const std::string& message);
  /// Clears the line, so that something else can be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool due();
  void write(const std::string& text, double fraction);

  bool enabled_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

}  // namespace gpuhmm::cli
