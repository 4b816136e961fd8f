// A device in use: building kernels, their errors, and the names of statuses.
#include "opencl/session.hpp"

#include <gtest/gtest.h>

#include "opencl/error.hpp"
#include "opencl/kernel_sources.hpp"
#include "opencl/variant.hpp"

namespace gpuhmm {
namespace {

DeviceInfo any_device() {
  const std::vector<DeviceInfo> devices = list_devices();
  if (devices.empty()) throw std::runtime_error("no OpenCL device: is PoCL installed?");
  return devices.front();
}

TEST(Session, BuildsTheKernelOfEveryDeviceShape) {
  const DeviceInfo info = any_device();
  Session session(info);
  const std::string options = build_options(choose_variant(info), -1000);
  for (int i = 0; i < 2; ++i) {
    const cl::Kernel kernel = session.kernel({"viterbi.cl"}, "viterbi", options);
    EXPECT_EQ(kernel.getInfo<CL_KERNEL_FUNCTION_NAME>().substr(0, 7), "viterbi");
  }
}

TEST(Session, FailedBuildCarriesTheLog) {
  const DeviceInfo info = any_device();
  Session session(info);
  try {
    session.kernel({"viterbi.cl"}, "viterbi", "-cl-std=CL1.2 -DLANES=5 -DROWS=4 -DGROUP=1 -DLOW=0");
    FAIL() << "5 lanes do not build";
  } catch (const OpenClError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.rfind(info.name + ": viterbi.cl does not build with ", 0), 0U) << text;
    EXPECT_NE(text.find("lanes_t"), std::string::npos) << text;
  }
}

TEST(Session, NamesDeviceAndStatusOfAFailedCall) {
  const DeviceInfo info = any_device();
  Session session(info);
  try {
    session.guarded([]() -> int { throw cl::Error(CL_OUT_OF_RESOURCES, "clFinish"); });
    FAIL();
  } catch (const OpenClError& error) {
    EXPECT_EQ(std::string(error.what()), info.name + ": clFinish failed with CL_OUT_OF_RESOURCES");
    EXPECT_EQ(error.code(), CL_OUT_OF_RESOURCES);
  }
  EXPECT_THROW(session.kernel({"absent.cl"}, "x", ""), OpenClError);
  EXPECT_THROW(session.kernel({"viterbi.cl"}, "absent", build_options(choose_variant(info), -1000)),
               OpenClError);
}

TEST(Session, RefusesADeviceThatIsGone) {
  DeviceInfo info = any_device();
  info.index = 1000;
  EXPECT_THROW(Session{info}, OpenClError);
}

TEST(KernelSources, AreEmbedded) {
  ASSERT_EQ(kernel_sources().count("viterbi.cl"), 1U);
  EXPECT_NE(kernel_sources().at("viterbi.cl").find("__kernel"), std::string::npos);
}

TEST(StatusName, KnownAndUnknown) {
  EXPECT_EQ(status_name(CL_MEM_OBJECT_ALLOCATION_FAILURE), "CL_MEM_OBJECT_ALLOCATION_FAILURE");
  EXPECT_EQ(status_name(-9999), "OpenCL status -9999");
  EXPECT_TRUE(is_out_of_memory(CL_OUT_OF_RESOURCES));
  EXPECT_FALSE(is_out_of_memory(CL_INVALID_KERNEL_ARGS));
}

}  // namespace
}  // namespace gpuhmm
