// What --stats reports of a run: counts, times and rates.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gpuhmm::cli {

/// Counts what a command does, and the time from its construction on.
class RunStatistics {
 public:
  /// print() does nothing unless `wanted`, that is --stats was given.
  explicit RunStatistics(bool wanted);
  /// `amount` things called `what` were done; their rate is reported, too.
  void count(const std::string& what, std::uint64_t amount);
  /// A stage of the run took this long.
  void seconds(const std::string& stage, double seconds);
  /// Writes all that was counted, a line each, and the whole time, to standard error.
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
