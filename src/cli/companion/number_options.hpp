// Options that the commands on numbers share: raw files and one device.
#pragma once

#include <optional>
#include <string>

#include "cli/command.hpp"
#include "formats/numbers/numbers.hpp"
#include "gpuhmm/device.hpp"

namespace gpuhmm::cli {

/// Adds --dtype and --big-endian.
void add_raw_options(OptionTable& all);
/// The values of these options. Throws UsageError.
NumberOptions raw_options_from(const Arguments& arguments);

/// The device that `spec`, a value of --device, names. "all" is the first GPU. No device for "none", nor for
/// "auto" unless `worth_starting`. Throws UsageError for several devices, DeviceError if there is no such
/// device.
std::optional<DeviceInfo> one_device(const std::string& spec, bool worth_starting);

}  // namespace gpuhmm::cli
