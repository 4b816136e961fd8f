// Digitises and writes block after block; see the header.
#include "formats/database/make_database.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "formats/database/database.hpp"
#include "formats/database/database_writer.hpp"
#include "formats/sequence/sequence_reader.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kBlockResidues = std::size_t{1} << 20;
constexpr std::size_t kBlockSequences = std::size_t{64} << 10;
constexpr std::string_view kNucleotides = "ACGTUN";

/// The alphabet that sequences digitised as amino acids seem to be of.
AlphabetKind guess_alphabet(const SequenceBatch& batch) {
  const Alphabet& amino = Alphabet::get(AlphabetKind::Amino);
  std::array<std::uint64_t, 256> counts{};
  for (std::size_t i = 0; i < batch.size(); ++i) {
    for (const std::uint8_t code : batch.residues(i)) ++counts[code];
  }
  const std::uint64_t known = batch.residue_count() - counts[amino.unknown()];
  std::uint64_t nucleotides = 0;
  for (const char letter : kNucleotides) nucleotides += counts[amino.code(letter)];
  return known > 0 && nucleotides >= known - known / 10 ? AlphabetKind::Nucleic : AlphabetKind::Amino;
}

/// Nucleic codes for amino codes. Every letter of the nucleic alphabet is one of the amino alphabet, too, so
/// this gives what reading the letters as nucleic gives.
void to_nucleic(SequenceBatch& batch) {
  const Alphabet& amino = Alphabet::get(AlphabetKind::Amino);
  const Alphabet& nucleic = Alphabet::get(AlphabetKind::Nucleic);
  std::array<std::uint8_t, 256> table{};
  for (int code = 0; code < amino.code_count(); ++code) {
    table[code] = nucleic.code(amino.letter(static_cast<std::uint8_t>(code)));
  }
  for (std::uint8_t& code : batch.residue_buffer()) code = table[code];
}

}  // namespace

DatabaseSummary make_database(const std::string& input, std::optional<SequenceFormat> format,
                              const std::string& output, std::optional<AlphabetKind> alphabet) {
  if (!format && is_database(input)) {
    throw FileError(input + ": already a prepared database; expected a sequence file");
  }
  OutputFile out(output);
  const auto reader = open_sequences(input, Alphabet::get(AlphabetKind::Amino), format);
  SequenceBatch block;
  read_block(*reader, block, kBlockSequences, kBlockResidues);
  if (!alphabet) alphabet = guess_alphabet(block);

  DatabaseWriter writer(out, *alphabet);
  for (;;) {
    const bool last = block.size() < kBlockSequences && block.residue_count() < kBlockResidues;
    if (*alphabet == AlphabetKind::Nucleic) to_nucleic(block);
    writer.add(block);
    if (last) break;
    block.clear();
    read_block(*reader, block, kBlockSequences, kBlockResidues);
  }
  writer.finish();
  out.commit();
  return {*alphabet, writer.sequences(), writer.residues()};
}

}  // namespace gpuhmm
