// What benchmarks of HMMER3's stages on a device take from their command line.
#pragma once

#include <boost/program_options.hpp>
#include <deque>
#include <exception>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "gpuhmm/device.hpp"
#include "gpuhmm/hmmer3_profile_file.hpp"
#include "hmmer3/search_profile.hpp"

namespace gpuhmm::bench {

struct Hmmer3Inputs {
  std::string profiles, sequences;  ///< files
  DeviceInfo device;
  int runs = 0;
  unsigned threads = 0;
};

/// Reads these options and those that `description` already has; nothing after --help, which prints them.
/// Throws if there is no such device.
inline std::optional<Hmmer3Inputs> hmmer3_inputs(int argc, char** argv,
                                                 boost::program_options::options_description& description) {
  namespace po = boost::program_options;
  Hmmer3Inputs read;
  std::string spec;
  description.add_options()("help,h", "list the options")("profiles", po::value(&read.profiles)->required(),
                                                          "HMMER3 profiles")(
      "sequences", po::value(&read.sequences)->required(), "sequence file")(
      "device", po::value(&spec)->default_value("auto"), "device, as for gpuhmm")(
      "runs", po::value(&read.runs)->default_value(3), "measurements")(
      "threads", po::value(&read.threads)->default_value(4), "host threads");
  po::variables_map given;
  po::store(po::parse_command_line(argc, argv, description), given);
  if (given.count("help") != 0) {
    std::cout << description;
    return std::nullopt;
  }
  po::notify(given);
  const std::optional<DeviceInfo> device = select_device(list_devices(), spec);
  if (!device) throw std::invalid_argument("there is no such device");
  read.device = *device;
  return read;
}

/// The profiles of a file, at least one.
inline std::deque<hmmer3::SearchProfile> read_profiles(const std::string& path) {
  std::deque<hmmer3::SearchProfile> profiles;
  hmmer3::ProfileReader reader(path);
  while (std::optional<hmmer3::Profile> profile = reader.next()) profiles.emplace_back(std::move(*profile));
  if (profiles.empty()) throw std::invalid_argument("there is no profile");
  return profiles;
}

/// run()'s exit code; 1 after an exception, whose text goes to stderr.
template <class Run>
int exit_code(const char* program, const Run& run) {
  try {
    return run();
  } catch (const std::exception& error) {
    std::cerr << program << ": " << error.what() << "\n";
    return 1;
  }
}

}  // namespace gpuhmm::bench
