// One vector and one K, and what each method takes for it.
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

namespace gpuhmm::experiment {

/// A vector, K, and the sum by the plain reference.
class SubsequenceCase {
 public:
  SubsequenceCase(std::vector<std::int32_t> values, std::size_t k, unsigned threads);

  const std::vector<std::int32_t>& values() const { return values_; }
  const std::vector<std::int32_t>& ranks() const { return ranks_; }
  std::size_t k() const { return k_; }
  /// n^2 K / 2: what the published methods look at.
  double work() const;
  /// Throws WrongResult, with the name of the method, unless `sum` is that of the reference.
  void check(const std::string& method, std::optional<std::int32_t> sum) const;
  /// The same for positions.
  void check(const std::string& method, const std::vector<std::size_t>& positions) const;

 private:
  std::vector<std::int32_t> values_, ranks_;
  std::size_t k_;
  std::optional<std::int32_t> sum_;
};

/// The methods; each gives the spread of its times in ms, or the reason why there is none. Throws
/// EngineFailure, WrongResult.
class SubsequenceMethods {
 public:
  explicit SubsequenceMethods(const Request& request);

  Cell in_sequence(const SubsequenceCase& input) const;
  Cell by_threads(const SubsequenceCase& input, unsigned threads, Join join) const;
  /// `launch.group` 0: the largest work-group of at most 64 work-items whose local memory the device has.
  Cell by_elements(const SubsequenceCase& input, ElementLaunch launch);
  /// Today's methods of the host: preparation and search.
  Cell on_host(const SubsequenceCase& input, SubsequenceMethod method, unsigned threads) const;
  /// Today's methods of the device: its kernels.
  Cell on_device(const SubsequenceCase& input, DeviceLevelMethod method);

 private:
  /// True if the default tables leave it out on this device.
  bool too_long_on_device(const SubsequenceCase& input) const;
  /// measure() gives seconds.
  Cell timed(const std::function<double()>& measure) const;

  const Request& request_;
  std::optional<ElementKernels> elements_;
  std::optional<DeviceLevels> levels_;
};

}  // namespace gpuhmm::experiment
