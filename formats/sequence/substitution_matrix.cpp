// Reads substitution matrices.
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/sequence/text.hpp"
#include "gpuhmm/build.hpp"
#include "gpuhmm/input.hpp"

namespace gpuhmm {

namespace {

constexpr std::string_view kBlosum62 = R"(
   A  R  N  D  C  Q  E  G  H  I  L  K  M  F  P  S  T  W  Y  V  B  Z  X  *
A  4 -1 -2 -2  0 -1 -1  0 -2 -1 -1 -1 -1 -2 -1  1  0 -3 -2  0 -2 -1  0 -4
R -1  5  0 -2 -3  1  0 -2  0 -3 -2  2 -1 -3 -2 -1 -1 -3 -2 -3 -1  0 -1 -4
N -2  0  6  1 -3  0  0  0  1 -3 -3  0 -2 -3 -2  1  0 -4 -2 -3  3  0 -1 -4
D -2 -2  1  6 -3  0  2 -1 -1 -3 -4 -1 -3 -3 -1  0 -1 -4 -3 -3  4  1 -1 -4
C  0 -3 -3 -3  9 -3 -4 -3 -3 -1 -1 -3 -1 -2 -3 -1 -1 -2 -2 -1 -3 -3 -2 -4
Q -1  1  0  0 -3  5  2 -2  0 -3 -2  1  0 -3 -1  0 -1 -2 -1 -2  0  3 -1 -4
E -1  0  0  2 -4  2  5 -2  0 -3 -3  1 -2 -3 -1  0 -1 -3 -2 -2  1  4 -1 -4
G  0 -2  0 -1 -3 -2 -2  6 -2 -4 -4 -2 -3 -3 -2  0 -2 -2 -3 -3 -1 -2 -1 -4
H -2  0  1 -1 -3  0  0 -2  8 -3 -3 -1 -2 -1 -2 -1 -2 -2  2 -3  0  0 -1 -4
I -1 -3 -3 -3 -1 -3 -3 -4 -3  4  2 -3  1  0 -3 -2 -1 -3 -1  3 -3 -3 -1 -4
L -1 -2 -3 -4 -1 -2 -3 -4 -3  2  4 -2  2  0 -3 -2 -1 -2 -1  1 -4 -3 -1 -4
K -1  2  0 -1 -3  1  1 -2 -1 -3 -2  5 -1 -3 -1  0 -1 -3 -2 -2  0  1 -1 -4
M -1 -1 -2 -3 -1  0 -2 -3 -2  1  2 -1  5  0 -2 -1 -1 -1 -1  1 -3 -1 -1 -4
F -2 -3 -3 -3 -2 -3 -3 -3 -1  0  0 -3  0  6 -4 -2 -2  1  3 -1 -3 -3 -1 -4
P -1 -2 -2 -1 -3 -1 -1 -2 -2 -3 -3 -1 -2 -4  7 -1 -1 -4 -3 -2 -2 -1 -2 -4
S  1 -1  1  0 -1  0  0  0 -1 -2 -2  0 -1 -2 -1  4  1 -3 -2 -2  0  0  0 -4
T  0 -1  0 -1 -1 -1 -1 -2 -2 -1 -1 -1 -1 -2 -1  1  5 -2 -2  0 -1 -1  0 -4
W -3 -3 -4 -4 -2 -2 -3 -2 -2 -3 -2 -3 -1  1 -4 -3 -2 11  2 -3 -4 -3 -2 -4
Y -2 -2 -2 -3 -2 -1 -2 -3  2 -1 -1 -2 -1  3 -3 -2 -2  2  7 -1 -3 -2 -1 -4
V  0 -3 -3 -3 -1 -2 -2 -3 -3  3  1 -2  1 -1 -2 -2  0 -3 -1  4 -3 -2 -1 -4
B -2 -1  3  4 -3  0  1 -1  0 -3 -4  0 -3 -3 -2  0 -1 -4 -3 -3  4  1 -1 -4
Z -1  0  0  1 -3  3  4 -2  0 -3 -3  1 -1 -3 -1  0 -1 -3 -2 -2  1  4 -1 -4
X  0 -1 -1 -1 -2 -1 -1 -1 -1 -1 -1 -1 -1 -1 -2  0  0 -2 -1 -1 -1 -1 -1 -4
* -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4  1
)";

// Lowe 1992 (NCBI's NUC.4.4), the values of Biopython's copy; EMBOSS's EDNAFULL adds U with the scores of T.
constexpr std::string_view kNuc44 = R"(
   A  T  G  C  S  W  R  Y  K  M  B  V  H  D  N
A  5 -4 -4 -4 -4  1  1 -4 -4  1 -4 -1 -1 -1 -2
T -4  5 -4 -4 -4  1 -4  1  1 -4 -1 -4 -1 -1 -2
G -4 -4  5 -4  1 -4  1 -4  1 -4 -1 -1 -4 -1 -2
C -4 -4 -4  5  1 -4 -4  1 -4  1 -1 -1 -1 -4 -2
S -4 -4  1  1 -1 -4 -2 -2 -2 -2 -1 -1 -3 -3 -1
W  1  1 -4 -4 -4 -1 -2 -2 -2 -2 -3 -3 -1 -1 -1
R  1 -4  1 -4 -2 -2 -1 -4 -2 -2 -3 -1 -3 -1 -1
Y -4  1 -4  1 -2 -2 -4 -1 -2 -2 -1 -3 -1 -3 -1
K -4  1  1 -4 -2 -2 -2 -2 -1 -4 -1 -3 -3 -1 -1
M  1 -4 -4  1 -2 -2 -2 -2 -4 -1 -3 -1 -1 -3 -1
B -4 -1 -1 -1 -1 -3 -3 -1 -1 -3 -1 -2 -2 -2 -1
V -1 -4 -1 -1 -1 -3 -1 -3 -3 -1 -2 -1 -2 -2 -1
H -1 -1 -4 -1 -3 -1 -3 -1 -3 -1 -2 -2 -1 -2 -1
D -1 -1 -1 -4 -3 -1 -1 -3 -1 -3 -2 -2 -2 -1 -1
N -2 -2 -2 -2 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1
)";

