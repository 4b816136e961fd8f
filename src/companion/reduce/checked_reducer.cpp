// Compares the results of device and host for the first matrices.
#include "companion/reduce/checked_reducer.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>
#include <variant>

#include "opencl/host_fallback.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kNumbers = std::size_t{1} << 16;  // that are compared, but at least one matrix

NumberValues first_of(const NumberValues& matrices, std::size_t count) {
  return std::visit(
      [count](const auto& values) {
        using Values = std::decay_t<decltype(values)>;
        const auto end = values.begin() + static_cast<std::ptrdiff_t>(std::min(count, values.size()));
        return NumberValues(Values(values.begin(), end));
      },
      matrices);
}

bool same_bits(const NumberValues& a, const NumberValues& b) {
  if (a.index() != b.index() || number_count(a) != number_count(b)) return false;
  return std::visit(
      [&b](const auto& values) {
        const auto& others = std::get<std::decay_t<decltype(values)>>(b);
        for (std::size_t i = 0; i < values.size(); ++i) {
          // All bit patterns of NaN count as equal.
          const bool both_nan = values[i] != values[i] && others[i] != others[i];
          if (!both_nan && std::memcmp(&values[i], &others[i], sizeof values[i]) != 0) return false;
        }
        return true;
      },
      a);
}

class CheckedReducer : public StackReducer {
 public:
  CheckedReducer(std::size_t item_size, ReducerMaker device, ReducerMaker host,
                 std::function<void(const std::string&)> warn)
      : item_size_(std::max<std::size_t>(item_size, 1)),
        device_(std::move(device)),
        host_(std::move(host)),
        fallback_(HostFallback::After::WrongResult, std::move(warn)) {}

  void add(const NumberValues& matrices) override {
    if (!chosen_) choose(matrices);
    chosen_->add(matrices);
  }
  NumberValues result() override {
    if (!chosen_) chosen_ = host_();
    return chosen_->result();
  }

 private:
  void choose(const NumberValues& matrices) {
    const NumberValues some =
        first_of(matrices, std::max<std::size_t>(1, kNumbers / item_size_) * item_size_);
    const auto reduced = [&some](StackReducer& reducer) {
      reducer.add(some);
      return reducer.result();
    };
    const NumberValues expected = reduced(*host_());
    const auto on_device = [&] {
      if (!same_bits(reduced(*device_()), expected)) {
        throw WrongDeviceResult("the device", "wrong numbers for the first matrices");
      }
      return device_();
    };
    chosen_ = fallback_.run(on_device, host_);
  }

  std::size_t item_size_;
  ReducerMaker device_, host_;
  HostFallback fallback_;
  std::unique_ptr<StackReducer> chosen_;
};

}  // namespace

std::unique_ptr<StackReducer> make_checked_reducer(std::size_t item_size, ReducerMaker device,
                                                   ReducerMaker host,
                                                   std::function<void(const std::string&)> warn) {
  return std::make_unique<CheckedReducer>(item_size, std::move(device), std::move(host), std::move(warn));
}

}  // namespace gpuhmm
