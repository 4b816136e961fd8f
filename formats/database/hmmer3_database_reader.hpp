// Reads a prepared database with HMMER3's alphabets.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "gpuhmm/database.hpp"

namespace gpuhmm {

/// Gives the sequences that open_sequences reads from the file that the database was made from, or its error.
class Hmmer3DatabaseReader final : public SequenceReader {
 public:
  /// `name` is for messages. Throws FileError if the database is of the other alphabet or of version 1.
  Hmmer3DatabaseReader(std::shared_ptr<const Database> database, const Alphabet& alphabet, std::string name);

  const std::string& name() const override { return name_; }
  std::optional<double> fraction_read() const override;
  void make_room(SequenceBatch& into, std::size_t max_sequences, std::size_t max_residues) const override;

 private:
  bool read_record(SequenceBatch& into) override;
  std::string_view field(std::uint64_t field, std::string_view hmmer2);
  [[noreturn]] void fail() const;

  std::shared_ptr<const Database> database_;
  // For the origin of residues: they depend on the alphabet, too.
  std::shared_ptr<const void> source_;
  std::string name_;
  const Alphabet& alphabet_;
  const Hmmer3Differences& differences_;
  std::array<std::uint8_t, 256> codes_;  // for HMMER2's
  // the next of each kind of difference
  std::size_t residue_ = 0, text_ = 0;
};

}  // namespace gpuhmm