constexpr std::string_view kAminoAcids = "ARNDCQEGHILKMFPSTWYV";
constexpr std::string_view kNucleotides = "ACGT";
constexpr std::string_view kNeverNucleotides = "EFILPQZ";  // in no code for nucleotides

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

std::vector<std::string> words_of(std::string_view line) {
  std::istringstream in{std::string(line)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

}  // namespace

// Scores by letter, as the lines of a file give them.
class SubstitutionMatrix::Table {
 public:
  Table(std::string name, AlphabetKind alphabet)
      : name_(std::move(name)), nucleic_(alphabet == AlphabetKind::Nucleic) {}

  void add_line(std::string_view line, std::uint64_t number) {
    std::vector<std::string> words = words_of(line);
    if (words.empty()) return;
    if (words[0][0] == '#') return read_scale(line, number);
    if (letters_.empty()) {
      for (const std::string& word : words) add_column(word, number);
      return;
    }
    add_row(std::move(words), number);
  }

  void check() const {
    for (const char letter : nucleic_ ? kNeverNucleotides : std::string_view()) {
      if (has(letter)) fail("scores for " + std::string(1, letter) + "; expected a matrix for nucleotides");
    }
    for (const char letter : nucleic_ ? kNucleotides : kAminoAcids) {
      if (!has(stand_in(letter))) {
        fail("no scores for " + std::string(1, letter) + "; expected all " +
             (nucleic_ ? "nucleotides" : "20 amino acids"));
      }
    }
    if (!has(stand_in('\0'))) fail(std::string("no scores for ") + (nucleic_ ? "N, " : "") + "X or *");
  }

  // The letter whose scores are used for `letter`.
  char stand_in(char letter) const {
    if (has(letter)) return letter;
    for (const auto& [own, other] : nucleic_ ? kNucleicStandIns : kAminoStandIns) {
      if (letter == own && has(other)) return other;
    }
    if (is_residue(letter)) return letter;
    if (nucleic_ && has('N')) return 'N';
    return has('X') ? 'X' : '*';
  }
  int score(char a, char b) const { return rows_.at(a).at(b); }
  std::optional<double> scale() const { return scale_; }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw FileError(name_ + ": " + message); }
  [[noreturn]] void fail(std::uint64_t line, const std::string& message) const {
    fail("line " + std::to_string(line) + ": " + message);
  }

  using StandIns = std::array<std::pair<char, char>, 2>;
  static constexpr StandIns kAminoStandIns = {{{'U', 'C'}, {'O', 'K'}}};
  static constexpr StandIns kNucleicStandIns = {{{'U', 'T'}, {'T', 'U'}}};

  bool is_residue(char letter) const {
    return (nucleic_ ? kNucleotides : kAminoAcids).find(letter) != std::string_view::npos;
  }
  bool has(char letter) const {
    return rows_.count(letter) > 0 && letters_.find(letter) != std::string::npos;
  }

  void read_scale(std::string_view comment, std::uint64_t number) {
    const auto text_after = [&comment](std::string_view words) {
      const std::size_t found = comment.find(words);
      return found == std::string_view::npos ? std::string_view()
                                             : text::trim_left(comment.substr(found + words.size()));
    };
    const auto nats = text_after("substitution matrix,"),
               bits = text_after("BLOSUM Clustered Scoring Matrix in");
    const std::size_t last_sign = nats.rfind('=');
    if (nats.starts_with("scale") && last_sign != std::string_view::npos) {
      scale_ = positive_number(nats.substr(last_sign + 1), number);
    } else if (bits.starts_with("1/")) {
      scale_ = std::numbers::ln2 / positive_number(bits.substr(2), number);
    }
  }

  double positive_number(std::string_view text, std::uint64_t line) const {
    const std::string_view word = text::first_word(text);
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || !(value > 0) || !std::isfinite(value)) {
      fail(line, "scale '" + std::string(word) + "'; expected a number above 0");
    }
    return value;
  }

  // A line of scores after their letter or, in the order of the columns, without it.
  void add_row(std::vector<std::string> words, std::uint64_t number) {
    if (words.size() == letters_.size() && rows_.size() < letters_.size() && is_number(words[0])) {
      words.insert(words.begin(), std::string(1, letters_[rows_.size()]));
    }
    if (words[0].size() != 1) fail(number, "the line begins with '" + words[0] + "'; expected a letter");
    if (words.size() != letters_.size() + 1) {
      fail(number, std::to_string(words.size() - 1) + " scores for " + words[0] + "; expected " +
                       std::to_string(letters_.size()));
    }
    if (rows_.contains(upper(words[0][0]))) fail(number, "a second row of " + words[0] + "; expected one");
    for (std::size_t i = 0; i < letters_.size(); ++i) {
      rows_[upper(words[0][0])][letters_[i]] = score_of(words[i + 1], number);
    }
  }

  static bool is_number(std::string_view word) {
    return word.find_first_of(text::kDigits) != std::string_view::npos;
  }

  void add_column(const std::string& word, std::uint64_t number) {
    const char letter = upper(word[0]);
    if (word.size() != 1 || letters_.find(letter) != std::string::npos) {
      fail(number, "'" + word + "' among the letters of the columns; expected each letter once");
    }
    letters_ += letter;
  }

  int score_of(const std::string& word, std::uint64_t number) const {
    constexpr int kMost = 1'000'000;
    int score = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), score);
    if (error != std::errc() || end != word.data() + word.size() || score < -kMost || score > kMost) {
      fail(number, "'" + word + "' is not a score; expected an integer of at most a million");
    }
    return score;
  }

  std::string name_;
  bool nucleic_;
  std::string letters_;  // of the columns
  std::map<char, std::map<char, int>> rows_;
  std::optional<double> scale_;
};

