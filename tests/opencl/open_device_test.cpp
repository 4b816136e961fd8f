// An open device builds its kernels once, and its errors are one line with its name.
#include "opencl/open_device.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <thread>

#include "gpuhmm/device.hpp"
#include "opencl/any_device.hpp"
#include "opencl/kernel_set.hpp"
#include "opencl/when_available.hpp"

namespace gpuhmm {
namespace {

using testing::any_device;
using testing::small_sources;

const std::vector<std::string> kFiles = {"factor.cl", "multiply.cl"};

cl_program program_of(const cl::Kernel& kernel) { return kernel.getInfo<CL_KERNEL_PROGRAM>()(); }

// The failure of body(); an empty one if there is none.
template <class Body>
EngineFailure failure_of(const Body& body) {
  try {
    body();
  } catch (const EngineFailure& failure) {
    return failure;
  }
  return EngineFailure("");
}

TEST(OpenDevice, BuildsAProgramOnceForAllThreads) {
  const OpenDevice device(any_device(), small_sources());
  std::vector<cl::Kernel> kernels(4);
  {
    std::vector<std::jthread> threads;
    for (cl::Kernel& kernel : kernels) {
      threads.emplace_back([&] { kernel = device.kernel(kFiles, "multiply", "-cl-std=CL1.2"); });
    }
  }
  std::set<cl_kernel> own;
  for (const cl::Kernel& kernel : kernels) {
    EXPECT_EQ(program_of(kernel), program_of(kernels[0]));
    own.insert(kernel());
  }
  EXPECT_EQ(own.size(), kernels.size()) << "a kernel belongs to one thread";
  const cl::Kernel other = device.kernel(kFiles, "multiply", "-cl-std=CL1.2 -DUNUSED");
  EXPECT_NE(program_of(other), program_of(kernels[0]));
}

TEST(WhenAvailable, TriesAgainWhileAnotherProcessHasTheDevice) {
  using std::chrono::milliseconds;
  int tries = 0;
  const auto open_at = [&](int needed, cl_int status) {
    tries = 0;
    return [&tries, needed, status] {
      if (++tries < needed) throw cl::Error(status, "clCreateContext");
      return tries;
    };
  };
  EXPECT_EQ(when_available(open_at(1, CL_DEVICE_NOT_AVAILABLE)), 1);
  EXPECT_EQ(when_available(open_at(3, CL_DEVICE_NOT_AVAILABLE), milliseconds(0)), 3);
  EXPECT_EQ(when_available(open_at(20, CL_OUT_OF_RESOURCES), milliseconds(0)), 20);
  EXPECT_THROW(when_available(open_at(21, CL_OUT_OF_RESOURCES), milliseconds(0)), cl::Error);
  EXPECT_EQ(tries, 20);
  EXPECT_THROW(when_available(open_at(2, CL_INVALID_DEVICE), milliseconds(0)), cl::Error);
  EXPECT_EQ(tries, 1);
}

TEST(ProgramCache, BuildsAheadWhatIsUsedLater) {
  const OpenDevice device(any_device(), small_sources());
  ProgramCache programs(device.context(), device.device(), "device", small_sources());
  for (int round = 0; round < 2; ++round) programs.begin(kFiles, "-cl-std=CL1.2");
  programs.begin({"missing.cl"}, "");
  const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (programs.build_seconds() == 0 && std::chrono::steady_clock::now() < late) std::this_thread::yield();
  EXPECT_GT(programs.build_seconds(), 0) << "nobody has begun";
  const cl::Program built = programs.program(kFiles, "-cl-std=CL1.2");
  EXPECT_EQ(built(), programs.program(kFiles, "-cl-std=CL1.2")());
  EXPECT_THROW(programs.program({"missing.cl"}, ""), EngineFailure);
}

TEST(OpenDevice, TellsWhatWasTakenOfIt) {
  const DeviceInfo info = any_device();
  const OpenDevice device(info, small_sources());
  EXPECT_EQ(device.costs("it").device, "it");
  EXPECT_EQ(device.costs("it").bytes, 0U);
  EXPECT_EQ(device.costs("it").memory, info.memory);
  EXPECT_EQ(device.costs("it").build_seconds, 0);
  device.kernel(kFiles, "multiply", "-cl-std=CL1.2");
  const double once = device.costs("it").build_seconds;
  EXPECT_GT(once, 0);
  device.kernel(kFiles, "multiply", "-cl-std=CL1.2");
  EXPECT_EQ(device.costs("it").build_seconds, once);
  { const cl::Buffer buffer = device.buffer<double>(100); }
  EXPECT_EQ(device.costs("it").bytes, 800U);
}

TEST(OpenDevice, ReportsTheFirstErrorOfAFailedBuildInOneLine) {
  const DeviceInfo info = any_device();
  const OpenDevice device(info, small_sources());
  for (int turn = 0; turn < 2; ++turn) {  // built, and known to fail
    const EngineFailure failure =
        failure_of([&] { device.kernel({"multiply.cl"}, "multiply", "-cl-std=CL1.2 -DX"); });
    const std::string text = failure.what();
    EXPECT_TRUE(text.starts_with(info.name + ": multiply.cl does not build with -cl-std=CL1.2 -DX (CL_"))
        << text;
    EXPECT_NE(text.find("FACTOR"), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    EXPECT_LT(failure.status(), 0);
  }
}

TEST(OpenDevice, RefusesMissingFilesAndKernels) {
  const DeviceInfo info = any_device();
  const OpenDevice device(info, small_sources());
  EXPECT_EQ(std::string(failure_of([&] { device.kernel({"absent.cl"}, "x", ""); }).what()),
            info.name + ": there is no kernel file absent.cl");
  EXPECT_EQ(failure_of([&] { device.kernel(kFiles, "absent", "-cl-std=CL1.2"); }).status(),
            CL_INVALID_KERNEL_NAME);
}

TEST(OpenDevice, NamesDeviceAndStatusOfAFailedCall) {
  const DeviceInfo info = any_device();
  const OpenDevice device(info);
  const EngineFailure failure =
      failure_of([&] { device.guarded([] { throw cl::Error(CL_OUT_OF_RESOURCES, "clFinish"); }); });
  EXPECT_EQ(std::string(failure.what()), info.name + ": clFinish failed with CL_OUT_OF_RESOURCES");
  EXPECT_EQ(failure.status(), CL_OUT_OF_RESOURCES);
  EXPECT_TRUE(failure.out_of_memory());
}

TEST(OpenDevice, RefusesADeviceThatIsGone) {
  DeviceInfo info = any_device();
  info.index = 1000;
  EXPECT_THROW(OpenDevice{info}, EngineFailure);
}

TEST(KernelSet, KeepsItsKernels) {
  const OpenDevice device(any_device(), small_sources());
  KernelSet kernels(device, kFiles, "-cl-std=CL1.2");
  const cl_kernel first = kernels["multiply"]();
  EXPECT_EQ(kernels["multiply"](), first);
  EXPECT_THROW(kernels["absent"], EngineFailure);
}

TEST(KernelSources, AreEmbedded) {
  ASSERT_EQ(kernel_sources().count("viterbi.cl"), 1U);
  EXPECT_NE(kernel_sources().at("viterbi.cl").find("__kernel"), std::string::npos);
}

TEST(StatusName, NamesKnownStatusesAndNumbersOthers) {
  EXPECT_EQ(status_name(CL_MEM_OBJECT_ALLOCATION_FAILURE), "CL_MEM_OBJECT_ALLOCATION_FAILURE");
  EXPECT_EQ(status_name(-9999), "OpenCL status -9999");
  EXPECT_FALSE(EngineFailure("", CL_INVALID_KERNEL_ARGS).out_of_memory());
  EXPECT_FALSE(EngineFailure("").out_of_memory());
}

}  // namespace
}  // namespace gpuhmm
