// After some failures of a device the host takes over, which is reported once.
#include "opencl/host_fallback.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace gpuhmm {
namespace {

constexpr int kOutOfResources = -5, kInvalidValue = -30;  // statuses of OpenCL

class FallbackToHost : public testing::Test {
 protected:
  // Returns 1 if the device works, 2 if the host takes over; throws any other exception of the device.
  template <class Failure>
  int run(HostFallback& fallback, const Failure& failure) {
    return fallback.run(
        [&] {
          failure();
          return 1;
        },
        [] { return 2; });
  }
  HostFallback fallback(HostFallback::After after) {
    return {after, [this](const std::string& warning) { warnings_.push_back(warning); }};
  }

  static void works() {}
  static void is_wrong() { throw WrongDeviceResult("gpu", "a sum"); }
  static void has_no_memory() { throw EngineFailure("full", kOutOfResources); }
  static void fails() { throw EngineFailure("broken", kInvalidValue); }

  std::vector<std::string> warnings_;
};

TEST_F(FallbackToHost, KeepsADeviceThatWorks) {
  HostFallback some = fallback(HostFallback::After::AnyFailure);
  EXPECT_EQ(run(some, works), 1);
  EXPECT_EQ(run(some, works), 1);
  EXPECT_FALSE(some.given_up());
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(FallbackToHost, RemainsOnTheHostAndReportsOnce) {
  HostFallback some = fallback(HostFallback::After::WrongResult);
  EXPECT_EQ(run(some, is_wrong), 2);
  EXPECT_EQ(run(some, is_wrong), 2);
  EXPECT_EQ(run(some, works), 2);
  EXPECT_TRUE(some.given_up());
  EXPECT_EQ(warnings_,
            std::vector<std::string>{
                "gpu gave a wrong result (a sum): do not use this device; going on with the host"});
}

TEST_F(FallbackToHost, LeavesOtherFailuresToTheCaller) {
  HostFallback wrong = fallback(HostFallback::After::WrongResult);
  EXPECT_THROW(run(wrong, has_no_memory), EngineFailure);
  EXPECT_THROW(run(wrong, fails), EngineFailure);
  EXPECT_EQ(run(wrong, works), 1);
  EXPECT_TRUE(warnings_.empty());
  HostFallback any = fallback(HostFallback::After::AnyFailure);
  EXPECT_EQ(run(any, fails), 2);
  EXPECT_EQ(warnings_, std::vector<std::string>{"broken; going on with the host"});
}

TEST_F(FallbackToHost, PassesOnErrorsOfTheInput) {
  HostFallback any = fallback(HostFallback::After::AnyFailure);
  EXPECT_THROW(run(any, [] { throw std::invalid_argument("input"); }), std::invalid_argument);
  EXPECT_FALSE(any.given_up());
}

}  // namespace
}  // namespace gpuhmm
