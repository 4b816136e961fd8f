// Finds what HMMER3 reads otherwise than HMMER2 in the same file, for a database that holds HMMER2's codes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "formats/io/spool.hpp"
#include "gpuhmm/alphabet.hpp"
#include "gpuhmm/sequence.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm {

/// The residue codes of HMMER3's alphabet for those of HMMER2's, by their letters.
std::array<std::uint8_t, 256> hmmer3_codes(const Alphabet& hmmer2, const Alphabet& hmmer3);

/// The alphabet of HMMER3 by which a database with HMMER2's alphabet `kind` is recorded.
const Alphabet& recorded_alphabet(AlphabetKind kind);

/// Reads a file by HMMER3's rules alongside its reading by HMMER2's, and keeps the differences in temporary
/// files.
class Hmmer3Recorder {
 public:
  /// `reader` is at the file's first sequence and has recorded_alphabet(kind).
  Hmmer3Recorder(std::unique_ptr<SequenceReader> reader, AlphabetKind kind);

  /// Compares the next sequences with `batch`, in codes of HMMER2's alphabet. Throws FileError.
  void compare(const SequenceBatch& batch);
  /// To be called when HMMER2 has read all sequences.
  void end();

  /// The contents of the database's sections (Hmmer3Differences).
  Spool& residues() { return residues_; }
  Spool& text() { return text_; }
  Spool& text_entries() { return text_entries_; }
  std::string end_section() const;
  /// Why and after how many sequences HMMER3 fails; empty if it does not.
  const std::string& failure() const { return failure_; }

 private:
  bool read_next();
  void compare(const SequenceView& hmmer2, const SequenceView& hmmer3);
  void stop(std::string failure, std::string hmmer3_line = {});

  std::unique_ptr<SequenceReader> reader_;  // none after a failure
  const Alphabet& alphabet_;
  std::array<std::uint8_t, 256> codes_;
  SequenceBatch own_;  // one sequence as HMMER3 reads it
  Spool residues_, text_, text_entries_;
  std::uint64_t sequences_ = 0;  // compared
  std::uint64_t residue_ = 0;    // index of the next one
  std::string failure_, hmmer3_line_;
};

}  // namespace gpuhmm
