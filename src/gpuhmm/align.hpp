// Whole sequences aligned to a profile, as hmmalign of HMMER 2.3.2 does it, and the rows and columns of the
// alignment (docs/spec/alignment.md, 11.1, 11.2).
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

/// Column (from 1) of each match state, 0 where it has none; [k] of node k, [0] is 0. The columns are aligned
/// like the residues of a sequence, by a path with one domain; a column scores what its residues score on
/// average. Ties go to where HMMER 2.3.2 leaves them. O(L M) time, and a byte of memory for each column and
/// node. Throws std::invalid_argument if there is no path.
std::vector<int> map_alignment(const ScoreModel& model, std::span<const WeightedRow> rows);

/// One sequence by the nodes of a profile: a letter or a gap for each match state, and the letters between
/// match states. Inserts of node k stand between the matches of nodes k and k + 1; node 0 has those in front
/// of the first match and the last node those behind the last one.
class ProfileRow {
 public:
  /// A run of inserts: `size` letters of inserts() from `begin` on.
  struct Run {
    int node = 0;
    std::size_t begin = 0, size = 0;
  };

  explicit ProfileRow(int nodes) : matches_(static_cast<std::size_t>(nodes), '-') {}

  /// Puts a letter into the match state of node 1..M.
  void set_match(int node, char letter) { matches_[static_cast<std::size_t>(node) - 1] = letter; }
  /// Adds a letter, in lower case, to the inserts of node 0..M. Nodes come in ascending order.
  void add_insert(int node, char letter);

  int nodes() const { return static_cast<int>(matches_.size()); }
  /// Letter of the match state of node k at [k - 1]; '-' where there is none.
  const std::string& matches() const { return matches_; }
  /// Runs in the order of their nodes, at most one a node.
  std::span<const Run> runs() const { return runs_; }
  const std::string& inserts() const { return inserts_; }

 private:
  std::string matches_, inserts_;
  std::vector<Run> runs_;
};

/// The row of a sequence by its path, which has one domain: residues before and behind the domain are inserts
/// of node 0 and of the last node, wherever the domain begins and ends.
ProfileRow profile_row(const Alphabet& alphabet, int nodes, std::span<const std::uint8_t> residues,
                       const Trace& trace);

/// The row of a sequence that stands aligned already: `map` tells the column (from 1) of each match state, 0
/// if it has none; what is in other columns are inserts, those behind the last match column of the last node.
/// Letters that are not in the alphabet become X. Throws std::invalid_argument for a column behind the end.
ProfileRow profile_row(const Alphabet& alphabet, std::span<const int> map, std::string_view aligned);

/// What an alignment shows of inserts: their letters, or only, by a `*`, that there are some.
enum class InsertStyle : std::uint8_t { Letters, Marks };

/// The columns of the alignment of several rows: one for each match state, and in between as many as the
/// longest insert takes.
class ProfileColumns {
 public:
  ProfileColumns(int nodes, InsertStyle style)
      : style_(style), widths_(static_cast<std::size_t>(nodes) + 1, 0) {}

  /// Makes room for the inserts of `row`.
  void widen(const ProfileRow& row);
  /// The row with '.' where other rows have longer inserts: inserts of node 0 to the right, those of the last
  /// node to the left, all others one half to the left, rounded down, and the rest to the right.
  std::string spread(const ProfileRow& row) const;
  /// 'x' for match columns, '.' for the others.
  std::string reference() const;

 private:
  InsertStyle style_;
  std::vector<std::size_t> widths_;  // columns for inserts, by node
};

/// A sequence that has no path through the profile: what() is one line for people.
class NoPath : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The row of every sequence, in their order. Each is aligned by its best path with one domain, global or
/// local to the profile as the profile is; a sequence without residues has a row of gaps. Works with
/// `threads` threads, which do not change the result. Throws NoPath for a sequence that has none.
std::vector<ProfileRow> align_to_profile(const Profile& profile, const SequenceBatch& sequences,
                                         unsigned threads);

/// Column of each match state in an alignment that is aligned as a whole by the same kind of path (see
/// map_alignment). Throws NoPath if there is none.
std::vector<int> map_to_profile(const Profile& profile, std::span<const WeightedRow> rows);

}  // namespace gpuhmm
