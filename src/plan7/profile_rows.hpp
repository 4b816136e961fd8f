// Sequences aligned to one profile as rows of a multiple alignment (docs/spec/alignment.md, 11.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan7/alphabet.hpp"
#include "plan7/trace.hpp"

namespace gpuhmm {

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

}  // namespace gpuhmm
