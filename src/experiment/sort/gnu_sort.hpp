// A rival: GNU sort as a process.
#pragma once

#include <string>

namespace gpuhmm::experiment::sorting {

/// True if there is a program `sort` and it is GNU's.
bool has_gnu_sort();

/// Sorts the lines of `text` by bytes (LC_ALL=C) with `threads` threads, from one temporary file to another.
class GnuSort {
 public:
  GnuSort(const std::string& text, unsigned threads);
  ~GnuSort();
  GnuSort(const GnuSort&) = delete;
  GnuSort& operator=(const GnuSort&) = delete;

  /// Wall seconds of the process, from start to end. Throws std::runtime_error if it fails.
  double run() const;
  /// The sorted lines.
  std::string output() const;

 private:
  std::string folder_;
  unsigned threads_;
};

}  // namespace gpuhmm::experiment::sorting
