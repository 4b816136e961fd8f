// Compares reductions on an OpenCL device with the definition. Needs an OpenCL device, such as PoCL.
#include <gtest/gtest.h>

#include "companion/reduce/device_fold.hpp"
#include "companion/reduce/random_stacks.hpp"

namespace gpuhmm {
namespace {

using testing::kOperations;
using testing::random_stack;
using testing::same_bits;

DeviceInfo first_device() {
  const std::vector<DeviceInfo> devices = list_devices();
  if (devices.empty()) throw std::runtime_error("no OpenCL device: is PoCL installed?");
  return devices.front();
}

// The device, opened once for all tests, so that programs are built once.
struct Opened {
  OpenDevice device{first_device()};
  Queue queue{device};
};
Opened& opened() {
  static Opened device;
  return device;
}

// Reduces a stack in the device's memory, in two parts if the order of additions does not matter.
template <class T>
NumberValues reduce_resident(const std::vector<T>& stack, std::size_t size, const ReduceOptions& options) {
  const auto type = static_cast<NumberType>(NumberValues(stack).index());
  const std::size_t items = stack.size() / size;
  DeviceFold fold(opened().queue, type, size, options);
  const auto middle = stack.begin() + static_cast<std::ptrdiff_t>(items / 3 * size);
  const std::vector<T> begin(stack.begin(), middle), end(middle, stack.end());
  if (!begin.empty()) fold.add(opened().queue.upload(begin), begin.size() / size);
  fold.add(opened().queue.upload(end), end.size() / size);
  return fold.result(items);
}

template <class T>
class DeviceReduce : public ::testing::Test {};
using Types = ::testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(DeviceReduce, Types);

constexpr std::pair<std::size_t, std::size_t> kShapes[] = {
    {1, 1},    {1, 9},    {2, 9},     {113, 9},   {114, 9},   {5000, 9},  {20'011, 1}, {4097, 3},
    {700, 31}, {257, 33}, {300, 512}, {40, 1024}, {33, 1025}, {20, 2000}, {7, 2053},   {3, 12'000}};

TYPED_TEST(DeviceReduce, AgreesWithTheDefinition) {
  std::mt19937_64 rng(21);
  for (const auto& [items, size] : kShapes) {
    const bool small = items % 2 == 0;
    const std::vector<TypeParam> stack =
        random_stack<TypeParam>(rng, items, size, small, items % 3 == 0 ? 0.01 : 0);
    for (const ReduceOperation operation : kOperations) {
      const bool tree = operation >= ReduceOperation::Sum && std::is_floating_point_v<TypeParam>;
      for (const NanPolicy policy : {NanPolicy::Propagate, NanPolicy::Ignore}) {
        const ReduceOptions options{operation, policy};
        if (tree) continue;
        NumberValues expected;
        try {
          expected = reduce_plainly(stack, size, options);
        } catch (const std::overflow_error&) {
          EXPECT_THROW(reduce_resident(stack, size, options), std::overflow_error);
          continue;
        }
        ASSERT_TRUE(same_bits(reduce_resident(stack, size, options), expected))
            << operation_name(operation) << " of " << items << " x " << size;
      }
    }
  }
}

template <class T>
void expect_tree(std::mt19937_64& rng, std::size_t items, std::size_t size) {
  const std::vector<T> stack = random_stack<T>(rng, items, size, false, items % 2 == 0 ? 0.01 : 0);
  const auto type = static_cast<NumberType>(NumberValues(stack).index());
  for (const bool ignore_nan : {false, true}) {
    DeviceTree tree(opened().queue, type, size, ignore_nan);
    cl::Event first, last;
    std::vector<double> found = tree.total(opened().queue.upload(stack), items, first, last);
    for (double& sum : found) sum += 0.0;
    const ReduceOptions options{ReduceOperation::Sum, ignore_nan ? NanPolicy::Ignore : NanPolicy::Propagate};
    const auto expected = std::get<std::vector<double>>(reduce_plainly(stack, size, options));
    for (std::size_t e = 0; e < size; ++e) {
      if (std::isnan(expected[e])) {
        ASSERT_TRUE(std::isnan(found[e])) << items << " x " << size;
      } else {
        ASSERT_EQ(found[e], expected[e]) << items << " x " << size;
      }
    }
  }
}

TEST(DeviceTree, AddsInTheFixedOrder) {
  std::mt19937_64 rng(22);
  for (const auto& [items, size] : kShapes) {
    expect_tree<float>(rng, items, size);
    expect_tree<double>(rng, items, size);
  }
  expect_tree<float>(rng, 70'000, 1);
}

// A stack of several parts, added in uneven pieces.
template <class T>
void expect_streamed(std::mt19937_64& rng, std::size_t items, std::size_t size) {
  const std::vector<T> values = random_stack<T>(rng, items, size, true, 0.001);
  const NumberValues stack = values;
  const auto type = static_cast<NumberType>(stack.index());
  for (const ReduceOperation operation : kOperations) {
    const ReduceOptions options{operation, NanPolicy::Ignore};
    const auto reducer = make_device_reducer(first_device(), type, size, options);
    const auto host = make_host_reducer(type, size, options);
    host->add(stack);
    for (std::size_t at = 0; at < items;) {
      const std::size_t part = std::min<std::size_t>(items - at, 1 + rng() % items);
      reducer->add(std::vector<T>(values.begin() + static_cast<std::ptrdiff_t>(at * size),
                                  values.begin() + static_cast<std::ptrdiff_t>((at + part) * size)));
      at += part;
    }
    ASSERT_TRUE(same_bits(reducer->result(), host->result())) << operation_name(operation);
  }
}

TEST(DeviceReducer, TakesStacksInParts) {
  std::mt19937_64 rng(23);
  expect_streamed<std::int32_t>(rng, 100'003, 9);
  expect_streamed<std::int64_t>(rng, 30'001, 9);
  expect_streamed<float>(rng, 30'001, 9);
  expect_streamed<double>(rng, 1001, 33);
}

TEST(DeviceReducer, RefusesAStackOfNothing) {
  const ReduceOptions options;
  EXPECT_THROW(make_device_reducer(first_device(), NumberType::Int32, 9, options)->result(),
               std::invalid_argument);
  EXPECT_EQ(number_count(make_device_reducer(first_device(), NumberType::Int32, 0, options)->result()), 0U);
}

}  // namespace
}  // namespace gpuhmm
