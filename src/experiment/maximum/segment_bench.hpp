// Measures ways to the maximum subsequence; every answer is compared with the plain algorithm's.
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

/// What is searched, and how many of the request's devices share it.
struct SegmentTask {
  std::size_t size = 0;  ///< elements
  std::size_t devices = 1;
  DataSet set = DataSet::Random;

  auto operator<=>(const SegmentTask&) const = default;
};

/// Keeps its figures: what two tables show is measured once. Times are in milliseconds; those of devices do
/// not contain the copy of the vector to them. Calls throw EngineFailure and WrongResult.
class SegmentBench {
 public:
  explicit SegmentBench(Request request) : request_(std::move(request)) {}

  const Request& request() const { return request_; }
  /// S-seq on the host.
  Times sequential(const SegmentTask& task);
  /// A variant of the publication; the host runs S-seq on what the devices give.
  Times scan(const ScanShape& shape, const SegmentTask& task);
  /// The engine of `gpuhmm segments`.
  Times engine(const SegmentTask& task);
  /// The largest vector of a run without --full.
  std::size_t largest_size() const;

 private:
  template <class Measure>
  Times kept(const std::string& name, const SegmentTask& task, const Measure& measure);
  /// Makes the vector of the task and the answer that all must give.
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
