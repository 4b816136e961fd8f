// S-seq, the publication's kernels and today's engine on the same vectors.
#include "experiment/maximum/segment_bench.hpp"

#include "companion/segments/blocks.hpp"
#include "experiment/maximum/sequential.hpp"
#include "experiment/reasons.hpp"

namespace gpuhmm::experiment::maximum {

namespace {

constexpr double kMilliseconds = 1e3;

// Joins the results of the devices in their order.
template <class T>
std::vector<T> joined(std::vector<std::vector<T>> parts) {
  for (std::size_t i = 1; i < parts.size(); ++i)
    parts[0].insert(parts[0].end(), parts[i].begin(), parts[i].end());
  return std::move(parts[0]);
}

}  // namespace

std::size_t SegmentBench::largest_size() const {
  const bool gpu = !request_.devices.empty() && request_.devices.front().type == DeviceType::Gpu;
  return gpu ? 100'000'000 : 10'000'000;
}

template <class Measure>
Times SegmentBench::kept(const std::string& name, const SegmentTask& task, const Measure& measure) {
  const auto key = std::pair(name, task);
  const auto found = kept_.find(key);
  if (found != kept_.end()) return found->second;
  if (const auto reason = request_.leaves_out(task.size)) return Times::absent(*reason);
  if (!request_.full && task.size > largest_size()) return Times::absent(kWithFull);
  request_.report(name + ", " + grouped_digits(task.size) + " elements");
  return kept_.emplace(key, measure()).first->second;
}

void SegmentBench::prepare(const SegmentTask& task) {
  if (set_ == task.set && values_.size() == task.size) return;
  set_ = task.set;
  values_ =
      subsequence_data(task.set, task.size, ScanShape{}.run(task.size), request_.seed, request_.threads);
  best_ = best_segment<std::int64_t>(std::span<const std::int32_t>(values_)).score;
}

// The part of the vector for a device; parts begin at multiples of `unit`.
std::span<const std::int32_t> SegmentBench::part(std::size_t device, std::size_t devices,
                                                 std::size_t unit) const {
  const auto start = [&](std::size_t i) {
    return i == devices ? values_.size() : values_.size() * i / devices / unit * unit;
  };
  return std::span(values_).subspan(start(device), start(device + 1) - start(device));
}

void SegmentBench::check(const std::string& name, std::int64_t sum) const {
  if (sum == best_) return;
  throw WrongResult(name + ", " + grouped_digits(values_.size()) + " elements (" + data_set_name(set_) +
                    "): sum " + std::to_string(sum) + "; the plain algorithm gives " + std::to_string(best_));
}

Times SegmentBench::sequential(const SegmentTask& task) {
  const SegmentTask on_host{task.size, 0, task.set};
  return kept("S-seq", on_host, [&] {
    prepare(on_host);
    return repeated(request_, kMilliseconds, [&] {
      std::int64_t sum = 0;
      const double seconds = seconds_of([&] { sum = sequential_subsequence(values_).score; });
      check("S-seq", sum);
      return Taken{seconds, seconds};
    });
  });
}

Times SegmentBench::scan(const ScanShape& shape, const SegmentTask& task) {
  if (const auto reason = missing_devices(request_, task.devices)) return Times::absent(*reason);
  return kept(shape.name(), task, [&] {
    const std::size_t most = task.size / task.devices + 1;
    for (std::size_t i = 0; i < task.devices; ++i) {
      if (const auto lack = lacking(request_.devices[i], shape.needs(most))) return Times::absent(*lack);
    }
    prepare(task);
    scanners_.open(request_, task.devices);
    scanners_.on_each(task.devices, [&](SegmentScanner& scanner, std::size_t i) {
      scanner.load(part(i, task.devices, 1));
    });
    return repeated(request_, kMilliseconds, [&] {
      std::int64_t sum = 0;
      const double seconds = seconds_of([&] {
        std::vector<Numbers> fives(task.devices);
        scanners_.on_each(task.devices,
                          [&](SegmentScanner& scanner, std::size_t i) { fives[i] = scanner.scan(shape); });
        sum = sequential_subsequence(joined(std::move(fives))).score;
      });
      check(shape.name(), sum);
      return Taken{scanners_.slowest(task.devices), seconds};
    });
  });
}

Times SegmentBench::engine(const SegmentTask& task) {
  if (const auto reason = missing_devices(request_, task.devices)) return Times::absent(*reason);
  return kept("gpuhmm", task, [&] {
    const std::size_t tile = SegmentShape{}.sum_tile(sizeof(std::int32_t));
    const std::size_t most = task.size / task.devices + tile;
    for (std::size_t i = 0; i < task.devices; ++i) {
      const Needs needs{0, SegmentShape{}.group, most * sizeof(std::int32_t)};
      if (const auto lack = lacking(request_.devices[i], needs)) return Times::absent(*lack);
    }
    prepare(task);
    engines_.open(request_, task.devices);
    engines_.on_each(task.devices,
                     [&](SegmentDevice& device, std::size_t i) { device.load(part(i, task.devices, tile)); });
    return repeated(request_, kMilliseconds, [&] {
      std::int64_t sum = 0;
      const double seconds = seconds_of([&] {
        std::vector<std::vector<TileSums>> tiles(task.devices);
        engines_.on_each(task.devices,
                         [&](SegmentDevice& device, std::size_t i) { tiles[i] = device.sums(); });
        sum = locate_best<std::int32_t>(joined(std::move(tiles)), tile, values_).score;
      });
      check("gpuhmm", sum);
      return Taken{engines_.slowest(task.devices), seconds};
    });
  });
}

}  // namespace gpuhmm::experiment::maximum
