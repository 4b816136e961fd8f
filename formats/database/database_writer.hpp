// Writes prepared databases in one pass.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/database/database_layout.hpp"
#include "formats/database/hmmer3_recorder.hpp"
#include "formats/io/spool.hpp"
#include "gpuhmm/alphabet.hpp"
#include "gpuhmm/output.hpp"
#include "gpuhmm/sequence.hpp"

namespace gpuhmm {

/// Writes residues as they are added; names wait in temporary files until all residues are written. Needs 16
/// bytes of memory a sequence. The output may be a pipe. Throws FileError.
class DatabaseWriter {
 public:
  /// `out` must outlive the writer; nothing else may be written to it.
  DatabaseWriter(OutputFile& out, AlphabetKind alphabet);

  /// Adds all sequences of the batch; their residues are codes of the alphabet.
  void add(const SequenceBatch& batch);
  /// Writes everything after the residues. The caller commits the output.
  void finish(Hmmer3Recorder& hmmer3);

  std::uint64_t sequences() const { return residue_ends_.size(); }
  std::uint64_t residues() const { return residue_ends_.empty() ? 0 : residue_ends_.back(); }

 private:
  void write(std::string_view bytes);
  void pad();
  void begin_section(database_layout::Section section);
  void write_section(std::string_view bytes);
  void write_spooled(database_layout::Section section, Spool& spool);
  void write_numbers(database_layout::Section section, const std::vector<std::uint64_t>& numbers);

  OutputFile& out_;
  std::uint64_t written_ = 0;
  database_layout::Header header_;
  database_layout::Trailer trailer_{};
  database_layout::SectionEntry* section_ = nullptr;  // the section being written
  Spool text_, text_ends_;
  std::vector<std::uint64_t> residue_ends_;
};

}  // namespace gpuhmm
