// Reads HMMER2.0 text profiles (docs/spec/profile-format.md, 1.2, 1.3).
#include <algorithm>
#include <array>
#include <cctype>
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

/// HMMER 2.3.2 reads lines into a buffer of 512 bytes; the rest of a longer line becomes another line.
constexpr std::size_t kLongestLine = 511;

/// Column at which the value of a header line starts.
constexpr std::size_t kValueColumn = 6;

/// What may stand between profiles where HMMER3's follow.
bool is_blank_or_comment(std::string_view line) {
  const std::string_view text = trim_end(line);
  return text.empty() || text.front() == '#';
}

class Hmmer2TextReader final : public RecordReader {
 public:
  explicit Hmmer2TextReader(Input& input) : lines_(input, kLongestLine) {}
  std::optional<Profile> next() override;
  std::uint64_t position() const override { return lines_.consumed(); }
  void stop_at_other() override { stop_at_hmmer3_ = true; }
  bool other_follows() const override { return hmmer3_follows_; }
  void put_back() override { lines_.put_back(); }

 private:
  using Words = std::vector<std::string_view>;
  using HeaderParser = void (Hmmer2TextReader::*)(std::string_view value);

  /// The header tags, padded to five characters, and the parsers of their values.
  static const std::array<std::pair<std::string_view, HeaderParser>, 19> kTags;

  void read_header();
  void check_header() const;
  void read_begin();
  void read_node(int k);
  void read_end();

  void parse_name(std::string_view value) { profile_.name = value; }
  void parse_accession(std::string_view value) { profile_.accession = value; }
  void parse_description(std::string_view value) { profile_.description = value; }
  void parse_date(std::string_view value) { profile_.date = value; }
  void parse_command(std::string_view value) { profile_.command_log.emplace_back(value); }
  void parse_rf(std::string_view value) { has_rf_ = is_yes(value); }
  void parse_cs(std::string_view value) { has_cs_ = is_yes(value); }
  void parse_map(std::string_view value) { has_map_ = is_yes(value); }
  void parse_sequence_count(std::string_view value) { profile_.sequence_count = integer(value, "NSEQ"); }
  void parse_checksum(std::string_view value) { profile_.checksum = integer(value, "CKSUM"); }
  void parse_gathering(std::string_view value) { profile_.gathering = cutoff(value, "GA"); }
  void parse_trusted(std::string_view value) { profile_.trusted = cutoff(value, "TC"); }
  void parse_noise(std::string_view value) { profile_.noise = cutoff(value, "NC"); }
  void parse_length(std::string_view value) {
    profile_.nodes = parse_profile_length(lines_, lines_.words(value, "LENG", 1)[0]);
  }
  void parse_alphabet(std::string_view value);
  void parse_special(std::string_view value);
  void parse_null_loop(std::string_view value);
  void parse_null_emission(std::string_view value);
  void parse_evd(std::string_view value);

  static bool is_yes(std::string_view value) {
    return !value.empty() && (value.front() == 'y' || value.front() == 'Y');
  }
  int integer(std::string_view value, std::string_view tag);
  ScoreCutoff cutoff(std::string_view value, std::string_view tag);
  float decimal(std::string_view word, std::string_view what) const {
    return static_cast<float>(lines_.number<double>(word, what));
  }
  /// Probability that a score field stands for, relative to `reference`.
  float probability(std::string_view word, float reference) const;

  TextLines lines_;
  Profile profile_;
  std::string insert_line_;  // the last one read
  bool stop_at_hmmer3_ = false, hmmer3_follows_ = false;
  bool has_rf_ = false, has_cs_ = false, has_map_ = false;
  bool has_alphabet_ = false, has_special_ = false, has_null_loop_ = false;
};

const std::array<std::pair<std::string_view, Hmmer2TextReader::HeaderParser>, 19> Hmmer2TextReader::kTags = {
    {{"NAME ", &Hmmer2TextReader::parse_name},
     {"ACC  ", &Hmmer2TextReader::parse_accession},
     {"DESC ", &Hmmer2TextReader::parse_description},
     {"LENG ", &Hmmer2TextReader::parse_length},
     {"ALPH ", &Hmmer2TextReader::parse_alphabet},
     {"RF   ", &Hmmer2TextReader::parse_rf},
     {"CS   ", &Hmmer2TextReader::parse_cs},
     {"MAP  ", &Hmmer2TextReader::parse_map},
     {"COM  ", &Hmmer2TextReader::parse_command},
     {"NSEQ ", &Hmmer2TextReader::parse_sequence_count},
     {"DATE ", &Hmmer2TextReader::parse_date},
     {"CKSUM", &Hmmer2TextReader::parse_checksum},
     {"GA   ", &Hmmer2TextReader::parse_gathering},
     {"TC   ", &Hmmer2TextReader::parse_trusted},
     {"NC   ", &Hmmer2TextReader::parse_noise},
     {"XT   ", &Hmmer2TextReader::parse_special},
     {"NULT ", &Hmmer2TextReader::parse_null_loop},
     {"NULE ", &Hmmer2TextReader::parse_null_emission},
     {"EVD  ", &Hmmer2TextReader::parse_evd}}};

