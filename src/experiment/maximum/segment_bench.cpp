// S-seq, the publication's kernels and today's engine on the same vectors.
#include "experiment/maximum/segment_bench.hpp"

#include "companion/segments/blocks.hpp"
#include "experiment/maximum/sequential.hpp"
#include "util/parallel.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm::experiment::maximum {

namespace {

constexpr double kMilliseconds = 1e3;

// body(i) for each of the devices, at the same time.
template <class Body>
void on_each(std::size_t devices, const Body& body) {
  parallel_for(static_cast<unsigned>(devices), devices, 1, [&](std::size_t i, std::size_t) { body(i); });
}

// So many of a class that is made of a DeviceInfo.
template <class Device>
void open(std::vector<std::unique_ptr<Device>>& opened, const Request& request, std::size_t devices) {
  while (opened.size() < devices) {
    opened.push_back(std::make_unique<Device>(request.devices[opened.size()]));
  }
}

template <class Device>
double slowest(const std::vector<std::unique_ptr<Device>>& devices, std::size_t count) {
  double seconds = 0;
  for (std::size_t i = 0; i < count; ++i) seconds = std::max(seconds, devices[i]->kernel_seconds());
  return seconds;
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
  if (!request_.full && task.size > largest_size()) return Times::absent("with --full");
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

// The part of a device; parts begin at multiples of `unit`.
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
    open(scanners_, request_, task.devices);
    on_each(task.devices, [&](std::size_t i) { scanners_[i]->load(part(i, task.devices, 1)); });
    return repeated(request_, kMilliseconds, [&] {
      std::int64_t sum = 0;
      const double seconds = seconds_of([&] {
        std::vector<Numbers> fives(task.devices);
        on_each(task.devices, [&](std::size_t i) { fives[i] = scanners_[i]->scan(shape); });
        for (std::size_t i = 1; i < fives.size(); ++i) {
          fives[0].insert(fives[0].end(), fives[i].begin(), fives[i].end());
        }
        sum = sequential_subsequence(fives[0]).score;
      });
      check(shape.name(), sum);
      return Taken{slowest(scanners_, task.devices), seconds};
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
    open(engines_, request_, task.devices);
    on_each(task.devices, [&](std::size_t i) { engines_[i]->load(part(i, task.devices, tile)); });
    return repeated(request_, kMilliseconds, [&] {
      std::int64_t sum = 0;
      const double seconds = seconds_of([&] {
        std::vector<std::vector<TileSums>> parts(task.devices);
        on_each(task.devices, [&](std::size_t i) { parts[i] = engines_[i]->sums(); });
        for (std::size_t i = 1; i < parts.size(); ++i) {
          parts[0].insert(parts[0].end(), parts[i].begin(), parts[i].end());
        }
        sum = locate_best<std::int32_t>(parts[0], tile, values_).score;
      });
      check("gpuhmm", sum);
      return Taken{slowest(engines_, task.devices), seconds};
    });
  });
}

}  // namespace gpuhmm::experiment::maximum
