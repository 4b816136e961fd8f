// Decides what sequences are: proteins or nucleic.
#include "cli/companion/sequence_letters.hpp"

#include "cli/arguments.hpp"
#include "gpuhmm/error.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm::cli {

namespace {

using From = SequenceKind::From;

std::string option_value(AlphabetKind alphabet) {
  return alphabet == AlphabetKind::Nucleic ? "nucleic" : "amino";
}

// The path, and how sure it is that the sequences are of this kind: "x.fa: seems to hold proteins".
std::string found(const SequenceKind& kind) {
  return kind.path + (kind.from == From::Database ? ": the database has " : ": seems to hold ") +
         plural_of(kind.alphabet);
}

}  // namespace

const Alphabet& letters_of(const SequenceSource& source) {
  return Alphabet::get(source.database() ? source.database()->alphabet() : AlphabetKind::AminoLetters);
}

void SequenceKind::require(AlphabetKind made_for, const std::string& what) const {
  if (from == From::NoResidues || made_for == alphabet) return;
  const std::string wrong = what + " is for " + plural_of(made_for);
  if (from == From::Option) throw UsageError("--alphabet " + option_value(alphabet) + ": " + wrong);
  const std::string hint =
      " (--alphabet " + option_value(made_for) + " reads them as " + plural_of(made_for) + ")";
  throw FileError(found(*this) + "; " + wrong + (from == From::Guess ? hint : ""));
}

SequenceKind sequence_kind(const SequenceSource& source, const std::string& path,
                           std::optional<AlphabetKind> given, const SequenceBatch& first) {
  if (source.database()) {
    const SequenceKind kind{source.database()->alphabet(), From::Database, path};
    if (given && *given != kind.alphabet) throw FileError(found(kind) + "; expected " + plural_of(*given));
    return kind;
  }
  if (given) return {*given, From::Option, path};
  const std::optional<AlphabetKind> guess = likely_alphabet(first, letters_of(source));
  return {guess.value_or(AlphabetKind::Amino), guess ? From::Guess : From::NoResidues, path};
}

SequenceKind common_kind(const SequenceKind& a, const SequenceKind& b) {
  if (a.from == From::NoResidues) return b;
  if (b.from == From::NoResidues || a.alphabet == b.alphabet) return a;
  throw FileError(found(b) + ", " + a.path + " " + plural_of(a.alphabet) +
                  " (--alphabet sets the alphabet of both)");
}

std::string plural_of(AlphabetKind alphabet) {
  return alphabet == AlphabetKind::Nucleic ? "nucleic sequences" : "proteins";
}

}  // namespace gpuhmm::cli