std::optional<Profile> Hmmer2TextReader::next() {
  do {
    if (!lines_.next()) return std::nullopt;
  } while (stop_at_hmmer3_ && is_blank_or_comment(lines_.line()));
  hmmer3_follows_ = stop_at_hmmer3_ && lines_.line().starts_with("HMMER3/");
  if (hmmer3_follows_) return std::nullopt;
  if (!lines_.line().starts_with("HMMER2.0")) {
    lines_.fail("expected the next profile, which starts with HMMER2.0, or the end of the file");
  }
  lines_.begin_record();
  profile_ = Profile{};
  has_rf_ = has_cs_ = has_map_ = has_alphabet_ = has_special_ = has_null_loop_ = false;
  read_header();
  check_header();
  size_tables(profile_, has_rf_, has_cs_, has_map_);
  read_begin();
  for (int k = 1; k <= profile_.nodes; ++k) read_node(k);
  read_end();
  finish(lines_, profile_);
  return std::move(profile_);
}

void Hmmer2TextReader::read_header() {
  for (;;) {
    lines_.next_of(record_name(profile_.name));
    const std::string_view line = lines_.line();
    if (line.starts_with("HMM  ")) break;
    if (line.starts_with("//") || line.starts_with("HMMER2.0")) {
      lines_.fail(record_name(profile_.name) + " ends before its main section, which starts with HMM");
    }
    const auto* const tag = std::ranges::find_if(
        kTags, [line](const auto& candidate) { return line.starts_with(candidate.first); });
    const std::string_view value =
        trim_end(line.size() > kValueColumn ? line.substr(kValueColumn) : std::string_view());
    if (tag != kTags.end()) (this->*tag->second)(value);
  }
}

void Hmmer2TextReader::check_header() const {
  const auto missing = [this](const char* tag) { fail_missing(lines_, profile_.name, tag); };
  if (profile_.name.empty()) missing("NAME");
  if (profile_.nodes == 0) missing("LENG");
  if (!has_alphabet_) missing("ALPH");
  if (!has_special_) missing("XT");
  if (!has_null_loop_) missing("NULT");
  if (profile_.null_emission.empty()) missing("NULE");
}

int Hmmer2TextReader::integer(std::string_view value, std::string_view tag) {
  // Some programs write unsigned checksums that do not fit an int: these wrap around, as in C.
  return static_cast<int>(lines_.number<std::int64_t>(lines_.words(value, tag, 1)[0], tag));
}

ScoreCutoff Hmmer2TextReader::cutoff(std::string_view value, std::string_view tag) {
  const Words& words = lines_.words(value, tag, 2);
  const auto bits = [&](std::string_view word) {
    if (word.ends_with(';')) word.remove_suffix(1);  // as in Pfam's own files
    return decimal(word, tag);
  };
  return {bits(words[0]), bits(words[1])};
}

float Hmmer2TextReader::probability(std::string_view word, float reference) const {
  if (word == "*") return 0.0F;
  const auto score = lines_.number<std::int32_t>(word, "a score");
  if (score > kLargestScoreField) {
    lines_.fail("a score is " + std::string(word) + "; expected at most " +
                std::to_string(kLargestScoreField));
  }
  return decode(score, reference);
}

