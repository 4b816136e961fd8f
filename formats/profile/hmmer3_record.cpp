// Parses HMMER3/a to HMMER3/f text profiles.
#include "formats/profile/hmmer3_record.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>
#include <utility>

#include "formats/profile/text_record.hpp"

namespace gpuhmm {

namespace {

/// HMMER3's background frequencies of the amino acids.
constexpr std::array<float, 20> kAminoBackground = {
    0.0787945F, 0.0151600F, 0.0535222F, 0.0668298F, 0.0397062F, 0.0695071F, 0.0229198F,
    0.0590092F, 0.0594422F, 0.0963728F, 0.0237718F, 0.0414386F, 0.0482904F, 0.0395639F,
    0.0540978F, 0.0683364F, 0.0540687F, 0.0673417F, 0.0114135F, 0.0304133F};
constexpr std::array<float, 4> kNucleicBackground = {0.25F, 0.25F, 0.25F, 0.25F};

/// `text` after its first `count` words and the white space that follows them.
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

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

}  // namespace

std::span<const float> Hmmer3Record::background() const {
  if (alphabet == AlphabetKind::Amino) return kAminoBackground;
  return kNucleicBackground;
}

ScoreField hmmer3_field(float p, float n) {
  if (p == 0.0F) return std::nullopt;
  if (n == 1.0F && p == 1.0F) return 0;
  const float ratio = p / n;
  return static_cast<std::int32_t>(std::floor(0.5 + 1442.695 * std::log(static_cast<double>(ratio))));
}

std::optional<Hmmer3Record> Hmmer3Parser::next() {
  if (!next_line()) return std::nullopt;
  lines_.begin_record();
  record_ = Hmmer3Record{};
  has_rf_ = has_cs_ = has_map_ = has_alphabet_ = false;
  read_version();
  read_header();
  check_header();
  read_begin();
  for (int k = 1; k <= record_.nodes; ++k) read_node(k);
  read_end();
  return std::move(record_);
}

/// Goes to the next line that is neither blank nor a comment.
bool Hmmer3Parser::next_line() {
  while (lines_.next()) {
    const std::string_view text = after_words(trim_end(lines_.line()), 0);
    if (!text.empty() && text.front() != '#') return true;
  }
  return false;
}

std::string Hmmer3Parser::label() const { return record_name(record_.name); }

const std::vector<std::string_view>& Hmmer3Parser::next_words(const std::string& what, std::size_t least,
                                                              std::size_t most) {
  if (!next_line()) lines_.fail("the file ends in " + label());
  return lines_.words(lines_.line(), what, least, most);
}

void Hmmer3Parser::read_version() {
  const std::string_view word = lines_.words(lines_.line(), "the first line of a profile", 1)[0];
  version_ = word.back();
  if (word.size() != 8 || !word.starts_with("HMMER3/") || version_ < 'a' || version_ > 'f') {
    lines_.fail("expected the next profile, which starts with HMMER3/a to HMMER3/f, or the end of the file");
  }
}

void Hmmer3Parser::read_header() {
  for (;;) {
    const Words& words = next_words("a header line", 1);
    if (words[0] == "HMM") return;
    if (words[0] == "//" || words[0].starts_with("HMMER3/")) {
      lines_.fail(label() + " ends before its main section, which starts with HMM");
    }
    read_header_line(words);
  }
}

void Hmmer3Parser::read_header_line(const Words& words) {
  const std::string_view tag = words[0];
  const auto value = [&]() -> std::string_view {
    if (words.size() < 2) lines_.fail(std::string(tag) + " has no value");
    return words[1];
  };
  if (tag == "NAME") {
    record_.name = value();
  } else if (tag == "ACC") {
    record_.accession = value();
  } else if (tag == "DESC") {
    record_.description = trim_end(rest_of_line(1, tag));
  } else if (tag == "LENG") {
    record_.nodes = parse_profile_length(lines_, value());
  } else if (tag == "ALPH") {
    const std::string name = lower_case(value());
    if (name != "amino" && name != "dna" && name != "rna") {
      lines_.fail("ALPH is '" + name + "'; expected amino, DNA or RNA");
    }
    record_.alphabet = name == "amino" ? AlphabetKind::Amino : AlphabetKind::Nucleic;
    record_.rna = name == "rna";
    has_alphabet_ = true;
  } else if (tag == "RF") {
    has_rf_ = yes_or_no(words);
  } else if (tag == "CS") {
    has_cs_ = yes_or_no(words);
  } else if (tag == "MAP") {
    has_map_ = yes_or_no(words);
  } else if (tag == "COM") {
    record_.commands.emplace_back(rest_of_line(2, tag));
  } else if (tag == "NSEQ") {
    record_.sequence_count = lines_.number<int>(value(), tag);
  } else if (tag == "DATE") {
    record_.date = trim_end(rest_of_line(1, tag));
  } else if (tag == "GA") {
    record_.gathering = cutoff(words);
  } else if (tag == "TC") {
    record_.trusted = cutoff(words);
  } else if (tag == "NC") {
    record_.noise = cutoff(words);
  }
}

void Hmmer3Parser::check_header() const {
  const auto missing = [this](const char* tag) { fail_missing(lines_, record_.name, tag); };
  if (record_.name.empty()) missing("NAME");
  if (record_.nodes == 0) missing("LENG");
  if (!has_alphabet_) missing("ALPH");
}

void Hmmer3Parser::read_begin() {
  next_words("the line of column titles", 1);
  const std::size_t residues = record_.background().size();
  const Words& first = next_words("the line of mean or insert emissions", residues, residues + 1);
  if (first[0] == "COMPO") next_words("the insert line of node 0", residues, residues);
  const Words& transitions = next_words("the transition line of node 0", 7, 7);
  const float to_match = probability(transitions[0]);
  const float to_delete = probability(transitions[2]);
  record_.begin_match = hmmer3_field(to_match, 1.0F);
  record_.begin_main = hmmer3_field(static_cast<float>(1.0 - to_delete), 1.0F);
  record_.begin_delete = hmmer3_field(to_delete, 1.0F);
}

void Hmmer3Parser::read_node(int k) {
  const std::size_t residues = record_.background().size();
  const std::string of_node = " of node " + std::to_string(k);
  const std::size_t column = 1 + residues;
  const std::size_t rf = column + (version_ >= 'e' ? 2 : 1);
  const std::size_t cs = rf + (version_ >= 'f' ? 2 : 1);

  const Words& match = next_words("the match line" + of_node, cs + 1, cs + 1);
  if (lines_.number<int>(match[0], "the node number") != k) {
    lines_.fail("the node number is " + std::string(match[0]) + "; expected " + std::to_string(k));
  }
  add_emissions(match, 1, record_.match);
  if (has_map_) record_.map.push_back(lines_.number<int>(match[column], "the alignment column"));
  if (has_rf_) record_.rf += match[rf].front();
  if (has_cs_) record_.cs += match[cs].front();

  const Words& insert = next_words("the insert line" + of_node, residues, residues);
  if (k < record_.nodes) add_emissions(insert, 0, record_.insert);

  const Words& transitions =
      next_words("the transition line" + of_node, Hmmer3Record::kTransitions, Hmmer3Record::kTransitions);
  for (const std::string_view word : transitions) {
    record_.transition.push_back(k < record_.nodes ? hmmer3_field(probability(word), 1.0F) : std::nullopt);
  }
}

void Hmmer3Parser::read_end() {
  if (next_words("the last line of a profile", 1)[0] != "//") {
    lines_.fail(label() + " goes on after its last node, " + std::to_string(record_.nodes) + "; expected //");
  }
}

std::string_view Hmmer3Parser::rest_of_line(int words, std::string_view tag) const {
  const std::string_view rest = after_words(lines_.line(), words);
  if (trim_end(rest).empty()) lines_.fail(std::string(tag) + " has no value");
  return rest;
}

bool Hmmer3Parser::yes_or_no(const Words& words) const {
  const std::string value = lower_case(words.size() > 1 ? words[1] : "");
  if (value != "yes" && value != "no") {
    lines_.fail(std::string(words[0]) + " is '" + value + "'; expected yes or no");
  }
  return value == "yes";
}

/// Nucleic profiles of HMMER3 have one cut-off of each kind, which then also holds for domains.
ScoreCutoff Hmmer3Parser::cutoff(const Words& words) const {
  const std::string_view tag = words[0];
  const auto bits = [&](std::string_view word) {
    if (word.ends_with(';')) word.remove_suffix(1);
    return static_cast<float>(lines_.number<double>(word, tag));
  };
  if (!has_alphabet_) lines_.fail(std::string(tag) + " comes before ALPH; expected ALPH first");
  const bool amino = record_.alphabet == AlphabetKind::Amino;
  if (words.size() < (amino ? 3U : 2U)) {
    lines_.fail(std::string(tag) + " has too few fields; expected the sequence's and the domain's cut-off");
  }
  return {bits(words[1]), bits(words[amino ? 2 : 1])};
}

float Hmmer3Parser::probability(std::string_view word) const {
  if (word == "*") return 0.0F;
  const double value = lines_.number<double>(word, "a negative log-probability");
  if (value < 0) {
    lines_.fail("a negative log-probability is " + std::string(word) + "; expected zero or above");
  }
  return std::exp(static_cast<float>(-value));
}

void Hmmer3Parser::add_emissions(const Words& words, std::size_t first,
                                 std::vector<ScoreField>& table) const {
  const std::span<const float> background = record_.background();
  for (std::size_t x = 0; x < background.size(); ++x) {
    table.push_back(hmmer3_field(probability(words[first + x]), background[x]));
  }
}

}  // namespace gpuhmm
