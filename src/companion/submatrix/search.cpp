// Chooses the integers and the place of a search, and checks the answers of devices.
#include "companion/submatrix/search.hpp"

#include <algorithm>
#include <stdexcept>

#include "companion/submatrix/locate.hpp"
#include "companion/submatrix/reference.hpp"
#include "gpuhmm/device.hpp"
#include "opencl/host_fallback.hpp"

namespace gpuhmm {

namespace {

// Below this many lines the kernels' padding costs more than they gain.
constexpr std::size_t kFewLines = 4;

// Pair-rows that a core of the host walks in a second, and seconds that a device takes to start.
constexpr double kHostRate = 15e9;
constexpr double kStartSeconds = 0.5;

Pattern located(const Matrix& matrix, const WalkResult& found, unsigned threads) {
  if (found.sum == 0) return {};
  return {found.sum, locate_rectangle(matrix, found.sum, found.first, threads)};
}

template <class T>
Pattern walked(const Matrix& matrix, const SumBounds& bounds, SubmatrixOptions& options) {
  const auto on_devices = [&] {
    const WalkResult found = walk_on_devices<T>(matrix, bounds, options.devices, options.threads,
                                                options.done, options.shape ? &*options.shape : nullptr);
    return checked_pattern(matrix, found, options.threads, options.devices.front()->info().name);
  };
  const auto on_host = [&] {
    options.devices.clear();
    return located(matrix, walk_on_host<T>(matrix, bounds, options.threads, options.done), options.threads);
  };
  if (options.devices.empty()) return on_host();
  return HostFallback(HostFallback::After::AnyFailure, options.warn).run(on_devices, on_host);
}

}  // namespace

void check_largest_sum(const Matrix& matrix, std::int64_t sum, const std::string& device) {
  // The largest sum must be at least that of any segment of a row or column; checks a sample of these.
  constexpr std::size_t kSample = 64;
  const auto look = [&](std::size_t lines, std::size_t length, const auto& cell) {
    const std::size_t step = std::max<std::size_t>(1, lines / kSample);
    for (std::size_t line = step / 2; line < lines; line += step) {
      Int128 run = 0;
      for (std::size_t i = 0; i < length; ++i) {
        const std::size_t index = cell(line, i);
        run = matrix.is_barred(index) ? Int128{0} : std::max<Int128>(run + matrix.values[index], 0);
        if (run > sum) throw WrongDeviceResult(device, "a sum that is not the largest");
      }
    }
  };
  look(matrix.rows, matrix.columns, [&](std::size_t row, std::size_t i) { return matrix.cell(row, i); });
  look(matrix.columns, matrix.rows,
       [&](std::size_t column, std::size_t i) { return matrix.cell(i, column); });
}

Pattern checked_pattern(const Matrix& matrix, const WalkResult& found, unsigned threads,
                        const std::string& device) {
  if (found.sum < 0 || (found.sum > 0 && found.first >= matrix.rows)) {
    throw WrongDeviceResult(device, "a rectangle outside the matrix");
  }
  check_largest_sum(matrix, found.sum, device);
  try {
    return located(matrix, found, threads);
  } catch (const std::logic_error&) {
    throw WrongDeviceResult(device, "a sum that no rectangle has");
  }
}

Pattern best_submatrix(const Matrix& matrix, SubmatrixOptions& options) {
  if (walk_shape(matrix).lines < kFewLines) return best_submatrix_reference(matrix);
  const SumBounds bounds = sum_bounds(matrix, options.threads);
  if (sums_fit<std::int32_t>(bounds)) return walked<std::int32_t>(matrix, bounds, options);
  if (sums_fit<std::int64_t>(bounds)) return walked<std::int64_t>(matrix, bounds, options);
  return best_submatrix_reference(matrix);
}

std::vector<Pattern> top_submatrices(Matrix matrix, const SubmatrixLimits& limits,
                                     SubmatrixOptions& options) {
  std::vector<Pattern> found;
  const FractionDone whole = std::move(options.done);
  if (whole) {
    options.done = [&](double part) {
      whole((static_cast<double>(found.size()) + part) / static_cast<double>(limits.most));
    };
  }
  while (found.size() < limits.most) {
    const Pattern next = best_submatrix(matrix, options);
    if (next.empty() || next.sum < limits.least) break;
    bar(matrix, next.where);
    found.push_back(next);
  }
  options.done = whole;
  return found;
}

double pair_rows(const Matrix& matrix) {
  const WalkShape shape = walk_shape(matrix);
  const auto lines = static_cast<double>(shape.lines);
  return lines * (lines + 1) / 2 * static_cast<double>(shape.length);
}

std::vector<std::unique_ptr<DeviceWalker>> open_walkers(const std::string& spec, double work,
                                                        unsigned threads,
                                                        const std::function<void(const std::string&)>& warn) {
  std::vector<std::unique_ptr<DeviceWalker>> walkers;
  if (spec == "none") return walkers;
  if (spec == "auto") {
    if (work < kHostRate * kStartSeconds * threads) return walkers;
    try {
      if (const std::optional<DeviceInfo> gpu = select_device(list_devices(), spec)) {
        walkers.push_back(std::make_unique<DeviceWalker>(*gpu));
      }
    } catch (const EngineFailure& error) {
      warn(error.what());
    }
    return walkers;
  }
  const NamedDevices named = named_devices(spec);
  if (named.host_too) {
    throw DeviceError("--device " + spec +
                      ": submatrix does not use the host beside devices; expected none, or devices only");
  }
  try {
    for (const DeviceInfo& device : named.devices) walkers.push_back(std::make_unique<DeviceWalker>(device));
  } catch (const EngineFailure& error) {
    throw DeviceError(error.what());
  }
  return walkers;
}

}  // namespace gpuhmm
