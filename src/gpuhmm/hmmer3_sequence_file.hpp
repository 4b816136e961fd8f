// What is wrong with a sequence file in HMMER 3.3.2's words, and its names of formats
// (docs/spec/hmmer3/profile-and-configuration.md, 4; reports.md, 9). open_sequences (sequence_file.hpp) reads
// the files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gpuhmm/error.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm::hmmer3 {

/// An error that HMMER3 has words for.
class SequenceFileError : public FileError {
 public:
  SequenceFileError(const std::string& what, std::string hmmer3_text, bool labelled)
      : FileError(what), hmmer3_text_(std::move(hmmer3_text)), labelled_(labelled) {}
  /// What hmmsearch or hmmscan print to standard error, with all its line ends but the last one; if labelled(),
  /// without the empty line and `Error: ` before it.
  const std::string& hmmer3_text() const { return hmmer3_text_; }
  /// Whether HMMER3 prints an empty line and `Error: ` before the text.
  bool labelled() const { return labelled_; }

 private:
  std::string hmmer3_text_;
  bool labelled_;
};

/// The format with this name in HMMER3's --tformat and --qformat, in upper or lower case. Throws
/// SequenceFileError if HMMER3 does not know it, FileError if only gpuhmm does not.
SequenceFormat sequence_format_from_name(std::string_view name);

}  // namespace gpuhmm::hmmer3
