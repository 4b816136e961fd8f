// Repeats the runs of a variant and computes its figures.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "experiment/experiment.hpp"
#include "experiment/reasons.hpp"

namespace gpuhmm::experiment::maximum {

/// Seconds of one run: kernels, by their events on the slowest device, and until the host has the answer.
/// Equal for variants on the host.
struct Taken {
  double kernel = 0, answer = 0;
};

/// Times of several runs in the table's unit, or the reason why there are none.
struct Times {
  Cell kernel, answer;

  static Times absent(const std::string& reason) { return {Cell::absent(reason), Cell::absent(reason)}; }
};

/// The note of a table about its number of runs.
inline const char* const kRunsNote =
    "Medians of 10 runs after one that does not count, of fewer where one takes longer than 0.15 s (with --full 6 s).";

/// Calls `run`, which returns Taken, once without counting it, then as often as the request says; by default
/// ten times, or less often if that takes too many seconds. If the first run takes more than ten seconds and
/// only one is wanted, it counts. `scale`: units of the table in a second.
template <class Run>
Times repeated(const Request& request, double scale, const Run& run) {
  constexpr double kSeconds = 1.5, kSecondsOfFull = 60, kLong = 10;
  constexpr std::size_t kRuns = 10;
  std::vector<Taken> taken{run()};
  const double first = std::max(taken[0].answer, 1e-9);
  const auto fitting = static_cast<std::size_t>((request.full ? kSecondsOfFull : kSeconds) / first);
  const std::size_t runs = request.runs_or(std::clamp<std::size_t>(fitting, 1, kRuns));
  if (runs > 1 || first < kLong) taken.clear();
  while (taken.size() < runs) taken.push_back(run());
  std::vector<double> kernel, answer;
  for (const Taken& one : taken) {
    kernel.push_back(one.kernel * scale);
    answer.push_back(one.answer * scale);
  }
  return {spread_of(std::move(kernel)), spread_of(std::move(answer))};
}

/// a / b, or the reason why one of them is absent.
inline Cell ratio(const Cell& a, const Cell& b) {
  if (a.is_absent()) return a;
  if (b.is_absent()) return b;
  return *a.number() / *b.number();
}

/// The reason why the request does not have `devices` devices, or nothing.
inline std::optional<std::string> missing_devices(const Request& request, std::size_t devices) {
  if (request.devices.empty()) return kNoDevice;
  if (request.devices.size() >= devices) return std::nullopt;
  return "needs " + std::to_string(devices) + " devices; the run has " +
         std::to_string(request.devices.size());
}

/// A bench that tables share while the request stays the same.
template <class Bench>
class SharedBench {
 public:
  Bench& serving(const Request& request) {
    if (!bench_ || !bench_->request().measures_as(request)) bench_ = std::make_unique<Bench>(request);
    return *bench_;
  }

 private:
  std::unique_ptr<Bench> bench_;
};

}  // namespace gpuhmm::experiment::maximum
