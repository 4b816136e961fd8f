// OpenCL devices: lists them, selects those that the user names, and defines their errors and the kernel
// settings measured for them. Uses no OpenCL types.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "gpuhmm/error.hpp"

namespace gpuhmm {

/// An engine or its device failed: out of memory, a kernel that does not build, a lost device. Its work must
/// be repeated elsewhere. what() is one line.
class EngineFailure : public std::runtime_error {
 public:
  /// `status`: status of the failed OpenCL call, a negative number; 0 if none failed.
  explicit EngineFailure(const std::string& message, int status = 0)
      : std::runtime_error(message), status_(status) {}

  int status() const { return status_; }
  /// True if the device was out of memory, so that a smaller request may succeed.
  bool out_of_memory() const;

 private:
  int status_;
};

/// Name of an OpenCL status, such as "CL_OUT_OF_RESOURCES"; "OpenCL status -9999" for unknown ones.
std::string status_name(int status);

enum class DeviceType : std::uint8_t { Cpu, Gpu, Other };

/// Description of a device. Plain data without OpenCL objects.
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

/// What a run takes of a device.
struct DeviceCosts {
  std::string device;        ///< one line of text
  std::uint64_t bytes = 0;   ///< the most memory that buffers took at a time
  std::uint64_t memory = 0;  ///< all that it has, bytes
  double build_seconds = 0;  ///< seconds in which at least one of its programs was being built
};

/// "CPU", "GPU" or "other".
std::string_view type_name(DeviceType type);

/// All devices of all platforms, platforms in the loader's order. A platform that cannot be queried (a driver
/// without its hardware, for example) counts as having no devices.
std::vector<DeviceInfo> list_devices();

/// Chooses a device: "none" gives nothing; "auto" the first GPU, or nothing; "all" the first GPU; a number
/// the device with that index; anything else the first device whose name contains it, in upper or lower case.
/// Throws std::invalid_argument, in one line, with a list of the devices.
std::optional<DeviceInfo> select_device(const std::vector<DeviceInfo>& devices, std::string_view spec);

/// A requested device cannot be used. what() is one line. Ends the program with exit code 3.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Devices named by the user.
struct NamedDevices {
  std::vector<DeviceInfo> devices;  ///< at least one
  bool host_too = false;            ///< the host ("none") is named as well
};

/// Looks up `spec`: "all" (every GPU), the name or index of an OpenCL device, or several devices and "none"
/// separated by commas. Throws DeviceError if there is no such device.
NamedDevices named_devices(const std::string& spec);

/// Kernel settings by name. Settings that are absent keep their built-in values.
using DeviceSettings = std::map<std::string, std::int64_t>;

/// The values that a setting may have: from `least` to `most` in steps of `step`, or the powers of two among
/// them.
struct SettingRange {
  std::int64_t least, most, step = 1;
  bool powers_of_two = false;

  bool holds(std::int64_t value) const {
    return value >= least && value <= most && (value - least) % step == 0 &&
           (!powers_of_two || std::has_single_bit(static_cast<std::uint64_t>(value)));
  }
  /// What is expected, in words.
  std::string text() const {
    return (powers_of_two ? "a power of two from " : "") + std::to_string(least) + " to " +
           std::to_string(most) + (step > 1 ? " in steps of " + std::to_string(step) : std::string());
  }
};

/// All settings of a variant. visit_settings(variant, visit) must be declared for it and call visit(name,
/// field, range) for every field that can be tuned.
template <class Variant>
DeviceSettings settings_of(Variant variant) {
  DeviceSettings settings;
  visit_settings(variant, [&](const char* name, auto& field, const SettingRange&) {
    settings[name] = static_cast<std::int64_t>(field);
  });
  return settings;
}

/// Returns `variant` with the fields named in `settings` replaced. Throws std::invalid_argument, in one line,
/// for an unknown name and for a value out of range.
template <class Variant>
Variant with_settings(Variant variant, DeviceSettings settings) {
  visit_settings(variant, [&]<class Field>(const char* name, Field& field, const SettingRange& range) {
    const auto found = settings.find(name);
    if (found == settings.end()) return;
    if (!range.holds(found->second)) {
      throw std::invalid_argument(std::string(name) + " is " + std::to_string(found->second) + "; expected " +
                                  range.text());
    }
    field = static_cast<Field>(found->second);
    settings.erase(found);
  });
  if (!settings.empty()) throw std::invalid_argument("there is no setting " + settings.begin()->first);
  return variant;
}

/// Settings (name -> value) by device name.
using DeviceTable = std::map<std::string, std::map<std::string, std::int64_t>>;

/// Path of the user's table: $GPUHMM_DEVICES, else $XDG_CONFIG_HOME/gpuhmm/devices.json, else
/// ~/.config/gpuhmm/devices.json; empty if none of these variables is set.
std::string device_table_path();

/// Reads a table. A missing file and an empty path give an empty table. Throws FileError for a file that
/// cannot be read or is not a table.
DeviceTable read_device_table(const std::string& path);

/// Replaces the table at `path` and makes missing folders. Throws FileError.
void write_device_table(const std::string& path, const DeviceTable& table);

}  // namespace gpuhmm