SubstitutionMatrix::SubstitutionMatrix(const Table& table) : scale_(table.scale()) {
  for (std::size_t a = 0; a < scores_.size(); ++a) {
    for (std::size_t b = 0; b < scores_.size(); ++b) {
      scores_[a][b] = table.score(table.stand_in(upper(static_cast<char>(a))),
                                  table.stand_in(upper(static_cast<char>(b))));
    }
  }
}

SubstitutionMatrix SubstitutionMatrix::built_in(std::string_view text, AlphabetKind alphabet) {
  Table table("", alphabet);
  std::istringstream lines{std::string(text)};
  std::uint64_t number = 0;
  for (std::string line; std::getline(lines, line);) table.add_line(line, ++number);
  return SubstitutionMatrix(table);
}

SubstitutionMatrix SubstitutionMatrix::blosum62() { return built_in(kBlosum62, AlphabetKind::Amino); }

SubstitutionMatrix SubstitutionMatrix::nuc44() { return built_in(kNuc44, AlphabetKind::Nucleic); }

SubstitutionMatrix SubstitutionMatrix::read(const std::string& path, AlphabetKind alphabet) {
  Input input(path);
  Table table(input.name(), alphabet);
  LineReader lines(input);
  for (std::string_view line; lines.next(line);) table.add_line(line, lines.number());
  table.check();
  return SubstitutionMatrix(table);
}

}  // namespace gpuhmm
