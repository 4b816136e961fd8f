// Opens sequence files as HMMER3 does: names of formats, detection, and the reader of each format.
#include "gpuhmm/hmmer3_sequence_file.hpp"

#include <array>
#include <utility>

#include "formats/sequence/alignment_parsers.hpp"
#include "formats/sequence/hmmer3_fasta_reader.hpp"
#include "formats/sequence/hmmer3_readers.hpp"
#include "formats/sequence/record_readers.hpp"
#include "formats/sequence/text.hpp"

namespace gpuhmm {

std::unique_ptr<SequenceReader> make_hmmer3_reader(std::unique_ptr<Input> input, const Alphabet& alphabet,
                                                   SequenceFormat format, Hmmer3Lines lines,
                                                   EmptyInput empty) {
  if (is_alignment(format)) return make_alignment_reader(std::move(input), alphabet, format, empty);
  switch (format) {
    case SequenceFormat::Fasta: {
      Digitiser digitiser(alphabet, {});
      digitiser.refuse('-');
      return std::make_unique<Hmmer3FastaReader>(std::move(input), digitiser, empty);
    }
    case SequenceFormat::A2m:
    case SequenceFormat::Afa:
      return make_alignment_reader(std::move(input), alphabet, format, empty);
    case SequenceFormat::Embl:
    case SequenceFormat::Genbank:
      return make_hmmer3_record_reader(std::move(input), alphabet, format, lines, empty);
    default:
      return make_record_reader(std::move(input), alphabet, format);
  }
}

namespace hmmer3 {

namespace {

constexpr std::array<std::pair<std::string_view, SequenceFormat>, 13> kNames = {{
    {"fasta", SequenceFormat::Fasta},
    {"embl", SequenceFormat::Embl},
    {"uniprot", SequenceFormat::Embl},
    {"genbank", SequenceFormat::Genbank},
    {"ddbj", SequenceFormat::Genbank},
    {"stockholm", SequenceFormat::Stockholm},
    {"pfam", SequenceFormat::Stockholm},
    {"a2m", SequenceFormat::A2m},
    {"afa", SequenceFormat::Afa},
    {"clustal", SequenceFormat::Clustal},
    {"clustallike", SequenceFormat::Clustal},
    {"selex", SequenceFormat::Selex},
    {"phylip", SequenceFormat::Phylip},
}};

bool is_gzip_name(std::string_view path) { return path.ends_with(".gz"); }

std::unique_ptr<Input> open_input(const std::string& path) {
  try {
    return std::make_unique<Input>(path);
  } catch (const FileError& error) {
    throw SequenceFileError(error.what(), "Failed to open sequence file " + path + " for reading\n", true);
  }
}

/// The format that the first line that is not blank shows.
std::optional<SequenceFormat> format_of_first_line(std::string_view head) {
  while (!head.empty()) {
    const std::size_t length = head.find('\n');
    const std::string_view line = head.substr(0, length);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
      head.remove_prefix(line.size() + (length != std::string_view::npos ? 1 : 0));
      continue;
    }
    if (line.starts_with('>')) return SequenceFormat::Fasta;
    if (line.starts_with("ID   ")) return SequenceFormat::Embl;
    if (line.starts_with("LOCUS   ")) return SequenceFormat::Genbank;
    break;
  }
  return std::nullopt;
}

std::optional<SequenceFormat> detect(const std::string& path, Input& input) {
  constexpr std::size_t kHead = std::size_t{64} << 10;
  const std::string_view head = input.peek(kHead);
  if (head.empty() || input.compressed() != is_gzip_name(path)) return std::nullopt;
  if (path.ends_with(".fa")) return SequenceFormat::Fasta;
  if (path.ends_with(".gb")) return SequenceFormat::Genbank;
  if (const auto format = format_of_first_line(head)) return format;
  const auto format = input.seekable() ? detect_sequence_format(head) : std::nullopt;
  return format && is_alignment(*format) && *format != SequenceFormat::Msf ? format : std::nullopt;
}

/// Whether an empty file of this format, which is named, has no sequences; in others it is an error.
bool may_be_empty(SequenceFormat format) {
  return is_alignment(format) || format == SequenceFormat::A2m || format == SequenceFormat::Afa;
}

}  // namespace

ParseFailure::ParseFailure(const std::string& name, std::string message, std::string line)
    : SequenceFileError(
          name + ": " + message,
          "Parse failed (sequence file " + (name == "standard input" ? "-" : name) + "):\n" + line + "\n",
          false),
      message_(std::move(message)),
      line_(std::move(line)) {}

std::optional<SequenceFormat> sequence_format_from_name(std::string_view name) {
  for (const auto& [known, format] : kNames) {
    if (text::same_in_lower_case(name, known)) return format;
  }
  return std::nullopt;
}

SequenceFile::SequenceFile(std::string path, std::optional<SequenceFormat> format)
    : path_(std::move(path)), input_(open_input(path_)) {
  const auto detected = detect(path_, *input_);
  const bool empty = input_->peek(1).empty(), as_named = input_->compressed() == is_gzip_name(path_);
  const bool wrong = format ? (empty && !may_be_empty(*format)) || !as_named : !detected;
  if (wrong) {
    throw SequenceFileError(input_->name() +
                                ": empty, or no sequence file that HMMER3 recognizes; expected FASTA, "
                                "UniProt, EMBL, GenBank or an alignment",
                            "Sequence file " + path_ + " is empty or misformatted\n", true);
  }
  format_ = format ? *format : *detected;
}

SequenceFile::~SequenceFile() = default;
SequenceFile::SequenceFile(SequenceFile&&) noexcept = default;
SequenceFile& SequenceFile::operator=(SequenceFile&&) noexcept = default;

std::unique_ptr<SequenceReader> SequenceFile::open(const Alphabet& alphabet) {
  if (!input_) {
    if (path_ == "-" || is_gzip_name(path_)) {
      throw SequenceFileError(
          path_ + ": read once already; HMMER3 searches standard input and gzip files with one profile only",
          "Target sequence file " + path_ + " isn't rewindable; can't search it with multiple queries",
          false);
    }
    input_ = open_input(path_);
  }
  return make_hmmer3_reader(std::move(input_), alphabet, format_, Hmmer3Lines::WithEnds, EmptyInput::Allowed);
}

}  // namespace hmmer3

}  // namespace gpuhmm
