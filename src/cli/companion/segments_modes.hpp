// The two modes of `gpuhmm segments`: sequences and numbers.
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
  std::optional<std::string> scale;      // value of --scale
  std::optional<std::string> min_score;  // unparsed: a decimal for sequences, any number for numbers
  std::optional<std::uint64_t> min_length, top;
  unsigned threads = 1;
};

/// Writes the regions of the sequences in a file: hydrophobic ones of proteins, those of nucleic sequences.
void run_sequence_segments(const SegmentsOptions& options, const Arguments& arguments);
/// Writes the segments of one vector of numbers.
void run_number_segments(const SegmentsOptions& options, const Arguments& arguments);

}  // namespace gpuhmm::cli
