// The counts, times and rates that --stats prints.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gpuhmm::cli {

/// Collects what a command has done. The run's time starts at construction.
class RunStatistics {
 public:
  /// `wanted`: --stats was given. Without it print() does nothing.
  explicit RunStatistics(bool wanted);
  /// Adds a line with the number of things called `what` that were processed, and their rate per second.
  void count(const std::string& what, std::uint64_t amount);
  /// Adds a line with the time that a stage of the run took.
  void seconds(const std::string& stage, double seconds);
  /// Writes all lines and the total time to standard error.
  void print() const;

 private:
  struct Count {
    std::string what;
    std::uint64_t amount;
  };
  struct Stage {
    std::string name;
    double seconds;
  };

  bool wanted_;
  double start_;
  std::vector<Count> counts_;
  std::vector<Stage> stages_;
};

}  // namespace gpuhmm::cli
