// What the commands on numbers share: raw files, one device.
#pragma once

#include <optional>
#include <string>

#include "cli/command.hpp"
#include "formats/numbers/numbers.hpp"
#include "gpuhmm/device.hpp"

namespace gpuhmm::cli {

/// Adds --dtype and --big-endian.
void add_raw_options(OptionTable& all);
/// Reads them. Throws UsageError.
NumberOptions raw_options_from(const Arguments& arguments);

/// The device that `spec` names: none for "none" and, unless `worth_starting`, for "auto"; "all" is the first
/// GPU. Throws UsageError for several devices, DeviceError if there is no such device.
std::optional<DeviceInfo> one_device(const std::string& spec, bool worth_starting);

}  // namespace gpuhmm::cli