void Hmmer2TextReader::parse_alphabet(std::string_view value) {
  const auto is = [value](AlphabetKind kind) {
    const std::string_view name = Alphabet::get(kind).name();
    return value.size() >= name.size() &&
           std::equal(name.begin(), name.end(), value.begin(),
                      [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
  };
  const bool amino = is(AlphabetKind::Amino);
  if (!amino && !is(AlphabetKind::Nucleic)) {
    lines_.fail("ALPH is '" + std::string(value) + "'; expected Amino or Nucleic");
  }
  const AlphabetKind kind = amino ? AlphabetKind::Amino : AlphabetKind::Nucleic;
  if (has_alphabet_ && kind != profile_.alphabet) lines_.fail("ALPH is given twice and differs");
  profile_.alphabet = kind;
  has_alphabet_ = true;
}

void Hmmer2TextReader::parse_special(std::string_view value) {
  const Words& words = lines_.words(value, "XT", 8);
  SpecialTransitions& s = profile_.special;
  float* const places[] = {&s.n_move, &s.n_loop, &s.e_move, &s.e_loop,
                           &s.c_move, &s.c_loop, &s.j_move, &s.j_loop};
  for (std::size_t i = 0; i < std::size(places); ++i) *places[i] = probability(words[i], 1.0F);
  has_special_ = true;
}

void Hmmer2TextReader::parse_null_loop(std::string_view value) {
  const Words& words = lines_.words(value, "NULT", 2);
  const float loop = probability(words[0], 1.0F);
  const float end = probability(words[1], 1.0F);
  profile_.null_loop = loop / (loop + end);
  has_null_loop_ = true;
}

void Hmmer2TextReader::parse_null_emission(std::string_view value) {
  if (!has_alphabet_) lines_.fail("NULE comes before ALPH; expected ALPH first");
  const auto residues = static_cast<std::size_t>(profile_.residues());
  const Words& words = lines_.words(value, "NULE", residues, residues);
  const auto uniform = static_cast<float>(1.0 / static_cast<double>(residues));
  profile_.null_emission.resize(residues);
  for (std::size_t x = 0; x < residues; ++x) profile_.null_emission[x] = probability(words[x], uniform);
}

void Hmmer2TextReader::parse_evd(std::string_view value) {
  const Words& words = lines_.words(value, "EVD", 2);
  profile_.evd = ExtremeValue{decimal(words[0], "EVD"), decimal(words[1], "EVD")};
}

void Hmmer2TextReader::read_begin() {
  lines_.next_of(record_name(profile_.name));  // the column titles
  lines_.next_of(record_name(profile_.name));
  const Words& words = lines_.words(lines_.line(), "the line of begin transitions", 3, 3);
  const float to_main = probability(words[0], 1.0F);
  const float to_delete = probability(words[2], 1.0F);
  profile_.begin_delete = to_delete / (to_main + to_delete);
}

void Hmmer2TextReader::read_node(int k) {
  const std::size_t residues = static_cast<std::size_t>(profile_.residues());
  const std::vector<float>& null = profile_.null_emission;
  const std::string of_node = " of node " + std::to_string(k);
  const auto read_emissions = [&](const Words& words, std::vector<float>& table) {
    float* const row = &table[static_cast<std::size_t>(k) * residues];
    for (std::size_t x = 0; x < residues; ++x) row[x] = probability(words[1 + x], null[x]);
  };

  lines_.next_of(record_name(profile_.name));
  const Words& match = lines_.words(lines_.line(), "the match line" + of_node,
                                    1 + residues + (has_map_ ? 1 : 0), 2 + residues);
  if (lines_.number<int>(match[0], "the node number") != k) {
    lines_.fail("the node number is " + std::string(match[0]) + "; expected " + std::to_string(k));
  }
  read_emissions(match, profile_.match);
  if (has_map_) profile_.map[k] = lines_.number<int>(match[1 + residues], "the alignment column");

  lines_.next_of(record_name(profile_.name));
  if (k > 1 && k < profile_.nodes && lines_.line() == insert_line_) {  // as for most nodes
    float* const row = &profile_.insert[static_cast<std::size_t>(k) * residues];
    std::copy(row - residues, row, row);
    if (has_rf_) profile_.rf[k] = profile_.rf[k - 1];
  } else {
    insert_line_ = lines_.line();
    const Words& insert = lines_.words(insert_line_, "the insert line" + of_node, 1 + residues, 1 + residues);
    if (has_rf_) profile_.rf[k] = insert[0].front();
    if (k < profile_.nodes) read_emissions(insert, profile_.insert);
  }

  lines_.next_of(record_name(profile_.name));
  const Words& transitions = lines_.words(lines_.line(), "the transition line" + of_node, 10, 10);
  if (has_cs_) profile_.cs[k] = transitions[0].front();
  if (k < profile_.nodes) {
    Transitions& t = profile_.transition[k];
    float* const places[] = {&t.mm, &t.mi, &t.md, &t.im, &t.ii, &t.dm, &t.dd};
    for (std::size_t i = 0; i < std::size(places); ++i) *places[i] = probability(transitions[1 + i], 1.0F);
  }
  profile_.begin[k] = probability(transitions[8], 1.0F);
  profile_.end[k] = probability(transitions[9], 1.0F);
}

void Hmmer2TextReader::read_end() {
  do {
    lines_.next_of(record_name(profile_.name) + " before its closing //");
  } while (trim_end(lines_.line()).empty());
  if (!lines_.line().starts_with("//")) {
    lines_.fail(record_name(profile_.name) + " goes on after its last node, " +
                std::to_string(profile_.nodes) + "; expected //");
  }
}

}  // namespace

std::unique_ptr<RecordReader> make_hmmer2_text_reader(Input& input) {
  return std::make_unique<Hmmer2TextReader>(input);
}

}  // namespace gpuhmm
