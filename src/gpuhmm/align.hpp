// Aligns whole sequences to a profile as hmmalign of HMMER 2.3.2 does, and lays out the rows and columns of
// the resulting alignment (docs/spec/alignment.md, 11.1, 11.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "gpuhmm/alphabet.hpp"
#include "gpuhmm/profile.hpp"
#include "gpuhmm/sequence.hpp"
#include "gpuhmm/trace.hpp"

namespace gpuhmm {

struct ScoreModel;

/// A row of an alignment and its weight among the others.
struct WeightedRow {
  std::string_view text;  ///< residues and gaps; all rows of an alignment have the same length
  float weight = 1;
};

/// Aligns the columns of an alignment to a model and returns, at [k], the column (from 1) of the match state
/// of node k, 0 if it has none; [0] is 0. Columns are aligned like the residues of a sequence, by the best
/// path with one domain; a column scores the weighted mean of its residues' scores. Breaks ties as HMMER
/// 2.3.2 does. Takes O(L M) time and one byte of memory per column and node. Throws std::invalid_argument if
/// there is no path.
std::vector<int> map_alignment(const ScoreModel& model, std::span<const WeightedRow> rows);

/// One sequence aligned to a profile: a letter or gap for each match state, and the letters inserted between
/// them. Inserts of node k stand between the matches of nodes k and k + 1, those of node 0 before the first
/// match, those of the last node after the last match.
class ProfileRow {
 public:
  /// A run of inserts: `size` letters of inserts() from `begin` on.
  struct Run {
    int node = 0;
    std::size_t begin = 0, size = 0;
  };

  explicit ProfileRow(int nodes) : matches_(static_cast<std::size_t>(nodes), '-') {}

  /// Sets the letter of the match state of a node, 1..M.
  void set_match(int node, char letter) { matches_[static_cast<std::size_t>(node) - 1] = letter; }
  /// Appends a letter, in lower case, to the inserts of a node, 0..M. Nodes must come in ascending order.
  void add_insert(int node, char letter);

  int nodes() const { return static_cast<int>(matches_.size()); }
  /// Letter of the match state of node k at [k - 1]; '-' where there is none.
  const std::string& matches() const { return matches_; }
  /// Runs of inserts in node order, at most one per node.
  std::span<const Run> runs() const { return runs_; }
  const std::string& inserts() const { return inserts_; }

 private:
  std::string matches_, inserts_;
  std::vector<Run> runs_;
};

/// Makes the row of a sequence from its path, which has one domain. Residues before the domain become inserts
/// of node 0 and residues after it inserts of the last node, even if the domain covers only some nodes.
ProfileRow profile_row(const Alphabet& alphabet, int nodes, std::span<const std::uint8_t> residues,
                       const Trace& trace);

/// Makes the row of a sequence that is already aligned. `map` holds the column (from 1) of each match state,
/// 0 if it has none; letters in other columns become inserts, those after the last match column of the last
/// node. Letters that are not in the alphabet become X. Throws std::invalid_argument for a column beyond the
/// end.
ProfileRow profile_row(const Alphabet& alphabet, std::span<const int> map, std::string_view aligned);

/// How an alignment shows inserts: by their letters, or by one `*` for each run.
enum class InsertStyle : std::uint8_t { Letters, Marks };

/// The columns of an alignment of several rows: one for each match state and, between them, as many as the
/// longest insert needs.
class ProfileColumns {
 public:
  ProfileColumns(int nodes, InsertStyle style)
      : style_(style), widths_(static_cast<std::size_t>(nodes) + 1, 0) {}

  /// Widens the insert columns so that they hold the inserts of `row`.
  void widen(const ProfileRow& row);
  /// The text of `row`, padded with '.' where other rows have longer inserts. Inserts of node 0 are
  /// right-aligned, those of the last node left-aligned; of all others the first half, rounded down, is
  /// left-aligned and the rest right-aligned.
  std::string spread(const ProfileRow& row) const;
  /// Reference annotation: 'x' for match columns, '.' for the others.
  std::string reference() const;

 private:
  InsertStyle style_;
  std::vector<std::size_t> widths_;  // columns for inserts, by node
};

/// A sequence or an alignment has no path through the profile. what() is one line of text.
class NoPath : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Aligns each sequence by its best path with one domain, global or local as the profile is configured, and
/// returns the rows in order. An empty sequence gets a row of gaps. The number of threads does not change the
/// result. Throws NoPath.
std::vector<ProfileRow> align_to_profile(const Profile& profile, const SequenceBatch& sequences,
                                         unsigned threads);

/// Aligns a whole alignment by the same kind of path and returns the column of each match state (see
/// map_alignment). Throws NoPath.
std::vector<int> map_to_profile(const Profile& profile, std::span<const WeightedRow> rows);

}  // namespace gpuhmm
