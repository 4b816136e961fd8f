// Reads the options that the commands on numbers share.
#include "cli/companion/number_options.hpp"

#include <stdexcept>

#include "cli/options.hpp"
#include "gpuhmm/engine.hpp"

namespace gpuhmm::cli {

void add_raw_options(OptionTable& all) {
  all.add("dtype", one_of("T", {"int32", "int64", "float32", "float64"}, false),
          "the file is raw numbers of type int32, int64, float32 or float64");
  all.add("big-endian", "raw numbers are big-endian (default: little-endian)");
}

NumberOptions raw_options_from(const Arguments& arguments) {
  NumberOptions reading;
  if (const std::optional<std::string> name = arguments.text("dtype")) {
    reading.format = NumberFormat::Raw;
    reading.type = number_type_of(*name);
  }
  reading.big_endian = arguments.has("big-endian");
  if (reading.big_endian && !reading.type) throw UsageError("--big-endian needs --dtype");
  return reading;
}

std::optional<DeviceInfo> one_device(const std::string& spec, bool worth_starting) {
  if (spec.find(',') != std::string::npos) {
    throw UsageError("option '--device' expects one device: this command does not share its work");
  }
  if (spec == "none" || (spec == "auto" && !worth_starting)) return std::nullopt;
  try {
    return select_device(list_devices(), spec);
  } catch (const std::invalid_argument& error) {
    throw DeviceError(error.what());
  }
}

}  // namespace gpuhmm::cli
