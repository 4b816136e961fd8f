// Guesses the alphabet of sequences by counting residues.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm {

std::optional<AlphabetKind> likely_alphabet(const SequenceBatch& sequences, const Alphabet& alphabet,
                                            std::size_t least) {
  constexpr std::size_t kMostResidues = 1'000'000;
  constexpr std::string_view kNucleotides = "ACGTUN";
  std::array<std::size_t, 256> counts{};
  std::size_t all = 0;
  for (std::size_t i = 0; i < sequences.size() && all < kMostResidues; ++i) {
    const auto residues = sequences.residues(i);
    const std::size_t taken = std::min(residues.size(), kMostResidues - all);
    for (const std::uint8_t code : residues.first(taken)) ++counts[code];
    all += taken;
  }
  counts[alphabet.unknown()] += std::exchange(counts[alphabet.code('-')], 0);
  counts[alphabet.unknown()] += std::exchange(counts[alphabet.code('*')], 0);
  const std::size_t known = all - counts[alphabet.unknown()];
  if (known < std::max<std::size_t>(least, 1)) return std::nullopt;
  std::size_t nucleotides = 0;
  for (const char letter : kNucleotides) nucleotides += std::exchange(counts[alphabet.code(letter)], 0);
  return nucleotides >= known - known / 10 ? AlphabetKind::Nucleic : AlphabetKind::Amino;
}

std::optional<std::string> alphabet_warning(const SequenceBatch& sequences, AlphabetKind profiles,
                                            const std::string& name) {
  constexpr std::size_t kLeastResidues = 10;
  const auto found = likely_alphabet(sequences, Alphabet::get(profiles), kLeastResidues);
  const bool proteins = Alphabet::get(profiles).size() > Alphabet::get(AlphabetKind::Nucleic).size();
  if (!found || *found == (proteins ? AlphabetKind::Amino : AlphabetKind::Nucleic)) return std::nullopt;
  return proteins ? name + ": seems to hold nucleic sequences; the profiles are of protein"
                  : name + ": seems to hold proteins; the profiles are nucleic";
}

}  // namespace gpuhmm
