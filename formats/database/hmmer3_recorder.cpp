// Compares HMMER3's reading of a file with HMMER2's, sequence by sequence.
#include "formats/database/hmmer3_recorder.hpp"

#include <utility>

#include "formats/database/database_layout.hpp"
#include "formats/io/checksum.hpp"
#include "gpuhmm/hmmer3_sequence_file.hpp"

namespace gpuhmm {

using namespace database_layout;

std::array<std::uint8_t, 256> hmmer3_codes(const Alphabet& hmmer2, const Alphabet& hmmer3) {
  std::array<std::uint8_t, 256> codes{};
  for (int code = 0; code < hmmer2.code_count(); ++code) {
    codes[code] = hmmer3.code(hmmer2.letter(static_cast<std::uint8_t>(code)));
  }
  return codes;
}

const Alphabet& recorded_alphabet(AlphabetKind kind) {
  return Alphabet::get(kind == AlphabetKind::Amino ? AlphabetKind::Hmmer3Amino : AlphabetKind::Hmmer3Dna);
}

Hmmer3Recorder::Hmmer3Recorder(std::unique_ptr<SequenceReader> reader, AlphabetKind kind)
    : reader_(std::move(reader)),
      alphabet_(recorded_alphabet(kind)),
      codes_(hmmer3_codes(Alphabet::get(kind), alphabet_)) {}

void Hmmer3Recorder::stop(std::string failure, std::string hmmer3_line) {
  failure_ = std::move(failure);
  hmmer3_line_ = std::move(hmmer3_line);
  reader_.reset();
}

/// Reads the next sequence into `own_`; false at the end of the file and after an error.
bool Hmmer3Recorder::read_next() {
  own_.clear();
  try {
    return reader_->read(own_);
  } catch (const hmmer3::ParseFailure& failure) {
    stop(failure.message(), failure.line());
  } catch (const FileError& error) {
    std::string message = error.what();
    const std::string prefix = reader_->name() + ": ";
    stop(message.starts_with(prefix) ? message.substr(prefix.size()) : message);
  }
  return false;
}

void Hmmer3Recorder::compare(const SequenceBatch& batch) {
  for (std::size_t i = 0; i < batch.size() && reader_; ++i) {
    const bool read = read_next();
    if (!reader_) return;
    const std::string record = "record " + std::to_string(sequences_ + 1) + ": ";
    if (!read) return stop(record + "HMMER3 reads no sequence here; search the sequence file itself");
    if (own_.length(0) != batch.length(i)) {
      return stop(record +
                  "HMMER3 reads a sequence of another length (a > within a line?); search the sequence "
                  "file itself");
    }
    compare(batch[i], own_[0]);
    ++sequences_;
  }
}

void Hmmer3Recorder::compare(const SequenceView& hmmer2, const SequenceView& hmmer3) {
  for (std::size_t i = 0; i < hmmer3.residues.size(); ++i) {
    const std::uint8_t code = hmmer3.residues[i];
    if (code == codes_[hmmer2.residues[i]]) continue;
    const auto letter = static_cast<std::uint64_t>(alphabet_.letter(code));
    residues_.append(bytes_of((residue_ + i) | letter << kIndexBits));
  }
  residue_ += hmmer3.residues.size();
  const std::pair<std::string_view, std::string_view> fields[] = {{hmmer2.name, hmmer3.name},
                                                                  {hmmer2.accession, hmmer3.accession},
                                                                  {hmmer2.description, hmmer3.description}};
  for (std::uint64_t field = 0; field < std::size(fields); ++field) {
    if (fields[field].first == fields[field].second) continue;
    text_.append(fields[field].second);
    text_entries_.append(bytes_of(std::array{3 * sequences_ + field, text_.size()}));
  }
}

void Hmmer3Recorder::end() {
  if (reader_ && read_next()) {
    stop("record " + std::to_string(sequences_ + 1) +
         ": HMMER3 reads more sequences than HMMER2; search the sequence file itself");
  }
}

std::string Hmmer3Recorder::end_section() const {
  if (failure_.empty()) return {};
  return std::string(bytes_of(sequences_)) + failure_ + '\0' + hmmer3_line_;
}

}  // namespace gpuhmm
