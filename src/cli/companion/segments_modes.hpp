// The two things that `gpuhmm segments` does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/command.hpp"

namespace gpuhmm::cli {

/// Options that both share.
struct SegmentsOptions {
  std::string input;   // as given
  std::string output;  // "-": standard output
  std::optional<std::string> plot;
  std::string format;  // of the output; empty: TSV
  bool best = false, all = false;
  std::optional<std::string> min_score;  // as given: proteins take a decimal, numbers any number
  std::optional<std::uint64_t> min_length, top;
  unsigned threads = 1;
};

/// Hydrophobic regions of the proteins in a sequence file.
void run_protein_segments(const SegmentsOptions& options, const Arguments& arguments);
/// Segments of one vector of numbers.
void run_number_segments(const SegmentsOptions& options, const Arguments& arguments);

}  // namespace gpuhmm::cli
