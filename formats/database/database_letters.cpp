// Turns the residue codes of a database into letters; opens sequence files for their letters.
#include "formats/database/database_letters.hpp"

#include <algorithm>

namespace gpuhmm {

bool DatabaseLetters::read(std::string& to, std::size_t size, char end) {
  const Alphabet& alphabet = Alphabet::get(database_->alphabet());
  bool any = false;
  while (to.size() < size) {
    if (!open_) {
      if (begun_ == database_->size()) break;
      ++begun_;
      taken_ = 0;
      open_ = true;
    }
    any = true;
    const std::span<const std::uint8_t> rest = (*database_)[begun_ - 1].residues.subspan(taken_);
    const std::size_t count = std::min(rest.size(), size - to.size());
    for (const std::uint8_t code : rest.first(count)) to += alphabet.letter(code);
    taken_ += count;
    if (count < rest.size()) break;
    to += end;
    open_ = false;
  }
  return any;
}

std::unique_ptr<LetterSource> open_letters(const std::string& path, unsigned threads) {
  if (is_database(path)) {
    return std::make_unique<DatabaseLetters>(std::make_unique<const Database>(path, threads));
  }
  return std::make_unique<LetterReader>(std::make_unique<Input>(path));
}

}  // namespace gpuhmm
