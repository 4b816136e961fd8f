// Parses FASTA.
#include "formats/sequence/fasta_reader.hpp"

#include <algorithm>
#include <cstring>

#include "formats/sequence/text.hpp"
#include "util/large_bytes.hpp"

namespace gpuhmm {

FastaReader::FastaReader(std::unique_ptr<Input> input, const Digitiser& digitiser, std::size_t block,
                         EmptyInput empty)
    : SequenceReader(empty),
      input_(std::move(input)),
      digitiser_(digitiser),
      block_(block),
      buffer_(std::make_unique_for_overwrite<char[]>(block)) {}

/// Reads the next block when all of the last is consumed; false at the end of the file.
bool FastaReader::fill() {
  at_ = 0;
  end_ = input_->read(buffer_.get(), block_);
  return end_ > 0;
}

// Memory that is not used is not touched. A small file needs no more than a few steps of growth.
void FastaReader::make_room(SequenceBatch& into, std::size_t /*max_sequences*/,
                            std::size_t max_residues) const {
  const std::uint64_t left = input_->bytes_left().value_or(0);
  if (left < kBlock) return;
  const std::size_t wanted = max_residues - std::min(max_residues, into.residue_count());
  const auto residues = static_cast<std::size_t>(std::min<std::uint64_t>(left, wanted));
  constexpr std::size_t kResiduesPerCharacter = 2;  // of names and descriptions; in Swiss-Prot 3.7
  into.reserve_more(0, residues, residues / kResiduesPerCharacter);
  std::vector<std::uint8_t>& buffer = into.residue_buffer();
  prefer_huge_pages(buffer.data() + buffer.size(), buffer.capacity() - buffer.size());
}

void FastaReader::fail(const std::string& message) const {
  throw FileError(name() + ": record " + std::to_string(records() + 1) + ": " + message);
}

bool FastaReader::find_first_record() {
  for (std::uint64_t line = 1; at_ < end_ || fill(); ++at_) {
    const char c = buffer_[at_];
    if (line_start_ && c == '>') return true;
    if (text::kWhiteSpace.find(c) == std::string_view::npos) {
      throw FileError(name() + ": line " + std::to_string(line) +
                      ": not FASTA; expected a line beginning with >");
    }
    line_start_ = c == '\n';
    if (line_start_) ++line;
  }
  return false;
}

bool FastaReader::take_until(std::string_view ends) {
  while (at_ < end_ || fill()) {
    const std::string_view rest(buffer_.get() + at_, end_ - at_);
    std::size_t found = std::string_view::npos;
    for (const char end : ends)
      found = std::min(found, rest.substr(0, found).find(end));  // faster than find_first_of
    const std::size_t length = std::min(found, rest.size());
    check_characters(header_.size() + length);
    header_.append(rest.substr(0, length));
    at_ += length;
    if (found != std::string_view::npos) {
      ++at_;
      return true;
    }
  }
  return false;
}

bool FastaReader::begin_record(SequenceBatch& into) {
  ++at_;
  header_.clear();
  if (!take_until("\n")) return false;
  line_start_ = true;
  if (header_.find('\0') != std::string::npos) fail("a byte of value 0 in its name line; expected text");
  std::string_view rest = text::trim_left(header_, " \t");
  const std::string_view name = rest.substr(0, rest.find_first_of(" \t"));
  rest.remove_prefix(name.size());
  if (!rest.empty()) rest.remove_prefix(1);
  const std::string description = rest.empty() ? std::string() : text::kept_field(rest);
  into.begin_sequence(text::trim_right(name), {}, description);
  return true;
}

std::size_t FastaReader::residues_end() const {
  if (line_start_ && buffer_[at_] == '>') return at_;
  const char* const next = buffer_.get() + at_ + 1;
  const auto* const found = static_cast<const char*>(std::memchr(next, '>', end_ - at_ - 1));
  return found != nullptr ? static_cast<std::size_t>(found - buffer_.get()) : end_;
}

void FastaReader::append_residues(std::string_view part, SequenceBatch& into) {
  if (digitiser_.append(part, into.residue_buffer())) return;
  fail("a byte of value 0 among its residues; expected text");
}

bool FastaReader::read_record(SequenceBatch& into) {
  if (records() == 0 && !find_first_record()) return false;
  if (at_ == end_ && !fill()) return false;
  if (!begin_record(into)) return false;
  while (at_ < end_ || fill()) {
    const std::size_t stop = residues_end();
    if (stop == at_) break;
    append_residues({buffer_.get() + at_, stop - at_}, into);
    check_residues(into);
    line_start_ = buffer_[stop - 1] == '\n';
    at_ = stop;
  }
  return true;
}

}  // namespace gpuhmm
