// Lists the OpenCL devices and selects one of them.
#include "gpuhmm/device.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <stdexcept>

#include "opencl/enumerate.hpp"

namespace gpuhmm {

namespace {

// Information strings may end with a zero byte and blanks.
std::string trimmed(std::string text) {
  const auto blank = [](char c) { return c == '\0' || std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && blank(text.back())) text.pop_back();
  const auto first = std::find_if_not(text.begin(), text.end(), blank);
  text.erase(text.begin(), first);
  return text;
}

DeviceType type_of(const cl::Device& device) {
  const cl_device_type type = device.getInfo<CL_DEVICE_TYPE>();
  if ((type & CL_DEVICE_TYPE_GPU) != 0) return DeviceType::Gpu;
  if ((type & CL_DEVICE_TYPE_CPU) != 0) return DeviceType::Cpu;
  return DeviceType::Other;
}

DeviceInfo describe(const cl::Platform& platform, const cl::Device& device) {
  DeviceInfo info;
  info.platform = trimmed(platform.getInfo<CL_PLATFORM_NAME>());
  info.name = trimmed(device.getInfo<CL_DEVICE_NAME>());
  info.vendor = trimmed(device.getInfo<CL_DEVICE_VENDOR>());
  info.driver = trimmed(device.getInfo<CL_DRIVER_VERSION>());
  info.version = trimmed(device.getInfo<CL_DEVICE_VERSION>());
  info.type = type_of(device);
  info.memory = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
  info.max_allocation = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  info.local_memory = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  info.compute_units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  info.vector_width = device.getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_INT>();
  info.max_work_group = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
  return info;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::optional<std::size_t> as_index(std::string_view spec) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(spec.data(), spec.data() + spec.size(), value);
  if (error != std::errc() || end != spec.data() + spec.size()) return std::nullopt;
  return value;
}

const DeviceInfo* first_gpu(const std::vector<DeviceInfo>& devices) {
  const auto gpu = std::find_if(devices.begin(), devices.end(),
                                [](const DeviceInfo& device) { return device.type == DeviceType::Gpu; });
  return gpu == devices.end() ? nullptr : &*gpu;
}

std::string listing(const std::vector<DeviceInfo>& devices) {
  if (devices.empty()) return "there are no OpenCL devices";
  std::string text = "the OpenCL devices are";
  for (const DeviceInfo& device : devices) {
    text += (device.index == 0 ? " " : ", ") + std::to_string(device.index) + " \"" + device.name + "\" (" +
            std::string(type_name(device.type)) + ")";
  }
  return text;
}

}  // namespace

std::string_view type_name(DeviceType type) {
  switch (type) {
    case DeviceType::Cpu:
      return "CPU";
    case DeviceType::Gpu:
      return "GPU";
    case DeviceType::Other:
      break;
  }
  return "other";
}

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> result;
  for (const PlatformDevice& found : enumerate_devices()) {
    result.push_back(describe(found.platform, found.device));
    result.back().index = result.size() - 1;
  }
  return result;
}

std::optional<DeviceInfo> select_device(const std::vector<DeviceInfo>& devices, std::string_view spec) {
  if (spec == "none") return std::nullopt;
  if (spec == "auto" || spec == "all") {
    if (const DeviceInfo* const gpu = first_gpu(devices)) return *gpu;
    if (spec == "auto") return std::nullopt;
    throw std::invalid_argument("device \"all\" means every GPU, and there is none: " + listing(devices) +
                                "; expected auto, none, or the number or name of one of these");
  }
  if (const auto index = as_index(spec)) {
    if (*index < devices.size()) return devices[*index];
  } else if (!spec.empty()) {
    const auto named = std::find_if(devices.begin(), devices.end(), [&](const DeviceInfo& device) {
      return lower(device.name).find(lower(spec)) != std::string::npos;
    });
    if (named != devices.end()) return *named;
  }
  throw std::invalid_argument("no OpenCL device \"" + std::string(spec) + "\": " + listing(devices) +
                              "; expected auto, none, all, a number or part of a name");
}

}  // namespace gpuhmm
