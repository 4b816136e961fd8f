// A vector with a K, and the times of each method for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "companion/subsequence/device_levels.hpp"
#include "companion/subsequence/subsequence.hpp"
#include "experiment/experiment.hpp"
#include "experiment/subsequence/element_kernels.hpp"
#include "experiment/time_limit.hpp"

namespace gpuhmm::experiment {

/// A vector, K, and the sum by the plain reference.
class SubsequenceCase {
 public:
  SubsequenceCase(std::vector<std::int32_t> values, std::size_t k, unsigned threads);

  const std::vector<std::int32_t>& values() const { return values_; }
  const std::vector<std::int32_t>& ranks() const { return ranks_; }
  std::size_t k() const { return k_; }
  /// n^2 K / 2: the steps of the published methods.
  double work() const;
  /// Throws WrongResult, with the name of the method, unless `sum` is that of the reference.
  void check(const std::string& method, std::optional<std::int32_t> sum) const;
  /// Throws WrongResult unless the elements at `positions` increase and have the sum of the reference.
  void check(const std::string& method, const std::vector<std::size_t>& positions) const;

 private:
  std::vector<std::int32_t> values_, ranks_;
  std::size_t k_;
  std::optional<std::int32_t> sum_;
};

/// The methods. Each returns the spread of its times in ms, or the reason why there is none. Calls throw
/// EngineFailure and WrongResult.
class SubsequenceMethods {
 public:
  explicit SubsequenceMethods(const Request& request);

  Cell in_sequence(const SubsequenceCase& input);
  Cell by_threads(const SubsequenceCase& input, unsigned threads, Join join);
  /// `launch.group` 0: use ElementKernels::fitting_group.
  Cell by_elements(const SubsequenceCase& input, ElementLaunch launch);
  /// Today's methods on the host; times include preparation and search.
  Cell on_host(const SubsequenceCase& input, SubsequenceMethod method, unsigned threads);
  /// Today's methods on the device; times are those of the kernels.
  Cell on_device(const SubsequenceCase& input, DeviceLevelMethod method);

 private:
  /// True if tables without --full leave this case out on the device.
  bool too_long_on_device(const SubsequenceCase& input) const;
  /// The spread of the times of measure(), which returns seconds, in ms; or the reason if the request's limit
  /// leaves the method out.
  Cell timed(const std::string& method, const SubsequenceCase& input, const std::function<double()>& measure);

  const Request& request_;
  TimeLimit limit_;
  std::optional<ElementKernels> elements_;
  std::optional<DeviceLevels> levels_;
};

}  // namespace gpuhmm::experiment
