// Reads FASTA as HMMER 3.3.2 does (docs/spec/hmmer3/profile-and-configuration.md, 4).
#pragma once

#include <cstdint>
#include <memory>

#include "formats/sequence/fasta_reader.hpp"

namespace gpuhmm {

/// A record begins with ">" anywhere, its first line ends with a CR or LF; illegal residues are errors.
class Hmmer3FastaReader final : public FastaReader {
 public:
  /// `digitiser` has one of HMMER3's alphabets.
  Hmmer3FastaReader(std::unique_ptr<Input> input, const Digitiser& digitiser, EmptyInput empty,
                    std::size_t block = kBlock)
      : FastaReader(std::move(input), digitiser, block, empty) {}

 private:
  bool find_first_record() override;
  bool begin_record(SequenceBatch& into) override;
  std::size_t residues_end() const override;
  void append_residues(std::string_view part, SequenceBatch& into) override;
  [[noreturn]] void refuse(const std::string& message, const std::string& hmmer3_line) const;

  std::uint64_t line_ = 1;  // as HMMER3 counts: lines before the first record and after a name do not count
};

}  // namespace gpuhmm
