// Leaves out runs that would take too long.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace gpuhmm::experiment {

/// Predicts the time of a run of a variant from that of its run before: in proportion to their steps.
class TimeLimit {
 public:
  /// Seconds that a run may take; 0: any time.
  explicit TimeLimit(double seconds) : most_(seconds) {}

  /// The reason to leave out a run of `steps`, with the predicted time: "predicted 1,234 s, above --limit".
  /// Nothing if the run is short enough or the variant has not run yet.
  std::optional<std::string> reason(const std::string& variant, double steps) const;
  /// Records that a run of `steps` took `seconds`.
  void took(const std::string& variant, double steps, double seconds);

 private:
  double most_;
  std::map<std::string, double> seconds_per_step_;
};

}  // namespace gpuhmm::experiment
