// Records and main sections of HMMER3 text profiles.
#include "formats/profile/hmmer3_parser.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

#include "formats/profile/text_record.hpp"

namespace gpuhmm {

namespace {

/// HMMER3 ignores more characters before the first word of a line than between words.
constexpr std::string_view kIndent = " \t\v\f\r";

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// The words up to one that begins a comment.
void split(std::string_view text, std::vector<std::string_view>& words) {
  words.clear();
  text.remove_prefix(std::min(text.find_first_not_of(kIndent), text.size()));
  for (const char *at = text.data(), *const end = at + text.size();;) {
    at = std::find_if_not(at, end, is_blank);
    if (at == end || *at == '#') return;
    const char* const start = std::exchange(at, std::find_if(at, end, is_blank));
    words.emplace_back(start, at);
  }
}

/// A number of digits with one point among them, at most 15 of them: digits and power of ten are exact, so
/// their quotient is rounded as the number itself. Nothing for other words.
std::optional<double> plain_number(std::string_view word) {
  constexpr std::size_t kMostDigits = 15;
  constexpr double kPowers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  if (word.size() > kMostDigits + 1) return std::nullopt;
  const char *at = word.data(), *const end = at + word.size();
  std::int64_t digits = 0;
  const auto add_digits = [&] {
    for (; at != end && *at >= '0' && *at <= '9'; ++at) digits = 10 * digits + (*at - '0');
  };
  add_digits();
  if (at == end || *at != '.' || word.size() < 2) return std::nullopt;
  const char* const fraction = ++at;
  add_digits();
  if (at != end) return std::nullopt;
  return static_cast<double>(digits) / kPowers[end - fraction];
}

}  // namespace

double leading_number(std::string_view word) {
  if (const std::optional<double> number = plain_number(word)) return *number;
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc{} && end == word.data() + word.size()) return value;
  return std::strtod(std::string(word).c_str(), nullptr);
}

void derive_consensus(hmmer3::Profile& profile) {
  const Alphabet& alphabet = Alphabet::get(profile.alphabet);
  const float upper = profile.alphabet == AlphabetKind::Hmmer3Amino ? 0.5F : 0.9F;
  profile.consensus = " ";
  for (int k = 1; k <= profile.nodes; ++k) {
    int best = 0;
    for (int x = 1; x < alphabet.size(); ++x) {
      if (profile.match_emission(k, x) > profile.match_emission(k, best)) best = x;
    }
    const char letter = alphabet.letter(static_cast<std::uint8_t>(best));
    profile.consensus +=
        profile.match_emission(k, best) >= upper ? letter : static_cast<char>(std::tolower(letter));
  }
}

std::optional<hmmer3::Profile> Hmmer3Parser::next() {
  if (!next_line()) return std::nullopt;
  const std::string_view word = line_words("the first line of a profile", 1, std::string_view::npos)[0];
  hmmer2_follows_ = stop_at_hmmer2_ && word.starts_with("HMMER2.0");
  if (hmmer2_follows_) return std::nullopt;
  lines_.begin_record();
  profile_ = hmmer3::Profile{};
  has_rf_ = has_mm_ = has_consensus_ = has_cs_ = has_map_ = has_alphabet_ = false;
  statistics_seen_ = 0;
  read_version(word);
  try {
    read_record();
  } catch (const FileEnds&) {
    return std::nullopt;
  }
  return std::move(profile_);
}

/// Goes to the next line that is neither blank nor a comment.
bool Hmmer3Parser::next_line() {
  while (lines_.next()) {
    const std::string_view line = tolerant() ? lines_.line() : trim_end(lines_.line());
    const std::size_t start = line.find_first_not_of(tolerant() ? kIndent : " \t");
    if (start != std::string_view::npos && line[start] != '#') return true;
  }
  return false;
}

std::string Hmmer3Parser::label() const { return record_name(profile_.name); }

const Hmmer3Parser::Words& Hmmer3Parser::line_words(const std::string& what, std::size_t least,
                                                    std::size_t most) {
  if (!tolerant()) return lines_.words(lines_.line(), what, least, most);
  split(lines_.line(), words_);
  if (words_.size() < least) {
    lines_.fail(what + " has " + std::to_string(words_.size()) + " fields; expected " +
                std::to_string(least));
  }
  return words_;
}

/// Goes to the next line of the profile.
void Hmmer3Parser::go_on() {
  if (next_line()) return;
  if (drop_unfinished_) throw FileEnds{};
  lines_.fail("the file ends in " + label() + " before its closing //");
}

const Hmmer3Parser::Words& Hmmer3Parser::next_words(const std::string& what, std::size_t least,
                                                    std::size_t most) {
  go_on();
  return line_words(what, least, most);
}

void Hmmer3Parser::read_version(std::string_view word) {
  const char version = word.back();
  if (word.size() != 8 || !word.starts_with("HMMER3/") || version < 'a' || version > 'f') {
    lines_.fail("expected the next profile, which starts with HMMER3/a to HMMER3/f, or the end of the file");
  }
  if (tolerant() && version_ != '\0' && version_ != version) {
    lines_.fail("a profile of the format HMMER3/" + std::string(1, version) + " after one of HMMER3/" +
                std::string(1, version_) + "; expected one format in a file");
  }
  version_ = version;
}

