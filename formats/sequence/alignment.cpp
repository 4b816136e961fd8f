// Alignments in memory, and readers of alignment files, whole or row by row.
#include "gpuhmm/alignment.hpp"

#include <algorithm>

#include "formats/sequence/alignment_parsers.hpp"
#include "formats/sequence/digitiser.hpp"
#include "formats/sequence/illegal_residue.hpp"
#include "gpuhmm/hmmer3_sequence_file.hpp"

namespace gpuhmm {

namespace {

using Parser = Alignment (*)(LineSource&);

Parser parser_of(SequenceFormat format) {
  switch (format) {
    case SequenceFormat::Stockholm:
      return read_stockholm;
    case SequenceFormat::Clustal:
      return read_clustal;
    case SequenceFormat::Msf:
      return read_msf;
    case SequenceFormat::Selex:
      return read_selex;
    case SequenceFormat::Phylip:
      return read_phylip;
    case SequenceFormat::A2m:
    case SequenceFormat::Afa:
    case SequenceFormat::Fasta:  // detection takes A2M for FASTA
      return read_a2m;
    default:
      return nullptr;
  }
}

/// The next alignment, within its limit (docs/limits.md).
Alignment parse_one(Parser parse, LineSource& lines) {
  lines.bound("the alignment", std::uint64_t{4} << 30);
  return parse(lines);
}

constexpr bool is_like_fasta(SequenceFormat format) {
  return format == SequenceFormat::Fasta || format == SequenceFormat::A2m || format == SequenceFormat::Afa;
}

/// Leaves gaps out of the rows, for HMMER3 also missing residues in PHYLIP and free inserts (O) in A2M.
Digitiser digitiser_of(const Alphabet& alphabet, SequenceFormat format) {
  if (!alphabet.is_hmmer3()) return {alphabet, text::kGaps};
  std::string skipped(text::kGaps);
  std::string_view refused;
  if (format == SequenceFormat::A2m) {
    skipped += "Oo";
    refused = "*_~";
  } else if (format == SequenceFormat::Phylip) {
    skipped += "?";
  } else if (format == SequenceFormat::Selex || format == SequenceFormat::Afa) {
    refused = "\t";
  }
  Digitiser digitiser(alphabet, skipped);
  for (const char c : refused) digitiser.refuse(c);
  return digitiser;
}

/// Columns of the profile in a row of A2M.
std::size_t consensus_columns(std::string_view row) {
  return static_cast<std::size_t>(
      std::ranges::count_if(row, [](char c) { return c == '-' || (c >= 'A' && c <= 'Z' && c != 'O'); }));
}

/// HMMER3's words for an illegal character in a row.
const char* hmmer3_illegal_row(SequenceFormat format) {
  if (format == SequenceFormat::Selex) return "illegal residue(s) in sequence line";
  return format == SequenceFormat::Clustal || is_like_fasta(format)
             ? "one or more invalid sequence characters"
             : "invalid sequence character(s) on line";
}

constexpr const char* kNoStart = "expected aligned FASTA name/desc line starting with >";

class AlignmentReader : public SequenceReader {
 public:
  AlignmentReader(std::unique_ptr<Input> input, const Alphabet& alphabet, SequenceFormat format,
                  EmptyInput empty)
      : SequenceReader(empty),
        lines_(std::move(input)),
        hmmer3_(alphabet.is_hmmer3()),
        format_(format),
        digitiser_(digitiser_of(alphabet, format)),
        parse_(hmmer3_ && is_like_fasta(format) ? read_fasta_rows : parser_of(format)) {
    if (hmmer3_) lines_.take_plain_fields();
  }

  const std::string& name() const override { return lines_.name(); }
  std::optional<double> fraction_read() const override { return lines_.fraction_read(); }

 private:
  bool read_record(SequenceBatch& into) override {
    if (next_row_ == alignment_.rows().size()) {
      alignment_ = Alignment();
      next_row_ = 0;
      parse_next();
      if (alignment_.rows().empty()) return false;
    }
    const AlignmentRow& row = alignment_.rows()[next_row_++];
    into.begin_sequence(row.name, hmmer3_ ? text::first_word(row.accession) : row.accession, row.description);
    if (!digitiser_.append(row.text, into.residue_buffer()) && hmmer3_) refuse(row);
    return true;
  }
  void parse_next() {
    try {
      alignment_ = parse_one(parse_, lines_);
      if (hmmer3_ && is_like_fasta(format_)) check_rows();
    } catch (const hmmer3::SequenceFileError&) {
      throw;
    } catch (const FileError& error) {
      if (!hmmer3_) throw;
      const std::string_view what = error.what(), name = lines_.name();
      const std::string message(what.starts_with(name) ? what.substr(name.size() + 2)
                                                       : what);  // without NAME:
      fail(message, hmmer3_line(message));
    }
  }
  /// Checks names and lengths of rows of A2M or aligned FASTA as HMMER3.
  void check_rows() const {
    const bool is_a2m = format_ == SequenceFormat::A2m;
    std::size_t expected = 0;
    for (const AlignmentRow& row : alignment_.rows()) {
      if (row.name.empty()) fail("a row has no name", is_a2m ? "no name found for A2M record" : kNoStart);
      if (digitiser_.find_illegal(row.text) != std::string::npos) refuse(row);
      const std::size_t columns = is_a2m ? consensus_columns(row.text) : row.text.size();
      if (columns == 0 && !is_a2m)
        fail("row " + row.name + " is empty", "sequence " + row.name + " has alen 0");
      if (&row == &alignment_.rows().front()) expected = columns;
      if (columns == expected) continue;
      const std::string found = std::to_string(columns), first = std::to_string(expected);
      const std::string of_afa = "sequence " + row.name + " has alen " + found + "; expected " + first;
      const std::string of_a2m = "unexpected # of consensus residues, didn't match previous seq(s)";
      fail("row " + row.name + " has " + found + (is_a2m ? " consensus" : "") + " columns; expected " +
               first + ", as in the first row",
           is_a2m ? of_a2m + (columns < expected || expected == 0 ? ". (Do you have an O residue?)" : "")
                  : of_afa);
    }
  }
  [[noreturn]] void fail(const std::string& message, const std::string& line) const {
    throw hmmer3::ParseFailure(lines_.name(), message, line);
  }
  /// HMMER3's words for a missing first line and for a name, ours for other errors.
  std::string hmmer3_line(const std::string& message) const {
    if (message.ends_with("expected # STOCKHOLM 1.0")) return "missing Stockholm header";
    if (message.ends_with("expected a row that begins with >")) {
      return format_ == SequenceFormat::A2m ? "expected A2M name/desc line starting with >" : kNoStart;
    }
    if (message.ends_with("expected a name of printable characters"))
      return "invalid character(s) in sequence name";
    return message;
  }
  [[noreturn]] void refuse(const AlignmentRow& row) const {
    const char found = row.text[digitiser_.find_illegal(row.text)];
    fail("row " + row.name + ": " + illegal_residue(found), hmmer3_illegal_row(format_));
  }

