// Makes a prepared database: reads sequences block by block and writes them.
#include <array>
#include <utility>

#include "formats/database/database_writer.hpp"
#include "formats/database/hmmer3_recorder.hpp"
#include "gpuhmm/database.hpp"
#include "gpuhmm/input.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kBlockResidues = std::size_t{1} << 20;
constexpr std::size_t kBlockSequences = std::size_t{64} << 10;

/// Replaces amino codes by nucleic codes. Each nucleic letter is also an amino letter, so the result is that
/// of reading the letters as nucleic.
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
  const Alphabet& amino = Alphabet::get(AlphabetKind::Amino);
  auto [for_hmmer2, for_hmmer3] = open_twice(input);
  const auto reader = open_sequences(std::move(for_hmmer2), amino, format, EmptyInput::Refused);
  SequenceBatch block;
  read_block(*reader, block, kBlockSequences, kBlockResidues);
  if (!alphabet) alphabet = likely_alphabet(block, amino).value_or(AlphabetKind::Amino);

  DatabaseWriter writer(out, *alphabet);
  Hmmer3Recorder hmmer3(
      open_sequences(std::move(for_hmmer3), recorded_alphabet(*alphabet), format, EmptyInput::Allowed),
      *alphabet);
  for (;;) {
    const bool last = block.size() < kBlockSequences && block.residue_count() < kBlockResidues;
    if (*alphabet == AlphabetKind::Nucleic) to_nucleic(block);
    writer.add(block);
    hmmer3.compare(block);
    if (last) break;
    block.clear();
    read_block(*reader, block, kBlockSequences, kBlockResidues);
  }
  hmmer3.end();
  writer.finish(hmmer3);
  out.commit();
  return {*alphabet, writer.sequences(), writer.residues(), hmmer3.failure()};
}

}  // namespace gpuhmm
