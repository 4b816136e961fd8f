// Tests that a device with wrong results for the first matrices is not used.
#include "companion/reduce/checked_reducer.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace gpuhmm {
namespace {

// The host's reducer with a wrong first number in its result.
class FaultyReducer : public StackReducer {
 public:
  explicit FaultyReducer(std::unique_ptr<StackReducer> host) : host_(std::move(host)) {}
  void add(const NumberValues& matrices) override { host_->add(matrices); }
  NumberValues result() override {
    NumberValues values = host_->result();
    std::visit([](auto& numbers) { numbers[0] += 1; }, values);
    return values;
  }

 private:
  std::unique_ptr<StackReducer> host_;
};

struct Reduced {
  NumberValues result;
  int warnings = 0;
};

Reduced reduce(const NumberValues& stack, std::size_t item_size, ReduceOperation operation, bool faulty) {
  const ReduceOptions options{operation, NanPolicy::Propagate, 2};
  const auto type = static_cast<NumberType>(stack.index());
  const ReducerMaker host = [=] { return make_host_reducer(type, item_size, options); };
  const ReducerMaker device = [=]() -> std::unique_ptr<StackReducer> {
    if (faulty) return std::make_unique<FaultyReducer>(host());
    return host();
  };
  Reduced run;
  const auto reducer =
      make_checked_reducer(item_size, device, host, [&](const std::string&) { ++run.warnings; });
  reducer->add(stack);
  reducer->add(stack);
  run.result = reducer->result();
  return run;
}

TEST(CheckedReducer, DoesNotUseAFaultyDevice) {
  std::vector<std::int32_t> whole(200001);
  for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = static_cast<std::int32_t>(i * 7919 % 1009) - 500;
  std::vector<double> real(whole.begin(), whole.end());
  for (const ReduceOperation operation :
       {ReduceOperation::Minimum, ReduceOperation::Maximum, ReduceOperation::Sum, ReduceOperation::Mean}) {
    for (const NumberValues& stack : {NumberValues(whole), NumberValues(real)}) {
      const Reduced right = reduce(stack, 3, operation, false), wrong = reduce(stack, 3, operation, true);
      EXPECT_EQ(right.warnings, 0);
      EXPECT_EQ(wrong.warnings, 1);
      EXPECT_EQ(right.result, wrong.result);
    }
  }
}

TEST(CheckedReducer, AcceptsEqualNan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(
      reduce(NumberValues(std::vector<double>{nan, 1, 2, 3}), 2, ReduceOperation::Minimum, false).warnings,
      0);
}

}  // namespace
}  // namespace gpuhmm
