// The tables of built-in scales, and the reader for others.
#include "companion/segments/scales.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace gpuhmm {

namespace {

constexpr std::string_view kPublishedOrder = "ARNDCQEGHILKMFPSTWYV";
constexpr std::string_view kNucleotides = "ACGT";
constexpr std::string_view kAaindexFirst = "ARNDCQEGHI";
constexpr std::string_view kAaindexSecond = "LKMFPSTWYV";

struct BuiltIn {
  const char* name;
  const char* source;
  const char* values;  // in kPublishedOrder, of nucleotides in the order of kNucleotides
  const char* shift;
  const char* min_score;
  std::uint64_t min_length;
  const char* unit = "";
};

// Positive values are hydrophobic. Signs are reversed where the source gives the free energy of leaving
// water. White-Wimley scales: D, E, K, R are charged, H is neutral; Trp of the interfacial scale is 1.85 (a
// widespread copy has 0.85). octanol-interface is the difference of the two scales.
constexpr BuiltIn kBuiltIn[] = {
    {"ges", "Engelman, Steitz, Goldman 1986, Annu Rev Biophys Biophys Chem 15:321",
     "1.6 -12.3 -4.8 -9.2 2.0 -4.1 -8.2 1.0 -3.0 3.1 2.8 -8.8 3.4 3.7 -0.2 0.6 1.2 1.9 -0.7 2.6", "1.2", "9",
     10, "kcal/mol"},
    {"kyte-doolittle", "Kyte, Doolittle 1982, J Mol Biol 157:105",
     "1.8 -4.5 -3.5 -3.5 2.5 -3.5 -3.5 -0.4 -3.2 4.5 3.8 -3.9 1.9 2.8 -1.6 -0.8 -0.7 -0.9 -1.3 4.2", "1.27",
     "7.4", 9},
    {"hessa", "Hessa et al. 2005, Nature 433:377",
     "-0.11 -2.58 -2.05 -3.49 0.13 -2.36 -2.68 -0.74 -2.06 0.60 0.55 -2.71 0.10 0.32 -2.23 -0.84 -0.52 -0.30 "
     "-0.68 "
     "0.31",
     "-0.32", "2.9", 9, "kcal/mol"},
    {"zhao-london", "Zhao, London 2006, Protein Sci 15:1987",
     "0.38 -2.57 -1.62 -3.27 -0.30 -1.84 -2.90 -0.19 -1.44 1.97 1.82 -3.46 1.40 1.98 -1.44 -0.53 -0.32 1.53 "
     "0.49 "
     "1.46",
     "0.49", "2.4", 10},
    {"eisenberg", "Eisenberg, Schwarz, Komaromy, Wall 1984, J Mol Biol 179:125",
     "0.62 -2.53 -0.78 -0.90 0.29 -0.85 -0.74 0.48 -0.40 1.38 1.06 -1.50 0.64 1.19 0.12 -0.18 -0.05 0.81 "
     "0.26 1.08",
     "0.52", "2.0", 9},
    {"hopp-woods", "Hopp, Woods 1981, Proc Natl Acad Sci USA 78:3824",
     "0.5 -3.0 -0.2 -3.0 1.0 -0.2 -3.0 0 0.5 1.8 1.8 -3.0 1.3 2.5 0 -0.3 0.4 3.4 2.3 1.5", "0.87", "3.5", 11},
    {"fauchere-pliska", "Fauchere, Pliska 1983, Eur J Med Chem 18:369",
     "0.31 -1.01 -0.60 -0.77 1.54 -0.22 -0.64 0 0.13 1.80 1.70 -0.99 1.23 1.79 0.72 -0.04 0.26 2.25 0.96 "
     "1.22",
     "0.89", "2.0", 9, "log P"},
    {"sweet-eisenberg", "Sweet, Eisenberg 1983, J Mol Biol 171:479",
     "-0.40 -0.59 -0.92 -1.31 0.17 -0.91 -1.22 -0.67 -0.64 1.25 1.22 -0.67 1.02 1.92 -0.49 -0.55 -0.28 0.50 "
     "1.67 "
     "0.91",
     "0.46", "2.7", 7},
    {"white-wimley-interface", "Wimley, White 1996, Nat Struct Biol 3:842",
     "-0.17 -0.81 -0.42 -1.23 0.24 -0.58 -2.02 -0.01 -0.17 0.31 0.56 -0.99 0.23 1.13 -0.45 -0.13 -0.14 1.85 "
     "0.94 "
     "-0.07",
     "0.14", "0.2", 9, "kcal/mol"},
    {"white-wimley-octanol", "White, Wimley 1999, Annu Rev Biophys Biomol Struct 28:319",
     "-0.50 -1.81 -0.85 -3.64 0.02 -0.77 -3.63 -1.15 -0.11 1.12 1.25 -2.80 0.67 1.71 -0.14 -0.46 -0.25 2.09 "
     "0.71 "
     "0.46",
     "0.21", "2.5", 9, "kcal/mol"},
    {"octanol-interface", "White, Wimley 1999, Annu Rev Biophys Biomol Struct 28:319",
     "-0.33 -1.00 -0.43 -2.41 -0.22 -0.19 -1.61 -1.14 0.06 0.81 0.69 -1.81 0.44 0.58 0.31 -0.33 -0.11 0.24 "
     "-0.23 "
     "0.53",
     "0.07", "2.4", 9, "kcal/mol"},
    {"moon-fleming", "Moon, Fleming 2011, Proc Natl Acad Sci USA 108:10174",
     "0 -3.71 -3.47 -2.95 -0.49 -3.01 -1.64 -1.72 -4.76 1.56 1.81 -5.39 0.76 2.20 1.52 -1.83 -1.78 0.38 1.09 "
     "0.78",
     "0.04", "5.7", 10, "kcal/mol"},
};

// Two of the four letters 1, the others -1. The least score is a round number, not fitted to data.
constexpr BuiltIn kNucleic[] = {
    {"gc", "G and C (S) 1, A and T (W) -1; classes of Cornish-Bowden 1985, Nucleic Acids Res 13:3021",
     "-1 1 1 -1", "0", "20", 1},
    {"at", "the same with the opposite sign", "1 -1 -1 1", "0", "20", 1},
    {"purine", "A and G (R) 1, C and T (Y) -1; classes of the same paper", "1 -1 1 -1", "0", "20", 1},
    {"pyrimidine", "the same with the opposite sign", "-1 1 -1 1", "0", "20", 1},
};

// The place of a plain residue in the alphabet; -1 for other letters.
int code_of(char letter, AlphabetKind kind) {
  const Alphabet& alphabet = Alphabet::get(kind);
  const std::size_t code = alphabet.letters().find(letter);
  return code < static_cast<std::size_t>(alphabet.size()) ? static_cast<int>(code) : -1;
}

char upper(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream text(line);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

std::vector<ResidueScale> make_built_in(std::span<const BuiltIn> entries, AlphabetKind alphabet) {
  const std::string_view order = alphabet == AlphabetKind::Nucleic ? kNucleotides : kPublishedOrder;
  std::vector<ResidueScale> scales;
  for (const BuiltIn& entry : entries) {
    ResidueScale scale{
        entry.name,       entry.source, {},      parse_decimal(entry.shift), parse_decimal(entry.min_score),
        entry.min_length, entry.unit,   alphabet};
    const std::vector<std::string> values = words_of(entry.values);
    for (std::size_t i = 0; i < order.size(); ++i) {
      scale.values[static_cast<std::size_t>(code_of(order[i], alphabet))] = parse_decimal(values.at(i));
    }
    scales.push_back(std::move(scale));
  }
  return scales;
}

[[noreturn]] void refuse(std::size_t line, const std::string& what) {
  throw std::invalid_argument("line " + std::to_string(line) + ": " + what);
}

// Collects values by letter and refuses a second one for the same residue. U is kept as T.
class ScaleBuilder {
 public:
  void set(char given, const std::string& number, std::size_t line) {
    const char letter = upper(given);
    if (letter == 'U') {
      line_of_u_ = line;
    } else if (code_of(letter, AlphabetKind::Amino) < 0) {
      refuse(line, std::string("'") + given + "' is none of the 20 amino acids, nor U");
    }
    const auto [place, is_new] = values_.emplace(letter == 'U' ? 'T' : letter, Decimal{});
    if (!is_new) refuse(line, std::string("a second value for ") + letter);
    try {
      place->second = parse_decimal(number);
    } catch (const std::invalid_argument& error) {
      refuse(line, error.what());
    }
  }
  ResidueScale finish(const std::string& name) const {
    const auto is_nucleotide = [](const auto& value) {
      return kNucleotides.find(value.first) != std::string_view::npos;
    };
    const bool nucleic = !values_.empty() && std::all_of(values_.begin(), values_.end(), is_nucleotide);
    if (!nucleic && line_of_u_) refuse(*line_of_u_, "'U' is none of the 20 amino acids");
    ResidueScale scale{name, "", {}, {}, {}, 1, "", nucleic ? AlphabetKind::Nucleic : AlphabetKind::Amino};
    const Alphabet& alphabet = Alphabet::get(scale.alphabet);
    for (std::size_t code = 0; code < static_cast<std::size_t>(alphabet.size()); ++code) {
      const auto value = values_.find(alphabet.letters()[code]);
      if (value == values_.end()) {
        throw std::invalid_argument(std::string("no value for ") + alphabet.letters()[code] +
                                    ", expected one for each of " +
                                    (nucleic ? "A, C, G and T" : "the 20 amino acids, or of A, C, G and T"));
      }
      scale.values[code] = value->second;
    }
    return scale;
  }

 private:
  std::map<char, Decimal> values_;
  std::optional<std::size_t> line_of_u_;
};

// Reads one row of ten numbers of an AAindex entry.
void read_aaindex_row(ScaleBuilder& scale, std::string_view letters, const std::string& row,
                      std::size_t line) {
  const std::vector<std::string> numbers = words_of(row);
  if (numbers.size() != letters.size())
    refuse(line, "expected ten numbers below the line I of an AAindex entry");
  for (std::size_t i = 0; i < letters.size(); ++i) scale.set(letters[i], numbers[i], line);
}

// num / den rounded half away from zero.
std::int64_t rounded_quotient(std::int64_t num, std::int64_t den) {
  const std::int64_t half = num < 0 ? -(den / 2) : den / 2;
  return (num + half) / den;
}

}  // namespace

Decimal parse_decimal(std::string_view text) {
  const std::string shown(text);
  const bool negative = !text.empty() && text.front() == '-';
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  Decimal number;
  int before = 0;
  bool point = false;
  for (const char c : text) {
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (c < '0' || c > '9') throw std::invalid_argument("'" + shown + "' is no decimal number");
    if (point && number.decimals == kMostDecimals) {
      if (c == '0') continue;
      throw std::invalid_argument("'" + shown + "' has more than " + std::to_string(kMostDecimals) +
                                  " decimals");
    }
    number.digits = number.digits * 10 + (c - '0');
    if (point) {
      ++number.decimals;
    } else if (number.digits >= 1'000'000) {
      throw std::invalid_argument("'" + shown + "' is too large, expected less than 1000000");
    } else {
      ++before;
    }
  }
  if (before + number.decimals == 0) throw std::invalid_argument("'" + shown + "' is no decimal number");
  if (negative) number.digits = -number.digits;
  return number;
}

std::string decimal_text(const Decimal& number) {
  std::string digits = std::to_string(number.digits < 0 ? -number.digits : number.digits);
  const auto places = static_cast<std::size_t>(number.decimals);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  if (places > 0) digits.insert(digits.size() - places, ".");
  return number.digits < 0 ? "-" + digits : digits;
}

std::span<const ResidueScale> built_in_scales(AlphabetKind alphabet) {
  static const std::vector<ResidueScale> amino = make_built_in(kBuiltIn, AlphabetKind::Amino),
                                         nucleic = make_built_in(kNucleic, AlphabetKind::Nucleic);
  return alphabet == AlphabetKind::Nucleic ? nucleic : amino;
}

const ResidueScale* find_scale(std::string_view name) {
  for (const AlphabetKind alphabet : {AlphabetKind::Amino, AlphabetKind::Nucleic}) {
    for (const ResidueScale& scale : built_in_scales(alphabet)) {
      if (scale.name == name) return &scale;
    }
  }
  return nullptr;
}

ResidueScale parse_scale(std::string_view text, const std::string& name) {
  std::istringstream input{std::string(text)};
  std::vector<std::string> lines;
  for (std::string line; std::getline(input, line);) lines.push_back(line);
  ScaleBuilder scale;
  const auto entry = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.rfind("I ", 0) == 0 && line.find("A/L") != std::string::npos;
  });
  if (entry != lines.end()) {
    auto row = static_cast<std::size_t>(entry - lines.begin());
    lines.resize(lines.size() + 2);  // missing rows become empty ones
    for (const std::string_view letters : {kAaindexFirst, kAaindexSecond}) {
      ++row;
      read_aaindex_row(scale, letters, lines[row], row + 1);
    }
    return scale.finish(name);
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::vector<std::string> words = words_of(lines[i]);
    if (words.empty() || words[0][0] == '#') continue;
    if (words[0].size() != 1 || words.size() < 2) {
      refuse(i + 1, "expected a letter of a residue and a number, or an AAindex entry");
    }
    scale.set(words[0][0], words[1], i + 1);
  }
  return scale.finish(name);
}

