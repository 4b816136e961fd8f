// Multiple alignments: reads the files that hold them, and writes them as HMMER 2.3.2's programs do
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

/// Annotation of a whole alignment; empty where absent. Score cut-offs are the text of the file.
struct AlignmentAnnotation {
  std::string id, accession, description;
  std::string gathering, trusted, noise;
  std::string reference, structure, accessibility;  ///< one character per column
};

/// A multiple alignment, complete or still being read. Members that take `lines` throw FileError with its
/// position.
class Alignment {
 public:
  AlignmentAnnotation annotation;

  const std::vector<AlignmentRow>& rows() const { return rows_; }
  AlignmentRow& operator[](std::size_t i) { return rows_[i]; }
  bool has(std::string_view name) const { return index_.contains(std::string(name)); }
  /// The row with this name; adds it if there is none.
  AlignmentRow& row(std::string_view name, LineSource& lines);
  /// Adds a row even if there is one with this name.
  AlignmentRow& add(std::string_view name, LineSource& lines);
  /// Counts `columns` more characters of a per-column annotation, called `label` in the file, for check().
  void count_annotated(const std::string& label, std::size_t columns, LineSource& lines);
  /// Throws unless there is a row, all rows have the same length above 0, and so has each per-column
  /// annotation.
  void check(const LineSource& lines) const;

 private:
  std::vector<AlignmentRow> rows_;
  std::unordered_map<std::string, std::size_t> index_;  // of the first row of each name
  std::map<std::string, std::size_t> annotated_;        // characters by label
};

/// The first alignment of a file, plain or gzip, "-" for standard input; its format is detected.
/// Throws FileError (see Input; not an alignment; rows of different length).
Alignment read_alignment(const std::string& path);

/// Reads all alignments of a file. Only Stockholm files can hold several.
class AlignmentFile {
 public:
  /// Opens `path` (see read_alignment). Without `format` it is detected.
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

/// An alignment to be written: rows of equal length, and annotation. Empty texts are not written.
struct MultipleAlignment {
  std::string id, description, author;
  std::vector<AlignmentRow> rows;
  std::string reference;  ///< one character per column
};

/// How an alignment is written.
struct AlignmentStyle {
  SequenceFormat format = SequenceFormat::Stockholm;
  bool one_line = false;  ///< Stockholm only: every row on one line, not in blocks of 50 columns
  std::string date;       ///< MSF only: the date in the header
};

/// The format with this name, in upper or lower case; nothing unless alignments can be written in it.
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
/// The checksum of an alignment, which the CKSUM line of a profile built from it records.
int gcg_checksum(const std::vector<AlignmentRow>& rows);

/// Writes the alignment in MSF format with `date` in its header. The letters of the rows decide whether its
/// type is nucleic or protein.
void write_msf(const TextSink& out, const MultipleAlignment& alignment, std::string_view date);

}  // namespace gpuhmm
