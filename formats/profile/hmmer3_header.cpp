// Header lines of HMMER3 text profiles.
#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "formats/profile/hmmer3_parser.hpp"
#include "formats/profile/text_record.hpp"

namespace gpuhmm {

namespace {

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

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

}  // namespace

void Hmmer3Parser::read_header() {
  for (;;) {
    const Words& words = next_words("a header line", 1);
    if (words[0] == "HMM") return;
    if (!tolerant() && (words[0] == "//" || words[0].starts_with("HMMER3/"))) {
      lines_.fail(label() + " ends before its main section, which starts with HMM");
    }
    read_header_line(words);
  }
}

void Hmmer3Parser::read_header_line(const Words& words) {
  const std::string_view tag = words[0];
  if (tag == "NAME") {
    profile_.name = value(words);
  } else if (tag == "ACC") {
    profile_.accession = value(words);
  } else if (tag == "DESC") {
    profile_.description = trim_end(rest_of_line(1, tag));
  } else if (tag == "LENG") {
    profile_.nodes = tolerant() ? integer(value(words), tag) : parse_profile_length(lines_, value(words));
    if (tolerant()) check_profile_length(lines_, profile_.nodes);
  } else if (tag == "ALPH") {
    read_alphabet(value(words));
  } else if (tag == "RF") {
    has_rf_ = yes_or_no(words) || (tolerant() && has_rf_);
  } else if (tag == "CS") {
    has_cs_ = yes_or_no(words) || (tolerant() && has_cs_);
  } else if (tag == "MAP") {
    has_map_ = yes_or_no(words) || (tolerant() && has_map_);
  } else if (tag == "GA") {
    profile_.gathering = cutoff(words);
  } else if (tag == "TC") {
    profile_.trusted = cutoff(words);
  } else if (tag == "NC") {
    profile_.noise = cutoff(words);
  } else {
    read_provenance(words);
  }
}

/// Tags with which the conversion has less to do.
void Hmmer3Parser::read_provenance(const Words& words) {
  const std::string_view tag = words[0];
  if (tag == "COM") {
    profile_.commands.emplace_back(rest_of_line(2, tag));
  } else if (tag == "DATE") {
    profile_.date = rest_of_line(1, tag);
  } else if (tag == "NSEQ") {
    profile_.sequence_count = integer(value(words), tag);
    if (tolerant() && profile_.sequence_count == 0) lines_.fail("NSEQ is 0; expected another integer");
  } else if (!tolerant()) {
    return;
  } else if (tag == "MM") {
    has_mm_ = yes_or_no(words) || has_mm_;
  } else if (tag == "CONS") {
    has_consensus_ = yes_or_no(words) || has_consensus_;
  } else if (tag == "EFFN") {
    profile_.effective_count = static_cast<float>(leading_number(value(words)));
    if (profile_.effective_count <= 0.0F) {
      lines_.fail("EFFN is '" + std::string(words[1]) + "'; expected a number above 0");
    }
  } else if (tag == "MAXL" && version_ >= 'c') {
    profile_.max_length = integer(value(words), tag);
    if (profile_.max_length == 0) {
      lines_.fail("MAXL is '" + std::string(words[1]) + "'; expected an integer above 0");
    }
  } else if (tag == "CKSUM") {
    profile_.checksum =
        static_cast<std::uint32_t>(std::strtol(std::string(value(words)).c_str(), nullptr, 10));
  } else if (tag == "STATS") {
    read_statistics(words);
  }
}

void Hmmer3Parser::read_alphabet(std::string_view name) {
  const std::string lower = lower_case(name);
  if (lower != "amino" && lower != "dna" && lower != "rna") {
    lines_.fail("ALPH is '" + lower + "'; expected amino, DNA or RNA");
  }
  profile_.alphabet = lower == "amino" ? AlphabetKind::Hmmer3Amino
                      : lower == "dna" ? AlphabetKind::Hmmer3Dna
                                       : AlphabetKind::Hmmer3Rna;
  has_alphabet_ = true;
}

void Hmmer3Parser::read_statistics(const Words& words) {
  const bool old = version_ == 'a';
  const std::size_t least = old ? 4 : 5;
  if (words.size() < least || lower_case(words[1]) != "local") {
    lines_.fail(std::string("expected STATS LOCAL, a kind of score and ") +
                (old ? "a number" : "two numbers"));
  }
  const std::string kind = lower_case(words[2]);
  const auto first = static_cast<float>(leading_number(words[3]));
  const auto second = old ? 0.0F : static_cast<float>(leading_number(words[4]));
  hmmer3::Statistics& s = profile_.statistics;
  if (old && kind == "vlambda") {
    s.msv_lambda = s.viterbi_lambda = s.forward_lambda = first;
    statistics_seen_ |= 1U;
  } else if (old && kind == "vmu") {
    s.msv_mu = s.viterbi_mu = first;
    statistics_seen_ |= 2U;
  } else if (old && kind == "ftau") {
    s.forward_tau = first;
    statistics_seen_ |= 4U;
  } else if (!old && kind == "msv") {
    s.msv_mu = first;
    s.msv_lambda = second;
    statistics_seen_ |= 1U;
  } else if (!old && kind == "viterbi") {
    s.viterbi_mu = first;
    s.viterbi_lambda = second;
    statistics_seen_ |= 2U;
  } else if (!old && kind == "forward") {
    s.forward_tau = first;
    s.forward_lambda = second;
    statistics_seen_ |= 4U;
  } else {
    lines_.fail("'" + std::string(words[2]) + "' is no kind of STATS LOCAL; expected " +
                (old ? "VLAMBDA, VMU or FTAU" : "MSV, VITERBI or FORWARD"));
  }
}

void Hmmer3Parser::check_header() const {
  constexpr unsigned all = 7;
  const auto missing = [this](const char* tag) { fail_missing(lines_, profile_.name, tag); };
  if (profile_.name.empty()) missing("NAME");
  if (profile_.nodes == 0) missing("LENG");
  if (!has_alphabet_) missing("ALPH");
  if (statistics_seen_ != 0 && statistics_seen_ != all) {
    lines_.fail(label() + " has some of its STATS lines; expected all three or none");
  }
}

std::string_view Hmmer3Parser::value(const Words& words) const {
  if (words.size() < 2) lines_.fail(std::string(words[0]) + " has no value");
  return words[1];
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

/// Nucleic profiles of HMMER3 have one cut-off of each kind, that of the sequence.
hmmer3::Cutoff Hmmer3Parser::cutoff(const Words& words) const {
  const std::string_view tag = words[0];
  const auto bits = [&](std::string_view word) {
    if (tolerant()) return static_cast<float>(leading_number(word));
    if (word.ends_with(';')) word.remove_suffix(1);
    return static_cast<float>(lines_.number<double>(word, tag));
  };
  if (!has_alphabet_) lines_.fail(std::string(tag) + " comes before ALPH; expected ALPH first");
  const bool amino = profile_.alphabet == AlphabetKind::Hmmer3Amino;
  if (words.size() < (amino ? 3U : 2U)) {
    lines_.fail(std::string(tag) + " has too few fields; expected the sequence's and the domain's cut-off");
  }
  return {bits(words[1]), bits(words[amino ? 2 : 1])};
}

}  // namespace gpuhmm
