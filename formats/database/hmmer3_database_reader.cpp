// Translates the codes of a mapped database and puts in what HMMER3 reads otherwise.
#include "formats/database/hmmer3_database_reader.hpp"

#include <algorithm>
#include <utility>

#include "formats/database/database_layout.hpp"
#include "formats/database/hmmer3_recorder.hpp"
#include "gpuhmm/hmmer3_sequence_file.hpp"

namespace gpuhmm {

using namespace database_layout;

namespace {

const Hmmer3Differences& differences_of(const Database& database, const std::string& name) {
  if (const Hmmer3Differences* differences = database.hmmer3()) return *differences;
  throw FileError(
      name +
      ": a prepared database of version 1, which holds no sequences for HMMER3's profiles; make it again "
      "with makedb");
}

}  // namespace

Hmmer3DatabaseReader::Hmmer3DatabaseReader(std::shared_ptr<const Database> database, const Alphabet& alphabet,
                                           std::string name)
    : database_(std::move(database)),
      source_(database_, &alphabet),
      name_(std::move(name)),
      alphabet_(alphabet),
      differences_(differences_of(*database_, name_)) {
  check_alphabet(*database_, alphabet, name_);
  codes_ = hmmer3_codes(Alphabet::get(database_->alphabet()), alphabet);
}

std::optional<double> Hmmer3DatabaseReader::fraction_read() const { return database_->fraction(records()); }

void Hmmer3DatabaseReader::make_room(SequenceBatch& into, std::size_t max_sequences,
                                     std::size_t max_residues) const {
  const Database& d = *database_;
  const std::size_t first = records();
  const std::size_t last = d.block_end(first, into, max_sequences, max_residues);
  into.reserve_more(last - first, d.residues_before(last) - d.residues_before(first),
                    d.characters_before(last) - d.characters_before(first));
}

void Hmmer3DatabaseReader::fail() const {
  const std::string message = "its sequence file: " + std::string(differences_.failure);
  if (differences_.hmmer3_line.empty()) throw FileError(name() + ": " + message);
  throw hmmer3::ParseFailure(name(), message, std::string(differences_.hmmer3_line));
}

/// A name, accession or description, of which HMMER2 reads `hmmer2`.
std::string_view Hmmer3DatabaseReader::field(std::uint64_t field, std::string_view hmmer2) {
  const auto entries = differences_.text_entries;
  if (2 * text_ == entries.size() || entries[2 * text_] != field) return hmmer2;
  const std::uint64_t begin = text_ == 0 ? 0 : entries[2 * text_ - 1];
  const std::uint64_t end = entries[2 * text_ + 1];
  ++text_;
  return differences_.text.substr(begin, end - begin);
}

bool Hmmer3DatabaseReader::read_record(SequenceBatch& into) {
  const std::uint64_t record = records();
  if (record == differences_.sequences && !differences_.failure.empty()) fail();
  if (record == database_->size()) return false;
  const SequenceView sequence = (*database_)[record];
  const std::string_view name = field(3 * record, sequence.name),
                         accession = field(3 * record + 1, sequence.accession),
                         description = field(3 * record + 2, sequence.description);
  into.begin_sequence(name, accession, description);
  std::vector<std::uint8_t>& codes = into.residue_buffer();
  const std::size_t begin = codes.size();
  codes.resize(begin + sequence.residues.size());
  std::ranges::transform(sequence.residues, codes.begin() + static_cast<std::ptrdiff_t>(begin),
                         [this](std::uint8_t code) { return codes_[code]; });
  constexpr std::uint64_t kIndexMask = (std::uint64_t{1} << kIndexBits) - 1;
  const std::uint64_t before = database_->residues_before(record), end = before + sequence.residues.size();
  for (; residue_ < differences_.residues.size(); ++residue_) {
    const std::uint64_t entry = differences_.residues[residue_];
    if ((entry & kIndexMask) >= end) break;
    codes[begin + (entry & kIndexMask) - before] = alphabet_.code(static_cast<char>(entry >> kIndexBits));
  }
  into.add_origin({source_, before, database_->residue_count()});
  return true;
}

}  // namespace gpuhmm
