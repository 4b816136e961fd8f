// A command queue launches kernels, copies, maps memory and measures times.
#include "opencl/queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "gpuhmm/device.hpp"
#include "opencl/any_device.hpp"
#include "opencl/command_log.hpp"
#include "opencl/growing_buffer.hpp"
#include "opencl/pinned_array.hpp"

namespace gpuhmm {
namespace {

constexpr std::size_t kGroup = 16, kValues = 64;

class CommandQueue : public ::testing::Test {
 protected:
  CommandQueue() { std::iota(values_.begin(), values_.end(), 1); }

  cl::Event multiply(const Queue& queue, const cl::Buffer& buffer, cl_int plus,
                     const std::vector<cl::Event>& after = {}) const {
    return queue.launch(kernel_, {kValues, kGroup, after}, buffer, plus, cl::Local(kGroup * sizeof(cl_int)));
  }

  OpenDevice device_{testing::any_device(), testing::small_sources()};
  Queue queue_{device_};
  cl::Kernel kernel_ = device_.kernel({"factor.cl", "multiply.cl"}, "multiply", "-cl-std=CL1.2");
  std::vector<cl_int> values_ = std::vector<cl_int>(kValues);
};

TEST_F(CommandQueue, LaunchesWithArgumentsInOrder) {
  const cl::Buffer buffer = queue_.upload(values_, CL_MEM_READ_WRITE);
  multiply(queue_, buffer, 5);
  const auto found = queue_.read<cl_int>(buffer, kValues);
  for (std::size_t i = 0; i < kValues; ++i) EXPECT_EQ(found[i], values_[i] * 3 + 5);
}

TEST_F(CommandQueue, NamesTheCallOfAFailedLaunch) {
  const cl::Buffer buffer = queue_.upload(values_, CL_MEM_READ_WRITE);
  try {
    queue_.launch(kernel_, {kValues, kGroup}, buffer, cl_long{1}, cl::Local(64));
    FAIL() << "an argument of 8 bytes for one of 4";
  } catch (const EngineFailure& failure) {
    EXPECT_EQ(std::string(failure.what()),
              device_.info().name + ": clSetKernelArg failed with CL_INVALID_ARG_SIZE");
  }
}

TEST_F(CommandQueue, WaitsForCommandsOfOtherQueues) {
  const Queue other(device_);
  const cl::Buffer buffer = queue_.upload(values_, CL_MEM_READ_WRITE);
  const cl::Event first = multiply(queue_, buffer, 0);
  queue_.flush();
  multiply(other, buffer, 1, {first});
  EXPECT_EQ(other.read<cl_int>(buffer, 1, 9)[0], values_[9] * 9 + 1);
}

TEST_F(CommandQueue, CopiesPartsAndFills) {
  const cl::Buffer buffer = device_.buffer<cl_int>(kValues), other = device_.buffer<cl_int>(kValues);
  queue_.fill(buffer, cl_int{-7}, kValues);
  queue_.send(buffer, values_.data(), 3, 10);
  EXPECT_EQ(queue_.read<cl_int>(buffer, 5, 9), (std::vector<cl_int>{-7, 1, 2, 3, -7}));
  queue_.copy(buffer, other, 2 * sizeof(cl_int), 11 * sizeof(cl_int));
  std::vector<cl_int> found(2);
  queue_.wait(queue_.receive(other, found.data(), 2));
  EXPECT_EQ(found, (std::vector<cl_int>{2, 3}));
  EXPECT_EQ(queue_.write(buffer, values_.data(), 0)(), nullptr);
  queue_.wait(cl::Event());
}

TEST_F(CommandQueue, UploadsInPlace) {
  const cl::Buffer buffer = queue_.upload_in_place<cl_int>(
      kValues, [&](cl_int* place) { std::copy(values_.begin(), values_.end(), place); });
  EXPECT_EQ(queue_.read<cl_int>(buffer, kValues), values_);
}

TEST_F(CommandQueue, MovesPinnedMemory) {
  PinnedArray<cl_int> pinned;
  EXPECT_EQ(pinned.size(), 0U);
  pinned = PinnedArray<cl_int>(queue_, kValues);
  ASSERT_EQ(pinned.size(), kValues);
  const cl::Buffer buffer = queue_.upload(values_);
  queue_.wait(queue_.receive(buffer, pinned.data(), kValues));
  EXPECT_TRUE(std::equal(values_.begin(), values_.end(), pinned.data()));
}

TEST_F(CommandQueue, KeepsTheMemoryOfAGrowingBuffer) {
  GrowingBuffer growing;
  EXPECT_EQ(growing.buffer()(), nullptr);
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  const cl_mem first = growing.at_least(device_, 64)();
  EXPECT_EQ(growing.buffer().getInfo<CL_MEM_SIZE>(), kMiB);
  EXPECT_EQ(growing.at_least(device_, kMiB)(), first);
  EXPECT_EQ(growing.at_least(device_, kMiB + 1).getInfo<CL_MEM_SIZE>(), 2 * kMiB);
  EXPECT_EQ(growing.at_least(device_, 5 * kMiB).getInfo<CL_MEM_SIZE>(), 5 * kMiB);
  growing.release();
  EXPECT_EQ(growing.buffer()(), nullptr);
}

// Freeing it would wait for all kernels.
TEST_F(CommandQueue, KeepsWhatAGrowingBufferHasOutgrown) {
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
  GrowingBuffer growing;
  growing.at_least(device_, 1);
  growing.at_least(device_, kMiB + 1);
  EXPECT_EQ(device_.costs("").bytes, 3 * kMiB);
  growing.release();
  growing.at_least(device_, 3 * kMiB);
  EXPECT_EQ(device_.costs("").bytes, 3 * kMiB);
}

TEST_F(CommandQueue, LeavesAGrowingBufferEmptyThatCannotGrow) {
  GrowingBuffer growing;
  growing.at_least(device_, 1);
  EXPECT_THROW(growing.at_least(device_, device_.info().max_allocation + 1), EngineFailure);
  EXPECT_EQ(growing.buffer()(), nullptr);
  EXPECT_NE(growing.at_least(device_, 1)(), nullptr);
}

TEST_F(CommandQueue, LogsTimesInOrderAndOnce) {
  const cl::Buffer buffer = queue_.upload(values_, CL_MEM_READ_WRITE);
  CommandLog<std::string> log;
  log.note("first", multiply(queue_, buffer, 0));
  log.note("second", multiply(queue_, buffer, 0));
  queue_.flush();
  EXPECT_EQ(log.size(), 2U);
  std::vector<std::string> names;
  std::uint64_t before = 1;
  log.take(queue_, [&](const std::string& name, const CommandTime& time) {
    names.push_back(name);
    EXPECT_LE(before, time.start);
    EXPECT_LE(time.start, time.end);
    EXPECT_DOUBLE_EQ(time.seconds(), static_cast<double>(time.end - time.start) * 1e-9);
    before = time.end;
  });
  EXPECT_EQ(names, (std::vector<std::string>{"first", "second"}));
  EXPECT_EQ(log.size(), 0U);
}

TEST_F(CommandQueue, HasNoTimesWithoutTiming) {
  const Queue plain(device_, Timing::Off);
  const cl::Buffer buffer = plain.upload(values_, CL_MEM_READ_WRITE);
  const cl::Event done = multiply(plain, buffer, 0);
  plain.finish();
  EXPECT_THROW(plain.time_of(done), EngineFailure);
}

}  // namespace
}  // namespace gpuhmm
