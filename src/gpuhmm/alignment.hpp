// Multiple alignments: reading the files that hold them, and writing them as HMMER 2.3.2's programs do
// (docs/spec/alignment.md, 11.3).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gpuhmm/output.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm {

class Input;
class LineSource;

/// One sequence of a multiple alignment.
struct AlignmentRow {
  std::string name;
  std::string accession, description;  ///< as in SequenceView
  std::string text;                    ///< residues and gaps
  std::optional<float> weight = {};
};

/// What is said of an alignment as a whole; empty where nothing is said. Score cut-offs are as written.
struct AlignmentAnnotation {
  std::string id, accession, description;
  std::string gathering, trusted, noise;
  std::string reference, structure, accessibility;  ///< a character a column
};

/// A multiple alignment while it is read and afterwards.
class Alignment {
 public:
  AlignmentAnnotation annotation;

  const std::vector<AlignmentRow>& rows() const { return rows_; }
  AlignmentRow& operator[](std::size_t i) { return rows_[i]; }
  bool has(std::string_view name) const { return index_.contains(std::string(name)); }
  /// The row of that name, added if there is none.
  AlignmentRow& row(std::string_view name, LineSource& lines);
  /// Adds a row even if there is one of that name.
  AlignmentRow& add(std::string_view name, LineSource& lines);
  /// Notes `columns` more characters of an annotation with one a column; `label`: how it is called in the
  /// file.
  void count_annotated(const std::string& label, std::size_t columns, LineSource& lines);
  /// Throws FileError at `lines` unless there are rows, all of the same length and not empty, and the
  /// annotation of columns has that length, too.
  void check(const LineSource& lines) const;

 private:
  std::vector<AlignmentRow> rows_;
  std::unordered_map<std::string, std::size_t> index_;  // of the first row of each name
  std::map<std::string, std::size_t> annotated_;        // characters by label
};

/// The first alignment of a file, plain or gzip, "-" for standard input; its format is detected.
/// Throws FileError (see Input; not an alignment; rows of different length).
Alignment read_alignment(const std::string& path);

/// All alignments of a file, of which only Stockholm files have several.
class AlignmentFile {
 public:
  /// Opens `path` (see read_alignment); `format`: what it is, by default detected.
  explicit AlignmentFile(const std::string& path, std::optional<SequenceFormat> format = std::nullopt);
  ~AlignmentFile();
  AlignmentFile(AlignmentFile&&) noexcept;
  AlignmentFile& operator=(AlignmentFile&&) noexcept;

  SequenceFormat format() const { return format_; }
  const std::string& name() const;
  /// The next alignment; none at the end of the file. Throws FileError.
  std::optional<Alignment> next();
  /// The part of the file that has been read, 0 to 1; nothing for pipes.
  std::optional<double> fraction_read() const;

 private:
  AlignmentFile(std::unique_ptr<Input> input, std::optional<SequenceFormat> format);

  SequenceFormat format_;
  std::unique_ptr<LineSource> lines_;
};

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

/// The GCG checksum of a row: the codes of its letters in upper case, weighted by 1 to 57 over and over,
/// modulo 10,000.
int gcg_checksum(std::string_view row);
/// The checksum of an alignment, by which a profile's CKSUM knows the alignment that it was built from.
int gcg_checksum(const std::vector<AlignmentRow>& rows);

/// Writes the alignment; whether it says nucleic or protein is guessed from the letters of its rows. `date`
/// is shown in the header.
void write_msf(const TextSink& out, const MultipleAlignment& alignment, std::string_view date);

}  // namespace gpuhmm
