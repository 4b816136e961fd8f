// Each method runs once to be checked; then it is timed.
#include "experiment/subsequence/subsequence_cases.hpp"

#include <span>

#include "experiment/reasons.hpp"

namespace gpuhmm::experiment {

namespace {

using Length = SubsequenceQuery::Length;

constexpr std::size_t kRuns = 2;
constexpr double kLongRun = 2;  // seconds of a run that needs none before it
// The most work without --full: on the host, on the host with a lock for every update, on devices.
constexpr double kMostWork = 7e8, kMostLockedWork = 1.3e8, kMostCpuDeviceWork = 1.3e8, kMostGpuWork = 1.3e9;

Subsequence best(const std::vector<std::int32_t>& values, std::size_t k, SubsequenceMethod method,
                 unsigned threads) {
  return best_subsequence(std::span<const std::int32_t>(values), {Length::Exactly, k, false},
                          {.method = method, .device = std::nullopt, .threads = threads});
}

}  // namespace

SubsequenceCase::SubsequenceCase(std::vector<std::int32_t> values, std::size_t k, unsigned threads)
    : values_(std::move(values)),
      ranks_(follower_ranks(std::span<const std::int32_t>(values_), false)),
      k_(k) {
  const Subsequence answer = best(values_, k, SubsequenceMethod::Plain, threads);
  if (!answer.positions.empty()) sum_ = static_cast<std::int32_t>(std::get<Int128>(answer.sum));
}

double SubsequenceCase::work() const {
  const auto n = static_cast<double>(values_.size());
  return n * n * static_cast<double>(k_) / 2;
}

void SubsequenceCase::check(const std::string& method, std::optional<std::int32_t> sum) const {
  const auto text = [](std::optional<std::int32_t> s) {
    return s ? "sum " + std::to_string(*s) : "no answer";
  };
  if (sum == sum_) return;
  throw WrongResult(method + ", " + std::to_string(values_.size()) + " elements, K " + std::to_string(k_) +
                    ": " + text(sum) + "; expected " + text(sum_));
}

void SubsequenceCase::check(const std::string& method, const std::vector<std::size_t>& positions) const {
  std::int32_t sum = 0;
  for (const std::size_t position : positions) sum += values_.at(position);
  check(method, positions.empty() ? std::nullopt : std::optional(sum));
}

SubsequenceMethods::SubsequenceMethods(const Request& request) : request_(request), limit_(request.limit) {
  if (request.devices.empty()) return;
  elements_.emplace(request.devices.front());
  levels_.emplace(request.devices.front());
}

bool SubsequenceMethods::too_long_on_device(const SubsequenceCase& input) const {
  const bool cpu = request_.devices.front().type == DeviceType::Cpu;
  return !request_.full && input.work() > (cpu ? kMostCpuDeviceWork : kMostGpuWork);
}

Cell SubsequenceMethods::timed(const std::string& method, const SubsequenceCase& input,
                               const std::function<double()>& measure) {
  if (const auto reason = limit_.reason(method, input.work())) return Cell::absent(*reason);
  const Spread seconds = measured(request_.runs_or(kRuns), measure, kLongRun);
  limit_.took(method, input.work(), seconds.median);
  return scaled(seconds, 1e3);
}

Cell SubsequenceMethods::in_sequence(const SubsequenceCase& input) {
  if (!request_.full && input.work() > kMostWork) return Cell::absent(kWithFull);
  const std::string name = "sequential";
  return timed(name, input, [&] {
    ElementSums sums;
    const double seconds = seconds_of([&] { sums = sums_in_sequence(input.values(), input.k()); });
    input.check(name, largest_sum(sums, input.k()));
    return seconds;
  });
}

Cell SubsequenceMethods::by_threads(const SubsequenceCase& input, unsigned threads, Join join) {
  const double most = join == Join::Locked ? kMostLockedWork : kMostWork;
  if (!request_.full && input.work() > most) return Cell::absent(kWithFull);
  const std::string name =
      std::to_string(threads) + (join == Join::Locked ? " threads with a lock" : " threads with own maxima");
  return timed(name, input, [&] {
    ElementSums sums;
    const double seconds =
        seconds_of([&] { sums = sums_by_threads(input.values(), input.k(), threads, join); });
    input.check(name, largest_sum(sums, input.k()));
    return seconds;
  });
}

Cell SubsequenceMethods::by_elements(const SubsequenceCase& input, ElementLaunch launch) {
  if (!elements_) return Cell::absent(kNoDevice);
  if (launch.group == 0) launch.group = elements_->fitting_group(input.k());
  const std::string obstacle = elements_->obstacle(input.values().size(), input.k(), launch);
  if (!obstacle.empty()) return Cell::absent(obstacle);
  if (too_long_on_device(input)) return Cell::absent(kWithFull);
  const std::string name = std::string("a launch an element, ") +
                           (launch.memory == ElementLaunch::Memory::Global ? "global" : "local") +
                           (launch.pace == ElementLaunch::Pace::Queued ? ", queued" : "") +
                           ", work-groups of " + std::to_string(launch.group);
  return timed(name, input, [&] {
    const ElementRun run = elements_->run(input.values(), input.k(), launch);
    input.check(name, largest_sum(run.sums, input.k()));
    return run.seconds;
  });
}

Cell SubsequenceMethods::on_host(const SubsequenceCase& input, SubsequenceMethod method, unsigned threads) {
  if (method == SubsequenceMethod::Plain && !request_.full && input.work() > kMostWork)
    return Cell::absent(kWithFull);
  const std::string name = method_name(method) + std::string(" on ") + std::to_string(threads);
  return timed(name, input, [&] {
    const Subsequence answer = best(input.values(), input.k(), method, threads);
    input.check(name, answer.positions);
    return answer.seconds.prepare + answer.seconds.solve;
  });
}

Cell SubsequenceMethods::on_device(const SubsequenceCase& input, DeviceLevelMethod method) {
  if (!levels_) return Cell::absent(kNoDevice);
  const std::string obstacle =
      levels_->obstacle(input.values().size(), input.k(), sizeof(std::int32_t), method);
  if (!obstacle.empty()) return Cell::absent(obstacle);
  if (method != DeviceLevelMethod::Blocks && too_long_on_device(input)) return Cell::absent(kWithFull);
  const RankedVector<std::int32_t> vector{input.ranks(), input.values()};
  constexpr const char* kNames[] = {"elements", "levels", "blocks"};  // by DeviceLevelMethod
  const std::string name = kNames[static_cast<std::size_t>(method)] + std::string(" on the device");
  return timed(name, input, [&] {
    const DeviceTrace found = levels_->find(vector, input.k(), false, method);
    input.check(name, found.positions);
    return found.kernel_seconds;
  });
}

}  // namespace gpuhmm::experiment
