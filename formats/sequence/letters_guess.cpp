// Guesses the kind of a sequence by counting letters.
#include "formats/sequence/letters_guess.hpp"

#include <cctype>

namespace gpuhmm {

Letters guess_letters(std::string_view row) {
  constexpr int kLooked = 300;
  constexpr std::string_view kGaps = ".-";
  int looked = 0, t = 0, u = 0, nucleic = 0, other = 0;
  bool only_protein = false;
  for (const char c : row) {
    if (kGaps.find(c) != std::string_view::npos) continue;
    if (looked++ == kLooked) break;
    const char letter = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (letter == 'J' || letter == 'O') return Letters::Unknown;
    only_protein = only_protein || std::string_view("EFIPQZ").find(letter) != std::string_view::npos;
    t += letter == 'T';
    u += letter == 'U';
    ++(std::string_view("ACGTUN").find(letter) != std::string_view::npos ? nucleic : other);
  }
  if (only_protein || nucleic <= other) return Letters::Protein;
  return u > t ? Letters::Rna : Letters::Dna;
}

}  // namespace gpuhmm
