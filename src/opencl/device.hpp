// Which OpenCL devices there are, and the user's choice among them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuhmm {

enum class DeviceType : std::uint8_t { Cpu, Gpu, Other };

/// What is known of a device. Plain data: no OpenCL object lives in it.
struct DeviceInfo {
  std::size_t index = 0;  ///< place in list_devices(), counted from 0
  std::string platform;
  std::string name;
  std::string vendor;
  std::string driver;   ///< driver version
  std::string version;  ///< OpenCL version of the device
  DeviceType type = DeviceType::Other;
  std::uint64_t memory = 0;          ///< global memory, bytes
  std::uint64_t max_allocation = 0;  ///< largest single buffer, bytes
  std::uint64_t local_memory = 0;    ///< local memory of a work-group, bytes
  unsigned compute_units = 0;
  unsigned vector_width = 1;  ///< native vector width for 32-bit integers
  std::size_t max_work_group = 1;
};

/// "CPU", "GPU" or "other".
std::string_view type_name(DeviceType type);

/// All devices of all platforms, platforms in the loader's order. Empty without any platform. A platform that
/// cannot be asked (a driver without its hardware, say) has no devices.
std::vector<DeviceInfo> list_devices();

/// Chooses by `spec`: "none" gives nothing; "auto" the first GPU, or nothing; "all" the first GPU; a number
/// the device of that index; anything else the first device whose name contains it, in upper or lower case.
/// Throws std::invalid_argument with one line that lists what there is.
std::optional<DeviceInfo> select_device(const std::vector<DeviceInfo>& devices, std::string_view spec);

}  // namespace gpuhmm
