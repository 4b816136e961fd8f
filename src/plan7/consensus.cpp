// Computes the consensus and recognises the search style of a profile.
#include "plan7/consensus.hpp"

#include <algorithm>
#include <cctype>
#include <span>

namespace gpuhmm {

namespace {

// Probability from which on a consensus letter is in upper case.
float strong_consensus(AlphabetKind kind) { return kind == AlphabetKind::Amino ? 0.5F : 0.9F; }

}  // namespace

Consensus::Consensus(const Profile& profile)
    : codes_(static_cast<std::size_t>(profile.nodes) + 1), letters_(codes_.size(), ' ') {
  const Alphabet& alphabet = Alphabet::get(profile.alphabet);
  const auto residues = static_cast<std::size_t>(profile.residues());
  for (std::size_t node = 1; node < codes_.size(); ++node) {
    const auto row = std::span<const float>(profile.match).subspan(node * residues, residues);
    const auto best = std::max_element(row.begin(), row.end());
    codes_[node] = static_cast<std::uint8_t>(best - row.begin());
    const char letter = alphabet.letter(codes_[node]);
    const bool strong = *best >= strong_consensus(profile.alphabet);
    letters_[node] = strong ? letter : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
}

std::string_view search_style(const Profile& profile) {
  bool local = false;
  for (int k = 1; k <= profile.nodes; ++k) {
    local = local || (k > 1 && profile.begin[k] > 0) || (k < profile.nodes && profile.end[k] > 0);
  }
  const bool several = profile.special.e_loop > 0;
  if (local) return several ? "fs" : "s";
  return several ? "ls" : "g";
}

}  // namespace gpuhmm