  LineSource lines_;
  bool hmmer3_;
  SequenceFormat format_;
  Digitiser digitiser_;
  Parser parse_;
  Alignment alignment_;
  std::size_t next_row_ = 0;
};

}  // namespace

AlignmentRow& Alignment::row(std::string_view name, LineSource& lines) {
  const auto found = index_.find(std::string(name));
  return found != index_.end() ? rows_[found->second] : add(name, lines);
}

AlignmentRow& Alignment::add(std::string_view name, LineSource& lines) {
  lines.charge(LineSource::kNameCost);
  index_.try_emplace(std::string(name), rows_.size());
  rows_.push_back({std::string(name), {}, {}, {}});
  return rows_.back();
}

void Alignment::count_annotated(const std::string& label, std::size_t columns, LineSource& lines) {
  const auto [at, added] = annotated_.try_emplace(label, 0);
  if (added) lines.charge(LineSource::kNameCost);
  at->second += columns;
}

void Alignment::check(const LineSource& lines) const {
  if (rows_.empty()) lines.fail("the alignment has no rows");
  const std::size_t length = rows_.front().text.size();
  for (const AlignmentRow& row : rows_) {
    if (row.text.empty()) lines.fail("no residues for row " + row.name + " of the alignment that ends here");
    if (row.text.size() != length) {
      lines.fail("row " + row.name + " of the alignment that ends here has " +
                 std::to_string(row.text.size()) + " columns; expected " + std::to_string(length));
    }
  }
  for (const auto& [label, columns] : annotated_) {
    if (columns != length) {
      lines.fail(label + " of the alignment that ends here has " + std::to_string(columns) +
                 " columns; expected " + std::to_string(length));
    }
  }
}

bool is_alignment(SequenceFormat format) { return !is_like_fasta(format) && parser_of(format) != nullptr; }

std::unique_ptr<SequenceReader> make_alignment_reader(std::unique_ptr<Input> input, const Alphabet& alphabet,
                                                      SequenceFormat format, EmptyInput empty) {
  return std::make_unique<AlignmentReader>(std::move(input), alphabet, format, empty);
}

namespace {

/// The format of an alignment; FASTA is taken as A2M.
SequenceFormat alignment_format(Input& input, std::optional<SequenceFormat> format) {
  constexpr std::size_t kHead = std::size_t{64} << 10;
  if (!format) format = detect_sequence_format(input.peek(kHead));
  if (!format || parser_of(*format) == nullptr) {
    throw FileError(input.name() +
                    ": not an alignment; expected Stockholm, Clustal, MSF, SELEX, PHYLIP or A2M");
  }
  return is_like_fasta(*format) ? SequenceFormat::A2m : *format;
}

}  // namespace

AlignmentFile::AlignmentFile(const std::string& path, std::optional<SequenceFormat> format)
    : AlignmentFile(std::make_unique<Input>(path), format) {}

AlignmentFile::AlignmentFile(std::unique_ptr<Input> input, std::optional<SequenceFormat> format)
    : format_(alignment_format(*input, format)), lines_(std::make_unique<LineSource>(std::move(input))) {}

AlignmentFile::~AlignmentFile() = default;
AlignmentFile::AlignmentFile(AlignmentFile&&) noexcept = default;
AlignmentFile& AlignmentFile::operator=(AlignmentFile&&) noexcept = default;

const std::string& AlignmentFile::name() const { return lines_->name(); }
std::optional<double> AlignmentFile::fraction_read() const { return lines_->fraction_read(); }

std::optional<Alignment> AlignmentFile::next() {
  Alignment alignment = parse_one(parser_of(format_), *lines_);
  if (alignment.rows().empty()) return std::nullopt;
  return alignment;
}

Alignment read_alignment(const std::string& path) { return AlignmentFile(path).next().value_or(Alignment()); }

}  // namespace gpuhmm
