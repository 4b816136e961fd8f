// M-seq, the publication's kernels and today's engines on the same matrices.
#include "experiment/maximum/submatrix_bench.hpp"

#include <algorithm>
#include <cmath>

#include "companion/submatrix/host_walk.hpp"
#include "companion/submatrix/reference.hpp"
#include "experiment/reasons.hpp"

namespace gpuhmm::experiment::maximum {

namespace {

constexpr std::size_t kReferenceSize = 512;  // rows up to which the plain reference gives the answer
constexpr double kSeconds = 1;

}  // namespace

bool SubmatrixBench::on_gpu() const {
  return !request_.devices.empty() && request_.devices.front().type == DeviceType::Gpu;
}

template <class Measure>
Times SubmatrixBench::kept(const std::string& name, const SubmatrixTask& task, const Limit& limit,
                           const Measure& measure) {
  const auto key = std::pair(name, task);
  const auto found = kept_.find(key);
  if (found != kept_.end()) return found->second;
  if (const auto reason = request_.leaves_out(task.size)) return Times::absent(*reason);
  if (!request_.full && task.size > (on_gpu() ? limit.gpu : limit.cpu)) return Times::absent(kWithFull);
  const std::string variant = name + " on " + std::to_string(task.devices);
  const double steps = std::pow(static_cast<double>(task.size), 3);
  if (const auto reason = limit_.reason(variant, steps)) return Times::absent(*reason);
  request_.report(name + ", " + grouped_digits(task.size) + " rows and columns");
  const Times& times = kept_.emplace(key, measure()).first->second;
  if (times.answer.number()) limit_.took(variant, steps, *times.answer.number());
  return times;
}

// Makes the matrix of the task and its correct answer.
void SubmatrixBench::prepare(const SubmatrixTask& task) {
  if (set_ == task.set && size_ == task.size) return;
  set_ = task.set;
  size_ = task.size;
  values_ = submatrix_data(task.set, size_, request_.seed, request_.threads);
  matrix_ = {size_, size_, {values_.begin(), values_.end()}, {}};
  bounds_ = sum_bounds(matrix_, request_.threads);
  if (!sums_fit<std::int32_t>(bounds_)) throw std::logic_error("sums of the data leave 32 bits");
  best_ = size_ <= kReferenceSize ? static_cast<std::int64_t>(best_submatrix_reference(matrix_).sum)
                                  : walk_on_host<std::int32_t>(matrix_, bounds_, request_.threads, {}).sum;
}

void SubmatrixBench::check(const std::string& name, std::int64_t sum) const {
  if (sum == best_) return;
  throw WrongResult(name + ", " + grouped_digits(size_) + " rows and columns (" + data_set_name(set_) +
                    "): sum " + std::to_string(sum) + "; the plain algorithm gives " + std::to_string(best_));
}

Times SubmatrixBench::sequential(ColumnOrder order, const SubmatrixTask& task) {
  const std::string name = order == ColumnOrder::RowMajor ? "M-seq, row-major" : "M-seq, transposed";
  const SubmatrixTask on_host{task.size, 0, task.set};
  return kept(name, on_host, {1024, 1024}, [&] {
    prepare(on_host);
    return repeated(request_, kSeconds, [&] {
      std::int64_t sum = 0;
      const double seconds = seconds_of([&] { sum = sequential_submatrix(values_, size_, order); });
      check(name, sum);
      return Taken{seconds, seconds};
    });
  });
}

Times SubmatrixBench::scan(const PairShape& shape, const SubmatrixTask& task) {
  if (const auto reason = missing_devices(request_, task.devices)) return Times::absent(*reason);
  return kept(shape.name(), task, {1024, 4096}, [&] {
    for (std::size_t i = 0; i < task.devices; ++i) {
      const auto lack = lacking(request_.devices[i], shape.needs(task.size));
      if (lack) return Times::absent(*lack);
    }
    prepare(task);
    scanners_.open(request_, task.devices);
    return repeated(request_, kSeconds, [&] {
      scanners_.on_each(task.devices,
                        [&](SubmatrixScanner& scanner, std::size_t) { scanner.load(values_, size_); });
      std::vector<std::int32_t> sums(task.devices);
      const double seconds = seconds_of([&] {
        scanners_.on_each(task.devices, [&](SubmatrixScanner& scanner, std::size_t i) {
          const std::size_t pairs = pair_count(size_);
          sums[i] = scanner.largest(shape, pairs * i / task.devices, pairs * (i + 1) / task.devices);
        });
      });
      check(shape.name(), *std::max_element(sums.begin(), sums.end()));
      return Taken{scanners_.slowest(task.devices), seconds};
    });
  });
}

Times SubmatrixBench::engine(const SubmatrixTask& task) {
  if (const auto reason = missing_devices(request_, task.devices)) return Times::absent(*reason);
  return kept("gpuhmm", task, {2048, 8192}, [&] {
    const Needs needs{0, 1, PairShape{}.needs(task.size).buffer};
    for (std::size_t i = 0; i < task.devices; ++i) {
      if (const auto lack = lacking(request_.devices[i], needs)) return Times::absent(*lack);
    }
    prepare(task);
    OpenDevices<DeviceWalker>& walkers = walkers_[task.devices];
    walkers.open(request_, task.devices);
    return repeated(request_, kSeconds, [&] {
      std::vector<double> before;
      for (const auto& walker : walkers.all()) before.push_back(walker->kernel_seconds());
      std::int64_t sum = 0;
      const double seconds = seconds_of([&] {
        sum = walk_on_devices<std::int32_t>(matrix_, bounds_, walkers.all(), request_.threads, {}).sum;
      });
      check("gpuhmm", sum);
      double kernel = 0;
      for (std::size_t i = 0; i < before.size(); ++i) {
        kernel = std::max(kernel, walkers.all()[i]->kernel_seconds() - before[i]);
      }
      return Taken{kernel, seconds};
    });
  });
}

Times SubmatrixBench::host(const SubmatrixTask& task) {
  const SubmatrixTask on_host{task.size, 0, task.set};
  return kept("gpuhmm, host", on_host, {2048, 8192}, [&] {
    prepare(on_host);
    return repeated(request_, kSeconds, [&] {
      std::int64_t sum = 0;
      const double seconds =
          seconds_of([&] { sum = walk_on_host<std::int32_t>(matrix_, bounds_, request_.threads, {}).sum; });
      check("gpuhmm, host", sum);
      return Taken{seconds, seconds};
    });
  });
}

}  // namespace gpuhmm::experiment::maximum
