// Reader of HMMER3/a to HMMER3/f text profiles, which it turns into the HMMER2 profile that HMMER 3.3.2's
// `hmmconvert -2` followed by HMMER 2.3.2's reader gives: all numbers go through HMMER2's integer fields
// (spec: profile-format 1.7).
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/profile/record_reader.hpp"
#include "formats/profile/score_field.hpp"
#include "formats/profile/text_lines.hpp"
#include "formats/profile/text_record.hpp"

namespace gpuhmm {

namespace {

/// HMMER3's background frequencies of the amino acids.
constexpr std::array<float, 20> kAminoBackground = {
    0.0787945F, 0.0151600F, 0.0535222F, 0.0668298F, 0.0397062F, 0.0695071F, 0.0229198F,
    0.0590092F, 0.0594422F, 0.0963728F, 0.0237718F, 0.0414386F, 0.0482904F, 0.0395639F,
    0.0540978F, 0.0683364F, 0.0540687F, 0.0673417F, 0.0114135F, 0.0304133F};
constexpr std::array<float, 4> kNucleicBackground = {0.25F, 0.25F, 0.25F, 0.25F};

/// Scores of the move and loop transitions of N, C and J and of the null model, and of both transitions of E.
struct SpecialScores {
  std::int32_t move, loop, end;
};
constexpr SpecialScores kAminoSpecial = {-8455, -4, -1000};
constexpr SpecialScores kNucleicSpecial = {-9967, -1, -1000};

/// Longest value of a header line: HMMER 2.3.2 reads lines of 511 characters, the value from the seventh on.
constexpr std::size_t kLongestValue = 511 - 6;

/// Score field of probability p against n, as HMMER3 writes it.
ScoreField hmmer3_field(float p, float n) {
  if (p == 0.0F) return std::nullopt;
  if (n == 1.0F && p == 1.0F) return 0;
  const float ratio = p / n;
  return static_cast<std::int32_t>(std::floor(0.5 + 1442.695 * std::log(static_cast<double>(ratio))));
}

/// A transition probability after the way through a HMMER2 file.
float converted(float p) { return decode(hmmer3_field(p, 1.0F), 1.0F); }

/// A header value as HMMER 2.3.2 reads it from a line of the converted file.
std::string converted(std::string_view value) {
  return std::string(trim_end(value.substr(0, kLongestValue)));
}

/// `text` behind its first `count` words and the white space after them.
std::string_view after_words(std::string_view text, int count) {
  constexpr std::string_view blank = " \t";
  const auto skip = [&text](std::size_t place) { text.remove_prefix(std::min(place, text.size())); };
  skip(text.find_first_not_of(blank));
  for (; count > 0; --count) {
    skip(text.find_first_of(blank));
    skip(text.find_first_not_of(blank));
  }
  return text;
}

class Hmmer3TextReader final : public RecordReader {
 public:
  explicit Hmmer3TextReader(Input& input) : lines_(input) {}
  std::optional<Profile> next() override;
  std::uint64_t position() const override { return lines_.consumed(); }

 private:
  using Words = std::vector<std::string_view>;

  bool next_line();
  const Words& next_words(const std::string& what, std::size_t least,
                          std::size_t most = std::numeric_limits<std::size_t>::max());
  void read_version();
  void read_header();
  void read_header_line(const Words& words);
  void check_header() const;
  void configure();
  void read_begin();
  void read_node(int k);
  void read_end();
  std::string_view rest_of_line(int words, std::string_view tag) const;
  bool yes_or_no(const Words& words) const;
  ScoreCutoff cutoff(const Words& words) const;
  float probability(std::string_view word) const;
  void read_emissions(const Words& words, std::size_t first, std::vector<float>& table, int k) const;

