// Predicts times of runs.
#include "experiment/time_limit.hpp"

#include <cmath>

#include "experiment/resources.hpp"
#include "util/format.hpp"

namespace gpuhmm::experiment {

std::optional<std::string> TimeLimit::reason(const std::string& variant, double steps) const {
  const auto known = seconds_per_step_.find(variant);
  if (most_ <= 0 || known == seconds_per_step_.end()) return std::nullopt;
  const double predicted = known->second * steps;
  if (predicted <= most_) return std::nullopt;
  const std::string number = predicted < 100
                                 ? format("%.2g", predicted)
                                 : grouped_digits(static_cast<std::uint64_t>(std::llround(predicted)));
  return "predicted " + number + " s, above --limit";
}

void TimeLimit::took(const std::string& variant, double steps, double seconds) {
  seconds_per_step_[variant] = seconds / steps;
}

}  // namespace gpuhmm::experiment
