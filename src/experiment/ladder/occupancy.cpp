// Computes occupancy from registers, local memory and work-group size.
#include "experiment/ladder/occupancy.hpp"

#include <algorithm>
#include <string>

namespace gpuhmm::experiment::ladder {

namespace {

constexpr cl_device_info kMajor = 0x4000;  // CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV
constexpr cl_device_info kMinor = 0x4001;
constexpr int kWarp = 32;

int rounded_up(int number, int unit) { return (number + unit - 1) / unit * unit; }

}  // namespace

std::optional<Multiprocessor> multiprocessor_of(const OpenDevice& device) {
  if (device.info().platform.find("NVIDIA") == std::string::npos) return std::nullopt;
  cl_uint major = 0, minor = 0;
  device.guarded([&] {
    device.device().getInfo(kMajor, &major);
    device.device().getInfo(kMinor, &minor);
  });
  if (major == 8 && minor == 0) return Multiprocessor{65'536, 64, 32, 167'936, 256, 4};
  if (major == 9 && minor == 0) return Multiprocessor{65'536, 64, 32, 233'472, 256, 4};
  return std::nullopt;
}

double occupancy(const Multiprocessor& on, int registers, std::size_t local_bytes, std::size_t group) {
  const int warps = rounded_up(static_cast<int>(group), kWarp) / kWarp;
  const int of_registers = on.registers / rounded_up(std::max(registers, 1) * kWarp, on.register_unit) /
                           on.warp_unit * on.warp_unit;
  int groups = std::min({on.groups, on.warps / warps, of_registers / rounded_up(warps, on.warp_unit)});
  if (local_bytes > 0) groups = std::min(groups, static_cast<int>(on.local_bytes / local_bytes));
  return static_cast<double>(groups * warps) / on.warps;
}

}  // namespace gpuhmm::experiment::ladder
