// Reads flat files as HMMER3: one reader with a table for each of EMBL and GenBank.
#include <optional>
#include <string>
#include <string_view>

#include "formats/sequence/hmmer3_readers.hpp"
#include "formats/sequence/line_format_reader.hpp"
#include "gpuhmm/hmmer3_sequence_file.hpp"

namespace gpuhmm {

namespace {

struct RecordFields {
  std::string name, accession, description;
  bool has_accession = false;
};

/// The first word of `text` if any of `blanks` separates words; nothing if there is none.
std::optional<std::string_view> word(std::string_view text, std::string_view blanks) {
  text = text::trim_left(text, blanks);
  if (text.empty()) return std::nullopt;
  return text.substr(0, text.find_first_of(blanks));
}

void add_line(std::string& description, std::string_view piece) {
  if (!description.empty()) description += ' ';
  description += text::trim_right(piece);
}

/// How a format tags the lines of a record. The functions are given a line that begins with the tag.
struct Layout {
  std::string_view start, sequence;
  std::string_view no_start;     ///< HMMER3's line if a record begins with other text; empty: it is skipped
  std::string_view no_sequence;  ///< HMMER3's line if the file ends before the sequence
  std::string_view (*name)(std::string_view line);
  /// Returns HMMER3's line for a damaged field, else nothing.
  std::string_view (*take_field)(std::string_view line, RecordFields& fields);
};

std::string_view take_embl_field(std::string_view line, RecordFields& fields) {
  if (line.starts_with("AC   ") && !fields.has_accession) {
    fields.accession = word(line.substr(5), ";").value_or("");
    fields.has_accession = true;
  } else if (line.starts_with("DE   ")) {
    add_line(fields.description, line.substr(5));
  }
  return {};
}

std::string_view take_genbank_field(std::string_view line, RecordFields& fields) {
  constexpr std::size_t kColumn = 12;
  if (line.starts_with("VERSION   ")) {
    const auto accession = word(text::from_column(line, kColumn), " \t\n");
    if (!accession) return "Line 1: failed to parse VERSION line";
    fields.accession = *accession;
  } else if (line.starts_with("DEFINITION ")) {
    add_line(fields.description, text::from_column(line, kColumn));
  }
  return {};
}

constexpr Layout kEmbl = {"ID   ",
                          "SQ   ",
                          "Line 1: failed to find ID line",
                          "Line 1: failed to find SQ line",
                          [](std::string_view line) { return word(line.substr(5), " ;").value_or(""); },
                          take_embl_field};
constexpr Layout kGenbank = {
    "LOCUS   ",
    "ORIGIN",
    "",
    "Failed to find ORIGIN line",
    [](std::string_view line) { return word(text::from_column(line, 12), " ").value_or(""); },
    take_genbank_field};

class Hmmer3RecordReader final : public LineFormatReader {
 public:
  Hmmer3RecordReader(std::unique_ptr<Input> input, const Alphabet& alphabet, const Layout& layout,
                     Hmmer3Lines lines, EmptyInput empty)
      : LineFormatReader(std::move(input), alphabet, empty),
        layout_(layout),
        with_ends_(lines == Hmmer3Lines::WithEnds) {
    digitiser_.refuse('-');
  }

 private:
  bool read_record(SequenceBatch& into) override;
  bool find_record();
  std::string_view header_line();
  void read_residues(SequenceBatch& into);
  [[noreturn]] void refuse(const std::string& message, std::string_view hmmer3_line) const {
    throw hmmer3::ParseFailure(lines_.name(), lines_.position() + message, std::string(hmmer3_line));
  }
  [[noreturn]] void fail_illegal(char found) const override {
    refuse(illegal_residue(found), hmmer3_illegal_residue(found, 1));
  }

  const Layout& layout_;
  bool with_ends_;
  std::string header_;  // the current line with its end
};

/// The current line for the functions of the table; valid until the next call.
std::string_view Hmmer3RecordReader::header_line() {
  if (!with_ends_) return lines_.line();
  header_ = lines_.line_with_return();
  return header_ += '\n';
}

bool Hmmer3RecordReader::find_record() {
  while (lines_.next_text()) {
    if (lines_.starts_with(layout_.start)) return true;
    if (!layout_.no_start.empty()) {
      refuse("expected a record beginning with " + std::string(text::trim(layout_.start)), layout_.no_start);
    }
  }
  return false;
}

bool Hmmer3RecordReader::read_record(SequenceBatch& into) {
  if (!find_record()) return false;
  RecordFields fields;
  fields.name = layout_.name(header_line());
  do {
    if (!lines_.next()) {
      refuse("the file ends within record " + fields.name + "; expected " +
                 std::string(text::trim(layout_.sequence)),
             layout_.no_sequence);
    }
    const std::string_view problem = layout_.take_field(header_line(), fields);
    if (!problem.empty()) refuse("a field without text in record " + fields.name, problem);
    check_characters(fields.name.size() + fields.accession.size() + fields.description.size());
  } while (!lines_.starts_with(layout_.sequence));
  into.begin_sequence(fields.name, fields.accession, fields.description);
  read_residues(into);
  return true;
}

/// Reads up to the line that begins with //.
void Hmmer3RecordReader::read_residues(SequenceBatch& into) {
  if (!lines_.next())
    refuse("the file ends within a record (truncated?); expected residues", "Failed to find any sequence");
  do {
    const std::string_view line = lines_.line();
    const std::size_t end = line.find('/');
    append_residues(line.substr(0, end), into);
    if (end == std::string_view::npos) continue;
    if (line.starts_with("//")) return;
    refuse("a / among residues; expected a line beginning with //",
           "Line 1: did not find // terminator at end of seq record");
  } while (lines_.next());
  refuse("the file ends within a record (truncated?); expected //", "Unexpected EOF; file truncated?");
}

}  // namespace

std::unique_ptr<SequenceReader> make_hmmer3_record_reader(std::unique_ptr<Input> input,
                                                          const Alphabet& alphabet, SequenceFormat format,
                                                          Hmmer3Lines lines, EmptyInput empty) {
  const Layout& layout = format == SequenceFormat::Embl ? kEmbl : kGenbank;
  return std::make_unique<Hmmer3RecordReader>(std::move(input), alphabet, layout, lines, empty);
}

}  // namespace gpuhmm
