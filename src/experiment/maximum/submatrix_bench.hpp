// Measures algorithms for the maximum submatrix. Every answer is compared with the correct one.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "companion/submatrix/device_walk.hpp"
#include "experiment/maximum/data.hpp"
#include "experiment/maximum/open_devices.hpp"
#include "experiment/maximum/repeated.hpp"
#include "experiment/maximum/sequential.hpp"
#include "experiment/maximum/submatrix_scanner.hpp"
#include "experiment/time_limit.hpp"

namespace gpuhmm::experiment::maximum {

/// The matrix to search, and the number of devices that share it.
struct SubmatrixTask {
  std::size_t size = 0;  ///< rows and columns
  std::size_t devices = 1;
  DataSet set = DataSet::Random;

  auto operator<=>(const SubmatrixTask&) const = default;
};

/// Measures each figure once and keeps it for further tables. Times are in seconds. The correct answer comes
/// from best_submatrix_reference up to 512 rows; above, where that takes too long, from the host's vector
/// units, which tests compare with the reference. Calls throw EngineFailure and WrongResult.
class SubmatrixBench {
 public:
  explicit SubmatrixBench(Request request) : request_(std::move(request)), limit_(request_.limit) {}

  const Request& request() const { return request_; }
  /// Rows and columns of the tables on branches.
  std::size_t branches_size() const { return on_gpu() ? 1024 : 256; }
  /// M-seq on one thread of the host.
  Times sequential(ColumnOrder order, const SubmatrixTask& task);
  /// A variant of the publication. Times do not include copying the matrix to the devices.
  Times scan(const PairShape& shape, const SubmatrixTask& task);
  /// The devices' part of `gpuhmm submatrix`. The time until the answer includes the prefix sums, which the
  /// host computes, and their copy.
  Times engine(const SubmatrixTask& task);
  /// The host's part of `gpuhmm submatrix`, on the request's threads.
  Times host(const SubmatrixTask& task);

 private:
  /// The size above which `what` needs --full.
  struct Limit {
    std::size_t cpu, gpu;
  };
  template <class Measure>
  Times kept(const std::string& name, const SubmatrixTask& task, const Limit& limit, const Measure& measure);
  void prepare(const SubmatrixTask& task);
  void check(const std::string& name, std::int64_t sum) const;
  bool on_gpu() const;

  Request request_;
  TimeLimit limit_;
  std::map<std::pair<std::string, SubmatrixTask>, Times> kept_;
  OpenDevices<SubmatrixScanner> scanners_;
  std::map<std::size_t, OpenDevices<DeviceWalker>> walkers_;  // by their number
  DataSet set_ = DataSet::Random;
  std::size_t size_ = 0;
  Numbers values_;
  Matrix matrix_;
  SumBounds bounds_;
  std::int64_t best_ = 0;
};

}  // namespace gpuhmm::experiment::maximum
