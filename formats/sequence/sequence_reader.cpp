// Opens sequence files and fills batches.
#include <algorithm>
#include <utility>

#include "formats/sequence/alignment_parsers.hpp"
#include "formats/sequence/digitiser.hpp"
#include "formats/sequence/fasta_reader.hpp"
#include "formats/sequence/hmmer3_readers.hpp"
#include "formats/sequence/record_readers.hpp"
#include "formats/sequence/text.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kHead = std::size_t{64} << 10;
constexpr std::string_view kStandardInput = "standard input";  // as Input names it
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool is_profile(std::string_view head) { return head.starts_with("HMMER2.0") || head.starts_with("HMMER3/"); }

/// True for a prepared database (formats/database/database_layout.hpp), which can be read only as a plain
/// file.
bool is_prepared(std::string_view head) { return head.starts_with("\x89GHDB"); }

/// Throws FileError that says why a file is of no known format.
[[noreturn]] void refuse(const std::string& name, std::string_view head) {
  if (is_prepared(head)) {
    throw FileError(
        name +
        ": a prepared database that is gzipped, piped or given a format; expected a plain file and no "
        "format");
  }
  std::string found = "not a sequence file of a known format";
  if (is_profile(head)) {
    found = "a profile file";
  } else if (std::any_of(head.begin(), head.end(), [](char c) { return c == '\0' || c == '\x7f'; })) {
    found = "binary data";
  }
  throw FileError(name + ": line 1: " + found + "; expected sequences as one of " + sequence_format_names());
}

/// The reader of an empty input.
class NoSequences : public SequenceReader {
 public:
  explicit NoSequences(std::string name) : SequenceReader(EmptyInput::Allowed), name_(std::move(name)) {}
  const std::string& name() const override { return name_; }

 private:
  bool read_record(SequenceBatch& /*into*/) override { return false; }

  std::string name_;
};

}  // namespace

bool SequenceReader::read(SequenceBatch& into) {
  if (!read_record(into)) {
    if (records_ == 0 && empty_ == EmptyInput::Refused)
      throw FileError(name() + ": holds no sequence; expected at least one");
    return false;
  }
  check_residues(into);
  ++records_;
  return true;
}

void SequenceReader::check_residues(const SequenceBatch& into) const {
  if (into.length(into.size() - 1) <= limits_.residues) return;
  throw FileError(name() + ": record " + std::to_string(records_ + 1) + ": sequence " +
                  std::string(into[into.size() - 1].name) + " has more than " +
                  std::to_string(limits_.residues) + " residues, the most allowed");
}

void SequenceReader::check_characters(std::size_t characters) const {
  if (characters <= limits_.characters) return;
  throw FileError(name() + ": record " + std::to_string(records_ + 1) +
                  ": a name and description of more than " + std::to_string(limits_.characters) +
                  " characters, the most allowed");
}

std::unique_ptr<SequenceReader> open_sequences(const std::string& path, const Alphabet& alphabet,
                                               std::optional<SequenceFormat> format, EmptyInput empty) {
  return open_sequences(std::make_unique<Input>(path), alphabet, format, empty);
}

std::unique_ptr<SequenceReader> open_sequences(std::unique_ptr<Input> input, const Alphabet& alphabet,
                                               std::optional<SequenceFormat> format, EmptyInput empty) {
  if (input->peek(kByteOrderMark.size()) == kByteOrderMark) {
    char mark[kByteOrderMark.size()];
    input->read(mark, sizeof mark);
  }
  const std::string_view head = input->peek(kHead);
  if (head.empty() && empty == EmptyInput::Allowed &&
      (format ? !is_alignment(*format) : input->name() == kStandardInput)) {
    return std::make_unique<NoSequences>(input->name());
  }
  if (text::blank(head) && head.size() < kHead) {
    throw FileError(input->name() + ": the file is empty; expected sequences");
  }
  const bool only_returns =
      head.find('\n') == std::string_view::npos && text::trim(head).find('\r') != std::string_view::npos;
  if (only_returns && !alphabet.is_hmmer3()) {
    throw FileError(input->name() +
                    ": line 1: carriage returns without newlines; expected lines that end in a newline");
  }
  if (!format) format = detect_sequence_format(head);
  if (!format || is_profile(head) || is_prepared(head)) refuse(input->name(), head);
  if (alphabet.is_hmmer3()) {
    return make_hmmer3_reader(std::move(input), alphabet, *format, Hmmer3Lines::Clean, empty);
  }
  if (is_alignment(*format)) return make_alignment_reader(std::move(input), alphabet, *format);
  switch (*format) {
    case SequenceFormat::Fasta: {
      const Digitiser digitiser(alphabet, text::kDigits);
      return std::make_unique<FastaReader>(std::move(input), digitiser, FastaReader::kBlock, empty);
    }
    case SequenceFormat::A2m:
    case SequenceFormat::Afa: {
      const Digitiser digitiser(alphabet, text::kGaps);
      return std::make_unique<FastaReader>(std::move(input), digitiser);
    }
    default:
      return make_record_reader(std::move(input), alphabet, *format);
  }
}

bool read_block(SequenceReader& reader, SequenceBatch& into, std::size_t max_sequences,
                std::size_t max_residues) {
  reader.make_room(into, max_sequences, max_residues);
  if (!reader.read(into)) return false;
  while (into.size() < max_sequences && into.residue_count() < max_residues && reader.read(into)) {
  }
  return true;
}

}  // namespace gpuhmm
