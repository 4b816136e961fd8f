// Multiple alignments as HMMER 2.3.2's programs write them, in several formats (docs/spec/alignment.md,
// 11.3).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/report/text_sink.hpp"
#include "formats/sequence/alignment.hpp"
#include "formats/sequence/sequence_format.hpp"

namespace gpuhmm {

/// Rows with the same number of columns each, and what is said of them all; empty texts are not written.
struct MultipleAlignment {
  std::string id, description, author;
  std::vector<AlignmentRow> rows;
  std::string reference;  ///< a character for each column
};

struct AlignmentStyle {
  SequenceFormat format = SequenceFormat::Stockholm;
  bool one_line = false;  ///< Stockholm only: every row on one line, not in blocks of 50 columns
  std::string date;       ///< MSF only: the date in the header
};

/// The format of that name, in upper or lower case, if alignments can be written in it.
std::optional<SequenceFormat> alignment_format_from_name(std::string_view name);
/// The names of these formats, separated by commas, for messages.
std::string alignment_format_names();

/// The format as HMMER 2.3.2's reports name it.
std::string_view alignment_format_label(SequenceFormat format);

/// Writes the alignment in one of these formats.
void write_alignment(const TextSink& out, const MultipleAlignment& alignment, const AlignmentStyle& style);

}  // namespace gpuhmm
