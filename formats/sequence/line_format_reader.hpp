// What the readers of flat files share: lines, and the residues of a line.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "formats/sequence/digitiser.hpp"
#include "formats/sequence/illegal_residue.hpp"
#include "formats/sequence/line_source.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm {

/// A reader of files whose residues stand in lines with blanks and numbers.
class LineFormatReader : public SequenceReader {
 public:
  LineFormatReader(std::unique_ptr<Input> input, const Alphabet& alphabet,
                   EmptyInput empty = EmptyInput::Refused)
      : SequenceReader(empty), lines_(std::move(input)), digitiser_(alphabet, text::kDigits) {}

  const std::string& name() const override { return lines_.name(); }
  std::optional<double> fraction_read() const override { return lines_.fraction_read(); }

 protected:
  /// Appends the residues of the current line. Throws FileError for a character that is illegal in the
  /// alphabet.
  void append_residues(SequenceBatch& into) const { append_residues(lines_.line(), into); }
  void append_residues(std::string_view line, SequenceBatch& into) const {
    if (!digitiser_.append(line, into.residue_buffer())) fail_illegal(line[digitiser_.find_illegal(line)]);
    check_residues(into);
  }
  /// Throws FileError for an illegal character in the current line.
  [[noreturn]] virtual void fail_illegal(char found) const { lines_.fail(illegal_residue(found)); }

  LineSource lines_;
  Digitiser digitiser_;
};

}  // namespace gpuhmm
