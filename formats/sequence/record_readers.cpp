// Reads flat files: one reader with a table for each of EMBL, GenBank and PIR, and a reader for each of GCG's
// two formats (docs/spec/alphabet-sequences.md, 2.4).
#include "formats/sequence/record_readers.hpp"

#include <charconv>
#include <optional>
#include <string>

#include "formats/sequence/digitiser.hpp"
#include "formats/sequence/line_source.hpp"

namespace gpuhmm {

namespace {

/// The fields of a record before its sequence.
struct RecordFields {
  std::string name, accession;
  std::optional<std::string> description;
  bool in_description = false;  // GenBank: an indented line continues the DEFINITION
};

/// The layout of a flat file: a record begins with a line tagged `start`, which has the name in column
/// `name_column` (from 0), the residues follow the line tagged `sequence`, and `end` ends it.
struct FlatLayout {
  std::string_view start, sequence, end;
  std::size_t name_column;
  void (*take_field)(std::string_view line, RecordFields& fields);
  bool (*is_residue_line)(std::string_view line);
};

// A piece without text still adds a blank.
void add_piece(std::optional<std::string>& description, std::string_view piece) {
  piece = text::trim_field(piece);
  if (piece.starts_with('-')) return;
  if (!description) {
    description = piece;
  } else {
    description->append(" ").append(piece);
  }
}

std::string first_word_unless_dash(std::string_view value) {
  const std::string_view word = text::first_word(value);
  return std::string(word.starts_with('-') ? std::string_view() : word);
}

void take_embl_field(std::string_view line, RecordFields& fields) {
  std::string_view value = text::from_column(line, 5);
  if (line.starts_with("AC   ")) {
    value = text::trim_left(value, " \t;");
    fields.accession = first_word_unless_dash(value.substr(0, value.find(';')));
  } else if (line.starts_with("DE   ")) {
    if (!value.empty()) add_piece(fields.description, value);
  }
}

void take_genbank_field(std::string_view line, RecordFields& fields) {
  if (fields.in_description && (line.empty() || line.starts_with(' '))) {
    add_piece(fields.description, line);
    return;
  }
  fields.in_description = line.starts_with("DEFINITION");
  const std::string_view value = text::from_column(line, 12);
  if (fields.in_description) {
    if (!value.empty()) add_piece(fields.description, value);
  } else if (line.starts_with("ACCESSION")) {
    fields.accession = first_word_unless_dash(value);
  }
}

void take_pir_field(std::string_view line, RecordFields& fields) {
  constexpr std::size_t kColumn = 15;
  const std::string_view value = text::from_column(line, kColumn);
  if (line.starts_with("TITLE")) {
    if (line.size() >= kColumn) add_piece(fields.description, value);
  } else if (line.starts_with("ACCESSION")) {
    fields.accession = first_word_unless_dash(value);
  }
}

bool is_indented(std::string_view line) { return line.starts_with("     "); }
bool is_genbank_residue_line(std::string_view line) {
  return !line.starts_with("LOCUS") && line.find("//") == std::string_view::npos;
}
bool is_pir_residue_line(std::string_view line) { return !line.starts_with("ENTRY"); }

constexpr FlatLayout kEmbl = {"ID   ", "SQ", "//", 5, take_embl_field, is_indented};
constexpr FlatLayout kGenbank = {"LOCUS", "ORIGIN", "//", 12, take_genbank_field, is_genbank_residue_line};
constexpr FlatLayout kPir = {"ENTRY", "SEQUENCE", "///", 15, take_pir_field, is_pir_residue_line};

/// What the readers of this file share: lines and their residues.
class LineFormatReader : public SequenceReader {
 public:
  LineFormatReader(std::unique_ptr<Input> input, const Alphabet& alphabet)
      : lines_(std::move(input)), digitiser_(alphabet, text::kDigits) {}

  const std::string& name() const override { return lines_.name(); }
  std::optional<double> fraction_read() const override { return lines_.fraction_read(); }

 protected:
  void append_residues(SequenceBatch& into) const {
    digitiser_.append(lines_.line(), into.residue_buffer());
    check_residues(into);
  }

  LineSource lines_;
  Digitiser digitiser_;
};

class FlatReader : public LineFormatReader {
 public:
  FlatReader(std::unique_ptr<Input> input, const Alphabet& alphabet, const FlatLayout& layout)
      : LineFormatReader(std::move(input), alphabet), layout_(layout) {}

  /// HMMER reads "-" in EMBL files as N.
  void read_dash_as_n() { digitiser_.map('-', 'N'); }

 private:
  bool read_record(SequenceBatch& into) override;
  bool find_record();
  void next_line_of(const RecordFields& fields);
  [[noreturn]] void expected(std::string_view tag, const RecordFields& fields) const;

