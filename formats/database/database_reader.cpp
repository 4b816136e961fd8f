// Reads batches of sequences from a mapped database.
#include <utility>

#include "gpuhmm/database.hpp"

namespace gpuhmm {

DatabaseReader::DatabaseReader(std::shared_ptr<const Database> database, const Alphabet& alphabet)
    : database_(std::move(database)) {
  if (database_->alphabet() == alphabet.kind()) return;
  throw FileError(name() + ": a prepared database of " +
                  std::string(Alphabet::get(database_->alphabet()).name()) +
                  " sequences; expected the alphabet of the profile, " + std::string(alphabet.name()));
}

void DatabaseReader::make_room(SequenceBatch& into, std::size_t max_sequences,
                               std::size_t max_residues) const {
  const Database& d = *database_;
  const std::size_t first = records();
  if (first == d.size()) return;
  std::size_t last = first;
  while (last < d.size() && into.size() + last - first < max_sequences &&
         into.residue_count() + d.residues_before(last) - d.residues_before(first) < max_residues) {
    ++last;
  }
  if (into.empty()) {
    into.borrow(database_, d.residues().data() + d.residues_before(first), d[first].name.data());
    into.reserve_more(last - first, 0, 0);
  } else {
    into.reserve_more(last - first, d.residues_before(last) - d.residues_before(first),
                      d.characters_before(last) - d.characters_before(first));
  }
}

std::optional<double> DatabaseReader::fraction_read() const {
  const Database& d = *database_;
  if (d.residue_count() == 0) return static_cast<double>(records()) / static_cast<double>(d.size());
  return static_cast<double>(d.residues_before(records())) / static_cast<double>(d.residue_count());
}

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

std::unique_ptr<SequenceReader> SequenceSource::open(const Alphabet& alphabet) const {
  if (database_) return std::make_unique<DatabaseReader>(database_, alphabet);
  return open_sequences(path_, alphabet, format_, empty_);
}

}  // namespace gpuhmm
