// Reads profiles of HMMER3 text files and converts their probabilities to the integer fields of HMMER2, as
// HMMER 3.3.2's `hmmconvert -2` does (docs/spec/profile-format.md, 1.7).
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/profile/score_field.hpp"
#include "formats/profile/text_lines.hpp"
#include "gpuhmm/profile.hpp"

namespace gpuhmm {

/// One profile: its header and its score fields. Tables are row-major by node, from node 1. The last node has
/// no row of insert emissions, and its transitions are empty.
struct Hmmer3Record {
  static constexpr std::size_t kTransitions = 7;  ///< of a node: MM MI MD IM II DM DD

  std::string name;
  std::optional<std::string> accession, description, date;
  AlphabetKind alphabet = AlphabetKind::Amino;
  bool rna = false;
  int nodes = 0;
  std::vector<std::string> commands;  ///< without their numbers
  std::optional<int> sequence_count;
  std::optional<ScoreCutoff> gathering, trusted, noise;

  std::string rf, cs;    ///< letter of node k at [k - 1]; empty if absent
  std::vector<int> map;  ///< column of node k at [k - 1]; empty if absent

  ScoreField begin_main, begin_delete, begin_match;  ///< begin transitions: all but to D_1, to D_1, to M_1
  std::vector<ScoreField> match, insert, transition;

  /// HMMER3's background frequencies of the residues.
  std::span<const float> background() const;
};

/// Field of probability `p` relative to `n`, as HMMER3 writes it.
ScoreField hmmer3_field(float p, float n);

/// Reads the records of a file one after another.
class Hmmer3Parser {
 public:
  explicit Hmmer3Parser(Input& input) : lines_(input) {}
  /// The next record; nothing at the end of the file. Throws FileError.
  std::optional<Hmmer3Record> next();
  const TextLines& lines() const { return lines_; }

 private:
  using Words = std::vector<std::string_view>;

  bool next_line();
  const Words& next_words(const std::string& what, std::size_t least,
                          std::size_t most = std::numeric_limits<std::size_t>::max());
  void read_version();
  void read_header();
  void read_header_line(const Words& words);
  void check_header() const;
  void read_begin();
  void read_node(int k);
  void read_end();
  std::string label() const;
  std::string_view rest_of_line(int words, std::string_view tag) const;
  bool yes_or_no(const Words& words) const;
  ScoreCutoff cutoff(const Words& words) const;
  float probability(std::string_view word) const;
  void add_emissions(const Words& words, std::size_t first, std::vector<ScoreField>& table) const;

  TextLines lines_;
  Hmmer3Record record_;
  char version_ = 'a';
  bool has_rf_ = false, has_cs_ = false, has_map_ = false, has_alphabet_ = false;
};

}  // namespace gpuhmm