  TextLines lines_;
  Profile profile_;
  char version_ = 'a';
  bool has_rf_ = false, has_cs_ = false, has_map_ = false, has_alphabet_ = false;
  std::vector<float> background_;
};

std::optional<Profile> Hmmer3TextReader::next() {
  if (!next_line()) return std::nullopt;
  profile_ = Profile{};
  has_rf_ = has_cs_ = has_map_ = has_alphabet_ = false;
  read_version();
  read_header();
  check_header();
  configure();
  read_begin();
  for (int k = 1; k <= profile_.nodes; ++k) read_node(k);
  read_end();
  finish(lines_, profile_);
  return std::move(profile_);
}

/// Goes to the next line that is neither blank nor a comment.
bool Hmmer3TextReader::next_line() {
  while (lines_.next()) {
    const std::string_view text = after_words(trim_end(lines_.line()), 0);
    if (!text.empty() && text.front() != '#') return true;
  }
  return false;
}

const std::vector<std::string_view>& Hmmer3TextReader::next_words(const std::string& what, std::size_t least,
                                                                  std::size_t most) {
  if (!next_line()) lines_.fail("the file ends in " + record_name(profile_));
  return lines_.words(lines_.line(), what, least, most);
}

void Hmmer3TextReader::read_version() {
  const std::string_view word = lines_.words(lines_.line(), "the first line of a profile", 1)[0];
  version_ = word.back();
  if (word.size() != 8 || !word.starts_with("HMMER3/") || version_ < 'a' || version_ > 'f') {
    lines_.fail("expected the next profile, which starts with HMMER3/a to HMMER3/f, or the end of the file");
  }
}

void Hmmer3TextReader::read_header() {
  for (;;) {
    const Words& words = next_words("a header line", 1);
    if (words[0] == "HMM") return;
    if (words[0] == "//" || words[0].starts_with("HMMER3/")) {
      lines_.fail(record_name(profile_) + " ends before its main section, which starts with HMM");
    }
    read_header_line(words);
  }
}

void Hmmer3TextReader::read_header_line(const Words& words) {
  const std::string_view tag = words[0];
  const auto value = [&]() -> std::string_view {
    if (words.size() < 2) lines_.fail(std::string(tag) + " has no value");
    return words[1];
  };
  if (tag == "NAME") {
    profile_.name = converted(value());
  } else if (tag == "ACC") {
    profile_.accession = converted(value());
  } else if (tag == "DESC") {
    profile_.description = converted(rest_of_line(1, tag));
  } else if (tag == "LENG") {
    profile_.nodes = parse_profile_length(lines_, value());
  } else if (tag == "ALPH") {
    std::string name(value());
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (name != "amino" && name != "dna" && name != "rna") {
      lines_.fail("ALPH is '" + name + "'; expected amino, DNA or RNA");
    }
    profile_.alphabet = name == "amino" ? AlphabetKind::Amino : AlphabetKind::Nucleic;
    has_alphabet_ = true;
  } else if (tag == "RF") {
    has_rf_ = yes_or_no(words);
  } else if (tag == "CS") {
    has_cs_ = yes_or_no(words);
  } else if (tag == "MAP") {
    has_map_ = yes_or_no(words);
  } else if (tag == "COM") {
    // The entry's number in brackets becomes a blank.
    profile_.command_log.push_back(converted(" " + std::string(rest_of_line(2, tag))));
  } else if (tag == "NSEQ") {
    profile_.sequence_count = lines_.number<int>(value(), tag);
  } else if (tag == "DATE") {
    profile_.date = converted(rest_of_line(1, tag));
  } else if (tag == "GA") {
    profile_.gathering = cutoff(words);
  } else if (tag == "TC") {
    profile_.trusted = cutoff(words);
  } else if (tag == "NC") {
    profile_.noise = cutoff(words);
  }
}

void Hmmer3TextReader::check_header() const {
  const auto missing = [this](const char* tag) { fail_missing(lines_, profile_, tag); };
  if (profile_.name.empty()) missing("NAME");
  if (profile_.nodes == 0) missing("LENG");
  if (!has_alphabet_) missing("ALPH");
}

/// What every converted profile has: HMMER3's null model and the glocal multi-hit style.
void Hmmer3TextReader::configure() {
  const bool amino = profile_.alphabet == AlphabetKind::Amino;
  if (!amino) {
    // For nucleic profiles HMMER3 has one cut-off of each kind.
    for (auto* const cutoff : {&profile_.gathering, &profile_.trusted, &profile_.noise}) {
      if (*cutoff) (*cutoff)->domain = (*cutoff)->sequence;
    }
  }
  const SpecialScores scores = amino ? kAminoSpecial : kNucleicSpecial;
  const float move = decode(scores.move, 1.0F);
  const float loop = decode(scores.loop, 1.0F);
  const float end = decode(scores.end, 1.0F);
  profile_.special = {move, loop, end, end, move, loop, move, loop};
  profile_.null_loop = loop / (loop + move);
  if (amino) {
    background_.assign(kAminoBackground.begin(), kAminoBackground.end());
  } else {
    background_.assign(kNucleicBackground.begin(), kNucleicBackground.end());
  }
  const auto uniform = static_cast<float>(1.0 / static_cast<double>(background_.size()));
  for (const float g : background_) {
    profile_.null_emission.push_back(decode(hmmer3_field(g, uniform), uniform));
  }
  size_tables(profile_, has_rf_, has_cs_, has_map_);
}

void Hmmer3TextReader::read_begin() {
  next_words("the line of column titles", 1);
  const std::size_t residues = background_.size();
  const Words& first = next_words("the line of mean or insert emissions", residues, residues + 1);
  if (first[0] == "COMPO") next_words("the insert line of node 0", residues, residues);
  const Words& transitions = next_words("the transition line of node 0", 7, 7);
  const float to_match = probability(transitions[0]);
  const float to_delete = probability(transitions[2]);
  profile_.begin[1] = converted(to_match);
  profile_.end[profile_.nodes] = 1.0F;
  const float main = converted(static_cast<float>(1.0 - to_delete));
  const float deletion = converted(to_delete);
  profile_.begin_delete = deletion / (main + deletion);
}

void Hmmer3TextReader::read_node(int k) {
  const std::size_t residues = background_.size();
  const std::string of_node = " of node " + std::to_string(k);
  const std::size_t column = 1 + residues;
  const std::size_t rf = column + (version_ >= 'e' ? 2 : 1);
  const std::size_t cs = rf + (version_ >= 'f' ? 2 : 1);

  const Words& match = next_words("the match line" + of_node, cs + 1, cs + 1);
  if (lines_.number<int>(match[0], "the node number") != k) {
    lines_.fail("the node number is " + std::string(match[0]) + "; expected " + std::to_string(k));
  }
  read_emissions(match, 1, profile_.match, k);
  if (has_map_) profile_.map[k] = lines_.number<int>(match[column], "the alignment column");
  if (has_rf_) profile_.rf[k] = match[rf].front();
  if (has_cs_) profile_.cs[k] = match[cs].front();

  const Words& insert = next_words("the insert line" + of_node, residues, residues);
  if (k < profile_.nodes) read_emissions(insert, 0, profile_.insert, k);

  const Words& transitions = next_words("the transition line" + of_node, 7, 7);
  if (k < profile_.nodes) {
    Transitions& t = profile_.transition[k];
    float* const places[] = {&t.mm, &t.mi, &t.md, &t.im, &t.ii, &t.dm, &t.dd};
    for (std::size_t i = 0; i < std::size(places); ++i) *places[i] = converted(probability(transitions[i]));
  }
}

void Hmmer3TextReader::read_end() {
  if (next_words("the last line of a profile", 1)[0] != "//") {
    lines_.fail(record_name(profile_) + " goes on after its last node, " + std::to_string(profile_.nodes) +
                "; expected //");
  }
}

std::string_view Hmmer3TextReader::rest_of_line(int words, std::string_view tag) const {
  const std::string_view rest = after_words(trim_end(lines_.line()), words);
  if (rest.empty()) lines_.fail(std::string(tag) + " has no value");
  return rest;
}

bool Hmmer3TextReader::yes_or_no(const Words& words) const {
  std::string value(words.size() > 1 ? words[1] : "");
  for (char& c : value) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (value != "yes" && value != "no") {
    lines_.fail(std::string(words[0]) + " is '" + value + "'; expected yes or no");
  }
  return value == "yes";
}

/// Cut-offs rounded to one decimal, as the converted file has them. A missing second one is left to
/// configure.
ScoreCutoff Hmmer3TextReader::cutoff(const Words& words) const {
  const std::string_view tag = words[0];
  const auto bits = [&](std::string_view word) {
    if (word.ends_with(';')) word.remove_suffix(1);
    const auto value = static_cast<float>(lines_.number<double>(word, tag));
    std::array<char, 64> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), static_cast<double>(value),
                                   std::chars_format::fixed, 1);
    return static_cast<float>(lines_.number<double>({text.data(), end.ptr}, tag));
  };
  if (!has_alphabet_) lines_.fail(std::string(tag) + " comes before ALPH; expected ALPH first");
  if (words.size() < (profile_.alphabet == AlphabetKind::Amino ? 3U : 2U)) {
    lines_.fail(std::string(tag) + " has too few fields; expected the sequence's and the domain's cut-off");
  }
  return {bits(words[1]), words.size() > 2 ? bits(words[2]) : 0.0F};
}

float Hmmer3TextReader::probability(std::string_view word) const {
  if (word == "*") return 0.0F;
  const double value = lines_.number<double>(word, "a negative log-probability");
  if (value < 0) {
    lines_.fail("a negative log-probability is " + std::string(word) + "; expected zero or above");
  }
  return std::exp(static_cast<float>(-value));
}

void Hmmer3TextReader::read_emissions(const Words& words, std::size_t first, std::vector<float>& table,
                                      int k) const {
  float* const row = &table[static_cast<std::size_t>(k) * background_.size()];
  for (std::size_t x = 0; x < background_.size(); ++x) {
    row[x] = decode(hmmer3_field(probability(words[first + x]), background_[x]), profile_.null_emission[x]);
  }
}

}  // namespace

std::unique_ptr<RecordReader> make_hmmer3_text_reader(Input& input) {
  return std::make_unique<Hmmer3TextReader>(input);
}

}  // namespace gpuhmm
