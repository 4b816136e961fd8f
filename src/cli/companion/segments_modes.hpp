// The two modes of `gpuhmm segments`: proteins and numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/command.hpp"

namespace gpuhmm::cli {

/// Options of both modes.
struct SegmentsOptions {
  std::string input;   // path as the user gave it
  std::string output;  // "-": standard output
  std::optional<std::string> plot;
  std::string format;  // value of --format
  bool best = false, all = false;
  std::optional<std::string> min_score;  // unparsed: a decimal for proteins, any number for numbers
  std::optional<std::uint64_t> min_length, top;
  unsigned threads = 1;
};

/// Writes the hydrophobic regions of the proteins in a sequence file.
void run_protein_segments(const SegmentsOptions& options, const Arguments& arguments);
/// Writes the segments of one vector of numbers.
void run_number_segments(const SegmentsOptions& options, const Arguments& arguments);

}  // namespace gpuhmm::cli