ResidueScores residue_scores(const ResidueScale& scale, const Decimal& shift, const Alphabet& alphabet) {
  const bool nucleic = scale.alphabet == AlphabetKind::Nucleic;
  const Alphabet& meaning = Alphabet::get(nucleic ? AlphabetKind::Nucleic : AlphabetKind::AminoLetters);
  const std::span values = std::span(scale.values).first(static_cast<std::size_t>(meaning.size()));
  ResidueScores result;
  result.decimals = shift.decimals;
  for (const Decimal& value : values) result.decimals = std::max(result.decimals, value.decimals);
  const std::int64_t less = shift.scaled(result.decimals);
  for (std::size_t code = 0; code < alphabet.letters().size(); ++code) {
    const char letter = alphabet.letters()[code];
    result.ends_part[code] = letter == '*' || letter == '-';
    if (result.ends_part[code]) continue;
    const std::uint32_t members = meaning.members(meaning.code(letter));
    std::int64_t sum = 0;
    for (std::size_t residue = 0; residue < values.size(); ++residue) {
      if ((members >> residue & 1) != 0) sum += values[residue].scaled(result.decimals);
    }
    const std::int64_t score = rounded_quotient(sum, std::popcount(members)) - less;
    if (score > std::numeric_limits<std::int32_t>::max() ||
        score < std::numeric_limits<std::int32_t>::min()) {
      throw std::invalid_argument("scale " + scale.name + ": a value less the shift has too many digits");
    }
    result.scores[code] = static_cast<std::int32_t>(score);
  }
  return result;
}

}  // namespace gpuhmm
