// What the commands on numbers share: raw files, numbers as text, one device.
#pragma once

#include <optional>
#include <string>

#include "cli/command.hpp"
#include "formats/numbers/numbers.hpp"
#include "opencl/device.hpp"
#include "util/int128.hpp"

namespace gpuhmm::cli {

/// Adds --dtype and --big-endian.
void add_raw_options(OptionTable& all);
/// Reads them. Throws UsageError.
NumberOptions raw_options_from(const Arguments& arguments);

/// The device that `spec` names: none for "none" and, unless `worth_starting`, for "auto"; "all" is the first
/// GPU. Throws UsageError for several devices, DeviceError if there is no such device.
std::optional<DeviceInfo> one_device(const std::string& spec, bool worth_starting);

/// The shortest text that reads as the same number of this type; "nan", "inf".
std::string number_text(std::int64_t value);
std::string number_text(float value);
std::string number_text(double value);
inline std::string number_text(std::int32_t value) { return number_text(std::int64_t{value}); }
inline std::string number_text(Int128 value) { return to_string(value); }

}  // namespace gpuhmm::cli
