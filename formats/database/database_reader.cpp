// Reads batches of sequences from a mapped database.
#include <algorithm>
#include <limits>
#include <utility>

#include "formats/database/hmmer3_database_reader.hpp"
#include "gpuhmm/database.hpp"
#include "gpuhmm/input.hpp"

namespace gpuhmm {

namespace {

/// HMMER2's alphabet for the molecules of `kind`.
AlphabetKind stored_as(AlphabetKind kind) {
  switch (kind) {
    case AlphabetKind::Hmmer3Amino:
      return AlphabetKind::Amino;
    case AlphabetKind::Hmmer3Dna:
    case AlphabetKind::Hmmer3Rna:
      return AlphabetKind::Nucleic;
    default:
      return kind;
  }
}

}  // namespace

bool has_alphabet(const Database& database, const Alphabet& alphabet) {
  return database.alphabet() == stored_as(alphabet.kind());
}

void check_alphabet(const Database& database, const Alphabet& alphabet, const std::string& name) {
  if (has_alphabet(database, alphabet)) return;
  throw FileError(name + ": a prepared database of " +
                  std::string(Alphabet::get(database.alphabet()).name()) +
                  " sequences; expected the alphabet of the profile, " + std::string(alphabet.name()));
}

std::size_t Database::block_end(std::size_t first, const SequenceBatch& into, std::size_t max_sequences,
                                std::size_t max_residues) const {
  std::size_t last = first;
  while (last < size() && into.size() + last - first < max_sequences &&
         into.residue_count() + residues_before(last) - residues_before(first) < max_residues) {
    ++last;
  }
  return last;
}

std::size_t Database::with_residues() const {
  const auto first_empty = std::partition_point(longest_first_.begin(), longest_first_.end(),
                                                [this](std::uint64_t i) { return length(i) > 0; });
  return static_cast<std::size_t>(first_empty - longest_first_.begin());
}

double Database::fraction(std::size_t i) const {
  if (residue_count() == 0) return static_cast<double>(i) / static_cast<double>(size());
  return static_cast<double>(residues_before(i)) / static_cast<double>(residue_count());
}

DatabaseReader::DatabaseReader(std::shared_ptr<const Database> database, const Alphabet& alphabet,
                               std::string name)
    : database_(std::move(database)), name_(std::move(name)) {
  check_alphabet(*database_, alphabet, name_);
}

void DatabaseReader::make_room(SequenceBatch& into, std::size_t max_sequences,
                               std::size_t max_residues) const {
  const Database& d = *database_;
  const std::size_t first = records();
  if (first == d.size()) return;
  const std::size_t last = d.block_end(first, into, max_sequences, max_residues);
  if (into.empty()) {
    into.borrow(database_, d.residues().data() + d.residues_before(first), d[first].name.data());
    into.reserve_more(last - first, 0, 0);
  } else {
    into.reserve_more(last - first, d.residues_before(last) - d.residues_before(first),
                      d.characters_before(last) - d.characters_before(first));
  }
}

std::optional<double> DatabaseReader::fraction_read() const { return database_->fraction(records()); }

bool DatabaseReader::read_record(SequenceBatch& into) {
  if (records() == database_->size()) return false;
  const SequenceView sequence = (*database_)[records()];
  if (into.extend(sequence)) return true;
  into.begin_sequence(sequence.name, sequence.accession, sequence.description);
  into.append_residues(sequence.residues);
  return true;
}

SequenceSource::SequenceSource(std::string path, std::optional<SequenceFormat> format, unsigned threads,
                               EmptyInput empty)
    : path_(std::move(path)), format_(format), empty_(empty) {
  if (!format_ && is_database(path_)) database_ = std::make_shared<const Database>(path_, threads);
}

SequenceSource::SequenceSource(std::string path, std::optional<SequenceFormat> format, HeldSequences held,
                               EmptyInput empty)
    : path_(std::move(path)),
      format_(format),
      empty_(empty),
      database_(std::move(held.database)),
      kept_(std::move(held.bytes)) {}

void SequenceSource::keep() {
  kept_ = std::make_shared<const std::string>(read_whole(path_, std::numeric_limits<std::size_t>::max()));
}

// Whether the database gives the same sequences as the bytes, from which it was made.
bool SequenceSource::is_database_like_bytes(const Alphabet& alphabet) const {
  if (!database_ || format_ || !has_alphabet(*database_, alphabet)) return false;
  return !alphabet.is_hmmer3() || (database_->hmmer3() != nullptr && database_->hmmer3()->failure.empty());
}

std::unique_ptr<SequenceReader> SequenceSource::open(const Alphabet& alphabet) const {
  const std::string name = path_ == "-" ? "standard input" : path_;
  if (kept_ && !is_database_like_bytes(alphabet)) {
    return open_sequences(std::make_unique<Input>(name, *kept_, 0), alphabet, format_, empty_);
  }
  if (database_ && alphabet.is_hmmer3()) {
    return std::make_unique<Hmmer3DatabaseReader>(database_, alphabet, name);
  }
  if (database_) return std::make_unique<DatabaseReader>(database_, alphabet, name);
  return open_sequences(path_, alphabet, format_, empty_);
}

}  // namespace gpuhmm
