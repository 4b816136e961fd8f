// See the header.
#include "search/alphabet_check.hpp"

#include "formats/sequence/likely_alphabet.hpp"

namespace gpuhmm {

std::optional<std::string> alphabet_warning(const SequenceBatch& sequences, AlphabetKind profiles,
                                            const std::string& name) {
  constexpr std::size_t kLeastResidues = 10;
  const auto found = likely_alphabet(sequences, Alphabet::get(profiles), kLeastResidues);
  if (!found || *found == profiles) return std::nullopt;
  return profiles == AlphabetKind::Amino
             ? name + ": seems to hold nucleic sequences; the profiles are of protein"
             : name + ": seems to hold proteins; the profiles are nucleic";
}

}  // namespace gpuhmm
