// Parses FASTA by HMMER3's rules.
#include "formats/sequence/hmmer3_fasta_reader.hpp"

#include <algorithm>
#include <cstring>

#include "formats/sequence/illegal_residue.hpp"
#include "formats/sequence/text.hpp"
#include "gpuhmm/hmmer3_sequence_file.hpp"

namespace gpuhmm {

void Hmmer3FastaReader::refuse(const std::string& message, const std::string& hmmer3_line) const {
  throw hmmer3::ParseFailure(name(), "record " + std::to_string(records() + 1) + ": " + message, hmmer3_line);
}

bool Hmmer3FastaReader::find_first_record() {
  for (; at_ < end_ || fill(); ++at_) {
    const char c = buffer_[at_];
    if (c == '>') return true;
    if (text::kWhiteSpace.find(c) != std::string_view::npos) continue;
    refuse("not FASTA; expected >",
           std::string("Line 1: unexpected char ") + c + "; expected FASTA to start with >");
  }
  return false;
}

bool Hmmer3FastaReader::begin_record(SequenceBatch& into) {
  ++at_;
  header_.clear();
  take_until("\r\n");
  std::string_view rest = text::trim_left(header_, " \t");
  const std::string_view name = rest.substr(0, rest.find_first_of(text::kWhiteSpace));
  if (name.empty())
    refuse("a record without a name", "Line " + std::to_string(line_) + ": no FASTA name found");
  const std::string_view description = text::trim_left(rest.substr(name.size()), " \t");
  // HMMER3 ends a text at a zero byte, a description also at Control-A, which separates titles of merged
  // records
  constexpr std::string_view kTextEnd("\0", 1), kDescriptionEnd("\x01\0", 2);
  into.begin_sequence(name.substr(0, name.find_first_of(kTextEnd)), {},
                      description.substr(0, description.find_first_of(kDescriptionEnd)));
  while ((at_ < end_ || fill()) && (buffer_[at_] == '\r' || buffer_[at_] == '\n')) ++at_;
  ++line_;
  return true;
}

std::size_t Hmmer3FastaReader::residues_end() const {
  const auto* const found = static_cast<const char*>(std::memchr(buffer_.get() + at_, '>', end_ - at_));
  return found != nullptr ? static_cast<std::size_t>(found - buffer_.get()) : end_;
}

void Hmmer3FastaReader::append_residues(std::string_view part, SequenceBatch& into) {
  const bool legal = digitiser_.append(part, into.residue_buffer());
  const std::string_view read = legal ? part : part.substr(0, digitiser_.find_illegal(part));
  line_ += static_cast<std::uint64_t>(std::ranges::count(read, '\n'));
  if (!legal) {
    const char found = part[read.size()];
    refuse(illegal_residue(found), hmmer3_illegal_residue(found, line_));
  }
}

}  // namespace gpuhmm
