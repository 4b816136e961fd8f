// Measures ways to the maximum submatrix; every answer is compared with the plain algorithm's.
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

namespace gpuhmm::experiment::maximum {

/// What is searched, and how many of the request's devices share it.
struct SubmatrixTask {
  std::size_t size = 0;  ///< rows and columns
  std::size_t devices = 1;
  DataSet set = DataSet::Random;

  auto operator<=>(const SubmatrixTask&) const = default;
};

/// Keeps its figures: what two tables show is measured once. Times are in seconds. Calls throw EngineFailure
/// and WrongResult. Up to 512 rows the answer is that of best_submatrix_reference; above, where that takes
/// too long, that of the host's vector units, whose tests compare them with the reference.
class SubmatrixBench {
 public:
  explicit SubmatrixBench(Request request) : request_(std::move(request)) {}

  const Request& request() const { return request_; }
  /// Rows and columns that show the cost of branches.
  std::size_t branches_size() const { return on_gpu() ? 1024 : 256; }
  /// M-seq on one thread of the host.
  Times sequential(ColumnOrder order, const SubmatrixTask& task);
  /// A variant of the publication. The copy of the matrix to the devices is not in its times.
  Times scan(const PairShape& shape, const SubmatrixTask& task);
  /// The devices' part of `gpuhmm submatrix`; the answer's time contains the prefix sums, which the host
  /// makes, and their copy.
  Times engine(const SubmatrixTask& task);
  /// The host's part of `gpuhmm submatrix`, on the request's threads.
  Times host(const SubmatrixTask& task);

 private:
  /// Sizes from which on `what` needs --full.
  struct Limit {
    std::size_t cpu, gpu;
  };
  template <class Measure>
  Times kept(const std::string& name, const SubmatrixTask& task, const Limit& limit, const Measure& measure);
  void prepare(const SubmatrixTask& task);
  void check(const std::string& name, std::int64_t sum) const;
  bool on_gpu() const;

  Request request_;
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
