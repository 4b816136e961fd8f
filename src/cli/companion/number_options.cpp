// Reads the options of raw files.
#include "cli/companion/number_options.hpp"

#include "cli/options.hpp"

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

}  // namespace gpuhmm::cli
