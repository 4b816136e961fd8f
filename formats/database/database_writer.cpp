// Writes the sections one after the other, then the trailer.
#include "formats/database/database_writer.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "formats/io/checksum.hpp"

namespace gpuhmm {

using namespace database_layout;

namespace {

template <class T>
std::string_view bytes_of_all(std::span<const T> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

/// Length of sequence i.
std::uint64_t length(const std::vector<std::uint64_t>& ends, std::uint64_t i) {
  return ends[i] - (i == 0 ? 0 : ends[i - 1]);
}

std::vector<std::uint64_t> longest_first(const std::vector<std::uint64_t>& ends) {
  std::vector<std::uint64_t> order(ends.size());
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  std::sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) {
    const std::uint64_t length_a = length(ends, a);
    const std::uint64_t length_b = length(ends, b);
    return length_a != length_b ? length_a > length_b : a < b;
  });
  return order;
}

}  // namespace

DatabaseWriter::DatabaseWriter(OutputFile& out, AlphabetKind alphabet)
    : out_(out), header_{kMagic, kByteOrderMark, kVersion} {
  trailer_.alphabet = static_cast<std::uint32_t>(alphabet);
  write(bytes_of(header_));
  begin_section(kResidues);
}

void DatabaseWriter::write(std::string_view bytes) {
  out_.write(bytes);
  written_ += bytes.size();
}

void DatabaseWriter::pad() {
  static const std::string zeros(kAlignment, '\0');
  write(std::string_view(zeros).substr(0, aligned(written_) - written_));
}

void DatabaseWriter::begin_section(Section section) {
  pad();
  section_ = &trailer_.sections[section];
  section_->offset = written_;
}

void DatabaseWriter::write_section(std::string_view bytes) {
  write(bytes);
  section_->size += bytes.size();
  section_->checksum = extend_checksum(section_->checksum, bytes);
}

void DatabaseWriter::write_spooled(Section section, Spool& spool) {
  begin_section(section);
  spool.replay([this](std::string_view bytes) { write_section(bytes); });
}

void DatabaseWriter::write_numbers(Section section, const std::vector<std::uint64_t>& numbers) {
  begin_section(section);
  write_section(bytes_of_all(std::span(numbers)));
}

void DatabaseWriter::add(const SequenceBatch& batch) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const SequenceView sequence = batch[i];
    write_section(bytes_of_all(sequence.residues));
    residue_ends_.push_back(residues() + sequence.residues.size());
    trailer_.longest = std::max<std::uint64_t>(trailer_.longest, sequence.residues.size());

    std::array<std::uint64_t, 3> ends{};
    std::size_t field = 0;
    for (const std::string_view text : {sequence.name, sequence.accession, sequence.description}) {
      text_.append(text);
      ends[field++] = text_.size();
    }
    text_ends_.append(bytes_of(ends));
  }
}

void DatabaseWriter::finish(Hmmer3Recorder& hmmer3) {
  write_spooled(kText, text_);
  write_spooled(kTextEnds, text_ends_);
  write_numbers(kResidueEnds, residue_ends_);
  write_numbers(kLongestFirst, longest_first(residue_ends_));
  write_spooled(kHmmer3Residues, hmmer3.residues());
  write_spooled(kHmmer3Text, hmmer3.text());
  write_spooled(kHmmer3TextEntries, hmmer3.text_entries());
  begin_section(kHmmer3End);
  write_section(hmmer3.end_section());
  pad();
  trailer_.sequences = sequences();
  trailer_.residues = residues();
  trailer_.file_size = written_ + sizeof trailer_;
  const std::string_view checked = bytes_of(trailer_).substr(0, offsetof(Trailer, checksum));
  trailer_.checksum = extend_checksum(extend_checksum(0, bytes_of(header_)), checked);
  write(bytes_of(trailer_));
}

}  // namespace gpuhmm
