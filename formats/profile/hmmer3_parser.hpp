// Parser of HMMER3/a to HMMER3/f text profiles, by HMMER3's own rules or by stricter ones
// (docs/spec/hmmer3/profile-and-configuration.md, 2; docs/spec/profile-format.md, 1.7).
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/profile/text_lines.hpp"
#include "gpuhmm/hmmer3_profile.hpp"

namespace gpuhmm {

/// Which texts are profiles.
enum class Hmmer3Rules {
  /// Text as HMMER3 writes it, with all profiles whole; for the conversion to HMMER2. Numbers that it does
  /// not
  /// use (inserts of node 0 and of the last node, COMPO, statistics) are left out, as is the consensus.
  Strict,
  /// What HMMER3's programs read: more words on a line, comments behind the words, numbers with something
  /// behind them. All profiles have the format version of the first one.
  Hmmer3,
};

/// Reads the records of a file one after another.
class Hmmer3Parser {
 public:
  Hmmer3Parser(Input& input, Hmmer3Rules rules) : lines_(input), rules_(rules) {}

  /// A HMMER2 profile ends the reading.
  void stop_at_hmmer2() { stop_at_hmmer2_ = true; }
  /// By HMMER3's rules: keep probabilities below the smallest normal number. hmmpress does, hmmsearch, whose
  /// arithmetic flushes them to zero, does not.
  void keep_subnormals() { keep_subnormals_ = true; }
  /// By HMMER3's rules: a profile that the file's end cuts off at a line's end is not there.
  void drop_unfinished() { drop_unfinished_ = true; }

  /// The next profile; nothing at the end of the file. Throws FileError.
  std::optional<hmmer3::Profile> next();
  /// Whether next() gave nothing because of stop_at_hmmer2; the HMMER2 profile begins at the current line.
  bool hmmer2_follows() const { return hmmer2_follows_; }
  TextLines& lines() { return lines_; }
  const TextLines& lines() const { return lines_; }

 private:
  using Words = std::vector<std::string_view>;
  struct FileEnds {};  // thrown where a profile is cut off that is left out

  bool tolerant() const { return rules_ == Hmmer3Rules::Hmmer3; }

  bool next_line();
  void go_on();
  const Words& line_words(const std::string& what, std::size_t least, std::size_t most);
  const Words& next_words(const std::string& what, std::size_t least,
                          std::size_t most = std::numeric_limits<std::size_t>::max());
  void read_version(std::string_view word);
  void read_record();
  void read_begin();
  void read_node(int k);
  void read_end();
  void read_emissions(const Words& words, std::size_t first, float* table) const;
  void read_transitions(const Words& words, int k);
  float probability(std::string_view word) const;
  int integer(std::string_view word, std::string_view what) const;
  std::string label() const;

  // hmmer3_header.cpp
  void read_header();
  void read_header_line(const Words& words);
  void read_provenance(const Words& words);
  void read_alphabet(std::string_view name);
  void read_statistics(const Words& words);
  void check_header() const;
  std::string_view value(const Words& words) const;
  std::string_view rest_of_line(int words, std::string_view tag) const;
  bool yes_or_no(const Words& words) const;
  hmmer3::Cutoff cutoff(const Words& words) const;

  TextLines lines_;
  Hmmer3Rules rules_;
  bool stop_at_hmmer2_ = false, keep_subnormals_ = false, drop_unfinished_ = false, hmmer2_follows_ = false;
  Words words_;
  std::string insert_line_;  // the last one read
  hmmer3::Profile profile_;
  char version_ = '\0';
  bool has_rf_ = false, has_mm_ = false, has_consensus_ = false, has_cs_ = false, has_map_ = false,
       has_alphabet_ = false;
  unsigned statistics_seen_ = 0;
};

/// The number at the start of `word`, 0 if there is none, as C's atof reads it.
double leading_number(std::string_view word);

/// Fills the consensus from the match emissions, as HMMER3 does for the formats 3/a to 3/d.
void derive_consensus(hmmer3::Profile& profile);

}  // namespace gpuhmm
