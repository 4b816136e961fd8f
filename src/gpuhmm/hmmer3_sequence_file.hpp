// Sequence files as HMMER 3.3.2's programs open them, and what is wrong with a file in their words
// (docs/spec/hmmer3/profile-and-configuration.md, 4; reports.md, 9).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gpuhmm/error.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm {
class Input;
}

namespace gpuhmm::hmmer3 {

/// An error in a sequence file that HMMER3 has words for.
class SequenceFileError : public FileError {
 public:
  /// `labelled`: HMMER3 prints an empty line and `Error: ` before the text.
  SequenceFileError(const std::string& what, std::string hmmer3_text, bool labelled)
      : FileError(what), hmmer3_text_(std::move(hmmer3_text)), labelled_(labelled) {}
  /// What hmmsearch and hmmscan say behind the label, if there is one, with all its line ends but the last
  /// one.
  const std::string& hmmer3_text() const { return hmmer3_text_; }
  bool labelled() const { return labelled_; }

 private:
  std::string hmmer3_text_;
  bool labelled_;
};

/// Damage in a sequence file.
class ParseFailure : public SequenceFileError {
 public:
  /// `message` is what is wrong, `line` HMMER3's line behind `Parse failed (sequence file NAME):`.
  ParseFailure(const std::string& name, std::string message, std::string line);
  const std::string& message() const { return message_; }
  const std::string& line() const { return line_; }

 private:
  std::string message_, line_;
};

/// The format with this name in HMMER3's --tformat and --qformat, in upper or lower case. Nothing if HMMER3
/// or gpuhmm does not know it (gpuhmm does not: psiblast, phylips, hmmpgmd, ncbi, daemon, fmindex).
std::optional<SequenceFormat> sequence_format_from_name(std::string_view name);

/// A file opened as HMMER3 does, before an alphabet is known. HMMER3's detection of formats goes by the
/// suffixes .fa and .gb, then by the first line, and reads gzip data only from names that end in .gz; a file
/// that it takes for another format is taken for that format here, too. open_sequences with a HMMER3 alphabet
/// detects formats by content and reads the same records from them.
class SequenceFile {
 public:
  /// Opens `path`; "-" is standard input. Throws SequenceFileError: not to be opened, empty, of no known
  /// format.
  explicit SequenceFile(std::string path, std::optional<SequenceFormat> format = std::nullopt);
  ~SequenceFile();
  SequenceFile(SequenceFile&&) noexcept;
  SequenceFile& operator=(SequenceFile&&) noexcept;

  /// A reader at the first sequence, for one of HMMER3's alphabets; a file may have none. Throws
  /// SequenceFileError at the second call for standard input and for names that end in .gz, as HMMER3 cannot
  /// rewind them.
  std::unique_ptr<SequenceReader> open(const Alphabet& alphabet);

 private:
  std::string path_;
  SequenceFormat format_;
  std::unique_ptr<Input> input_;  // none if it was handed to a reader
};

}  // namespace gpuhmm::hmmer3