  const FlatLayout& layout_;
};

void FlatReader::expected(std::string_view tag, const RecordFields& fields) const {
  lines_.fail("expected " + std::string(text::trim(tag)) + " in record " + fields.name);
}

/// Goes to the first line of the next record; false at the end. Text may stand before the first record (the
/// head of a GenBank release file), not between records.
bool FlatReader::find_record() {
  while (lines_.next_text()) {
    if (lines_.starts_with(layout_.start)) return true;
    if (records() > 0 || lines_.starts_with(layout_.end)) {
      lines_.fail("expected a record beginning with " + std::string(text::trim(layout_.start)));
    }
  }
  return false;
}

/// Goes to the next line inside a record.
void FlatReader::next_line_of(const RecordFields& fields) {
  if (!lines_.next()) {
    lines_.fail("the file ends within record " + fields.name + " (truncated?); expected " +
                std::string(layout_.end));
  }
}

bool FlatReader::read_record(SequenceBatch& into) {
  if (!find_record()) return false;
  const std::size_t tag = layout_.start.size();
  if (!text::blank(text::from_column(lines_.line(), tag).substr(0, layout_.name_column - tag))) {
    lines_.fail("expected the record's name in column " + std::to_string(layout_.name_column + 1));
  }
  RecordFields fields;
  fields.name = text::first_word(text::from_column(lines_.line(), layout_.name_column));
  for (next_line_of(fields); !lines_.starts_with(layout_.sequence); next_line_of(fields)) {
    if (lines_.starts_with(layout_.end) || lines_.starts_with(layout_.start))
      expected(layout_.sequence, fields);
    layout_.take_field(lines_.line(), fields);
    check_characters(fields.name.size() + fields.accession.size() +
                     (fields.description ? fields.description->size() : 0));
  }
  into.begin_sequence(fields.name, fields.accession,
                      fields.description ? text::kept(*fields.description) : std::string());
  for (next_line_of(fields); !lines_.starts_with(layout_.end); next_line_of(fields)) {
    if (!text::blank(lines_.line()) && !layout_.is_residue_line(lines_.line())) {
      expected("residues or " + std::string(layout_.end), fields);
    }
    append_residues(into);
  }
  return true;
}

/// Reads one sequence a file: everything after the first line with "..", which has the name.
class GcgReader : public LineFormatReader {
 public:
  using LineFormatReader::LineFormatReader;

 private:
  bool read_record(SequenceBatch& into) override {
    if (records() > 0 || !lines_.next_text()) return false;
    while (!has("..")) {
      if (!lines_.next()) lines_.fail("the file ends before its sequence; expected a line with ..");
    }
    into.begin_sequence(text::first_word(lines_.line()), {}, {});
    while (lines_.next()) {
      if (has("..") && has("Check:")) lines_.fail("a second sequence; expected one in a GCG file");
      append_residues(into);
    }
    return true;
  }
  bool has(std::string_view text) const { return lines_.line().find(text) != std::string_view::npos; }
};

/// Reads records of a line ">>>>NAME DATE TYPE Len: LENGTH", a line with the description, and the residues.
class GcgDataReader : public LineFormatReader {
 public:
  using LineFormatReader::LineFormatReader;

 private:
  static constexpr std::string_view kStart = ">>>>";

  bool read_record(SequenceBatch& into) override {
    if (!lines_.next_text()) return false;
    if (!lines_.starts_with(kStart)) lines_.fail("expected a record beginning with >>>>");
    const std::string head(lines_.line().substr(kStart.size()));
    if (head.find("2BIT") != std::string::npos) lines_.fail("2BIT data; expected ASCII");
    const std::uint64_t length = stated_length(head);
    if (!lines_.next()) lines_.fail("the file ends within a record; expected its description");
    into.begin_sequence(text::first_word(head), {}, text::kept_field(lines_.line()));
    while (lines_.next()) {
      if (lines_.starts_with(kStart)) {
        lines_.keep();
        break;
      }
      append_residues(into);
    }
    const std::size_t found = into.length(into.size() - 1);
    if (found != length) {
      lines_.fail("the record before this line has " + std::to_string(found) +
                  " residues; its first line says " + std::to_string(length));
    }
    return true;
  }

  std::uint64_t stated_length(std::string_view head) const {
    constexpr std::string_view kTag = "Len: ";
    const std::size_t at = head.find(kTag);
    const std::string_view number =
        at == std::string_view::npos ? "" : text::trim(head.substr(at + kTag.size()));
    std::uint64_t length = 0;
    const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), length);
    if (error != std::errc() || stop != number.data() + number.size())
      lines_.fail("expected Len: and a number");
    return length;
  }
};

}  // namespace

std::unique_ptr<SequenceReader> make_record_reader(std::unique_ptr<Input> input, const Alphabet& alphabet,
                                                   SequenceFormat format) {
  switch (format) {
    case SequenceFormat::Embl: {
      auto reader = std::make_unique<FlatReader>(std::move(input), alphabet, kEmbl);
      reader->read_dash_as_n();
      return reader;
    }
    case SequenceFormat::Genbank:
      return std::make_unique<FlatReader>(std::move(input), alphabet, kGenbank);
    case SequenceFormat::Pir:
      return std::make_unique<FlatReader>(std::move(input), alphabet, kPir);
    case SequenceFormat::Gcg:
      return std::make_unique<GcgReader>(std::move(input), alphabet);
    default:
      return std::make_unique<GcgDataReader>(std::move(input), alphabet);
  }
}

}  // namespace gpuhmm
