// Measures algorithms for the maximum subsequence. Every answer is compared with that of the plain algorithm.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>

#include "companion/segments/segment_device.hpp"
#include "experiment/maximum/data.hpp"
#include "experiment/maximum/open_devices.hpp"
#include "experiment/maximum/repeated.hpp"
#include "experiment/maximum/segment_scanner.hpp"

namespace gpuhmm::experiment::maximum {

/// The vector to search, and the number of devices that share it.
struct SegmentTask {
  std::size_t size = 0;  ///< elements
  std::size_t devices = 1;
  DataSet set = DataSet::Random;

  auto operator<=>(const SegmentTask&) const = default;
};

/// Measures each figure once and keeps it for further tables. Times are in milliseconds; on devices they do
/// not include copying the vector. Calls throw EngineFailure and WrongResult.
class SegmentBench {
 public:
  explicit SegmentBench(Request request) : request_(std::move(request)) {}

  const Request& request() const { return request_; }
  /// S-seq on the host.
  Times sequential(const SegmentTask& task);
  /// A variant of the publication; the host runs S-seq on the results of the devices.
  Times scan(const ScanShape& shape, const SegmentTask& task);
  /// The engine of `gpuhmm segments`.
  Times engine(const SegmentTask& task);
  /// The largest vector without --full.
  std::size_t largest_size() const;

 private:
  template <class Measure>
  Times kept(const std::string& name, const SegmentTask& task, const Measure& measure);
  /// Makes the vector of the task and its correct answer.
  void prepare(const SegmentTask& task);
  std::span<const std::int32_t> part(std::size_t device, std::size_t devices, std::size_t unit) const;
  void check(const std::string& name, std::int64_t sum) const;

  Request request_;
  std::map<std::pair<std::string, SegmentTask>, Times> kept_;
  OpenDevices<SegmentScanner> scanners_;
  OpenDevices<SegmentDevice> engines_;
  DataSet set_ = DataSet::Random;
  Numbers values_;
  std::int64_t best_ = 0;
};

}  // namespace gpuhmm::experiment::maximum
