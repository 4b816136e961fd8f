// The counts, times and rates that --stats prints.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gpuhmm/device.hpp"

namespace gpuhmm::cli {

/// Collects what a command has done and prints it in one layout (docs/running.md). The run's time starts at
/// construction.
class RunStatistics {
 public:
  /// `wanted`: --stats was given. Without it print() does nothing.
  explicit RunStatistics(bool wanted);
  /// Adds a line with a text, such as the method that was used.
  void note(const std::string& what, const std::string& text);
  /// Adds the line that names the devices that computed and, if there is none or `host_too`, the host.
  void engine(std::span<const DeviceInfo> devices, bool host_too = false);
  void engine(const std::optional<DeviceInfo>& device);
  /// Adds a line with the number of things called `what` that were processed, and their rate per second.
  void count(const std::string& what, std::uint64_t amount);
  /// Adds a line with the time that a stage of the run took. The name of a part of the stage before begins
  /// with two blanks.
  void seconds(const std::string& stage, double seconds);
  /// Writes notes, counts, stages and the total time to standard error.
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
  std::vector<std::pair<std::string, std::string>> notes_;
  std::vector<Count> counts_;
  std::vector<Stage> stages_;
};

}  // namespace gpuhmm::cli
