// `gpuhmm align`.
#pragma once

#include <optional>
#include <string>

#include "cli/command.hpp"
#include "formats/sequence/sequence_reader.hpp"

namespace gpuhmm::cli {

/// One alignment of sequences to a profile.
struct AlignRequest {
  std::string profiles;                  ///< path of the profile
  std::string sequences;                 ///< path
  std::optional<SequenceFormat> format;  ///< of the sequences; told by content if there is none
  EmptyInput empty_input = EmptyInput::Refused;
  std::optional<std::string> output;  ///< where the alignment goes; none: standard output
  SequenceFormat output_format = SequenceFormat::Stockholm;
  std::optional<std::string> mapped_alignment;  ///< path of an alignment to be included, by the profile's map
  std::optional<std::string> fixed_alignment;   ///< the same of one to be aligned as a whole
  bool matches_only = false;
  bool one_line = false;
  bool quiet = false;
  bool check_alphabet = true;       ///< warn of sequences of another alphabet than the profile's
  bool first_profile_only = false;  ///< the file may hold more profiles, which are not used
  unsigned threads = 1;
  bool statistics = false;
};

/// The alignment format of that name. Throws UsageError for unknown names.
SequenceFormat output_format_named(const std::string& name);

/// Aligns and writes; returns the exit code. Throws FileError and NoPath.
int run_align(const AlignRequest& request);

/// The table entry of `gpuhmm align`.
Command align_command();

}  // namespace gpuhmm::cli
