// The two things that `gpuhmm segments` does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/command.hpp"
#include "companion/segments/scales.hpp"

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
  std::string device;
  unsigned threads = 1;
  bool quiet = false;
  bool statistics = false;
};

/// The decimal number that the option was given. Throws UsageError.
Decimal decimal_option(const boost::program_options::variables_map& given, const char* name);

/// Hydrophobic regions of the proteins in a sequence file.
int run_protein_segments(const SegmentsOptions& options, const boost::program_options::variables_map& given);
/// Segments of one vector of numbers.
int run_number_segments(const SegmentsOptions& options, const boost::program_options::variables_map& given);

}  // namespace gpuhmm::cli