void Hmmer3Parser::read_record() {
  read_header();
  check_header();
  const auto places = static_cast<std::size_t>(profile_.nodes) + 1;
  const auto residues = static_cast<std::size_t>(profile_.residues());
  profile_.match.assign(places * residues, 0.0F);
  profile_.insert.assign(places * residues, 0.0F);
  profile_.transition.assign(places, {});
  if (has_rf_) profile_.rf.assign(places, ' ');
  if (has_mm_ && version_ >= 'f') profile_.mm.assign(places, ' ');
  if (has_cs_) profile_.cs.assign(places, ' ');
  if (has_map_) profile_.map.assign(places, 0);
  if (has_consensus_ && version_ >= 'e') profile_.consensus.assign(places, ' ');
  read_begin();
  for (int k = 1; k <= profile_.nodes; ++k) read_node(k);
  read_end();
  if (tolerant() && version_ < 'e') derive_consensus(profile_);
}

void Hmmer3Parser::read_begin() {
  next_words("the line of column titles", 1);
  const auto residues = static_cast<std::size_t>(profile_.residues());
  const Words* words = &next_words("the line of mean or insert emissions", residues, residues + 1);
  if ((*words)[0] == "COMPO") {
    if (tolerant()) {
      line_words("the line of mean emissions", residues + 1, residues + 1);
      profile_.composition.emplace(residues);
      read_emissions(*words, 1, profile_.composition->data());
    }
    words = &next_words("the insert line of node 0", residues, residues);
  }
  if (tolerant()) read_emissions(*words, 0, profile_.insert.data());
  read_transitions(next_words("the transition line of node 0", hmmer3::kTransitions, hmmer3::kTransitions),
                   0);
}

void Hmmer3Parser::read_node(int k) {
  const auto residues = static_cast<std::size_t>(profile_.residues());
  const std::string of_node = " of node " + std::to_string(k);
  const std::size_t column = 1 + residues;
  const std::size_t consensus = column + 1;
  const std::size_t rf = column + (version_ >= 'e' ? 2 : 1);
  const std::size_t mm = rf + 1;
  const std::size_t cs = rf + (version_ >= 'f' ? 2 : 1);

  const Words& match = next_words("the match line" + of_node, cs + 1, cs + 1);
  if (integer(match[0], "the node number") != k) {
    lines_.fail("the node number is " + std::string(match[0]) + "; expected " + std::to_string(k));
  }
  read_emissions(match, 1, &profile_.match[k * residues]);
  if (has_map_) profile_.map[k] = integer(match[column], "the alignment column");
  if (!profile_.consensus.empty()) profile_.consensus[k] = match[consensus].front();
  if (has_rf_) profile_.rf[k] = match[rf].front();
  if (!profile_.mm.empty()) profile_.mm[k] = match[mm].front();
  if (has_cs_) profile_.cs[k] = match[cs].front();

  const bool used = tolerant() || k < profile_.nodes;
  go_on();
  float* const row = &profile_.insert[k * residues];
  if (k > 1 && lines_.line() == insert_line_) {  // as for most nodes
    if (used) std::copy(row - residues, row, row);
  } else {
    insert_line_ = lines_.line();
    const Words& insert = line_words("the insert line" + of_node, residues, residues);
    if (used) read_emissions(insert, 0, row);
  }
  const Words& transitions =
      next_words("the transition line" + of_node, hmmer3::kTransitions, hmmer3::kTransitions);
  if (used) read_transitions(transitions, k);
}

void Hmmer3Parser::read_end() {
  if (next_words("the last line of a profile", 1)[0] != "//") {
    lines_.fail(label() + " goes on after its last node, " + std::to_string(profile_.nodes) +
                "; expected //");
  }
}

void Hmmer3Parser::read_emissions(const Words& words, std::size_t first, float* table) const {
  const auto residues = static_cast<std::size_t>(profile_.residues());
  for (std::size_t x = 0; x < residues; ++x) table[x] = probability(words[first + x]);
}

/// The conversion uses two transitions of node 0.
void Hmmer3Parser::read_transitions(const Words& words, int k) {
  for (std::size_t i = 0; i < hmmer3::kTransitions; ++i) {
    if (k == 0 && !tolerant() && i != hmmer3::kMM && i != hmmer3::kMD) continue;
    profile_.transition[k][i] = probability(words[i]);
  }
}

int Hmmer3Parser::integer(std::string_view word, std::string_view what) const {
  if (!tolerant()) return lines_.number<int>(word, what);
  return static_cast<int>(std::strtol(std::string(word).c_str(), nullptr, 10));
}

float Hmmer3Parser::probability(std::string_view word) const {
  if (tolerant()) {
    if (word.front() == '*') return 0.0F;
    const float p = std::exp(static_cast<float>(-1.0 * leading_number(word)));
    if (!std::isfinite(p)) {
      lines_.fail("a negative log-probability is " + std::string(word) + "; expected that of a number");
    }
    return p < std::numeric_limits<float>::min() && !keep_subnormals_ ? 0.0F : p;
  }
  if (word == "*") return 0.0F;
  const double value = lines_.number<double>(word, "a negative log-probability");
  if (value < 0) {
    lines_.fail("a negative log-probability is " + std::string(word) + "; expected zero or above");
  }
  return std::exp(static_cast<float>(-value));
}

}  // namespace gpuhmm
