// Options of benchmarks that measure models of several sizes.
#pragma once

#include <boost/program_options.hpp>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

namespace gpuhmm::bench {

/// What such a benchmark measures.
struct ModelOptions {
  std::vector<int> nodes;  ///< of each model
  int sequences = 0, runs = 0;
};

/// Reads the options, of which `standard` has the defaults; nothing after --help, which prints them.
inline std::optional<ModelOptions> model_options(int argc, char** argv, const std::string& title,
                                                 const ModelOptions& standard) {
  namespace po = boost::program_options;
  ModelOptions read;
  po::options_description description(title);
  description.add_options()("help,h", "list the options")(
      "nodes", po::value(&read.nodes)->multitoken()->default_value(standard.nodes, ""),
      "nodes of the profiles")("sequences", po::value(&read.sequences)->default_value(standard.sequences),
                               "number of sequences")(
      "runs", po::value(&read.runs)->default_value(standard.runs), "measurements, of which the best counts");
  po::variables_map given;
  po::store(po::parse_command_line(argc, argv, description), given);
  po::notify(given);
  if (given.count("help") == 0) return read;
  std::cout << description;
  return std::nullopt;
}

}  // namespace gpuhmm::bench
