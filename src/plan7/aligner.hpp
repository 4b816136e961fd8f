// Alignment of one sequence to one profile as HMMER 2.3.2 does it, the choice between full matrix and small
// memory included (spec: viterbi-and-traceback 4.4, 4.5).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "plan7/profile.hpp"
#include "plan7/score_model.hpp"
#include "plan7/trace.hpp"
#include "plan7/viterbi_matrix.hpp"

namespace gpuhmm {

/// The capacity (rows, columns) of HMMER's growing matrix, from which HMMER decides between full matrix and
/// small memory. The capacity is history: hmmsearch keeps one for all sequences of a thread, hmmpfam one for
/// all models of a query. Cheap to copy.
class MatrixRule {
 public:
  /// As at the start of hmmsearch with a model of `nodes` nodes; other values of the rest on demand.
  /// `start_columns` = 0 stands for `nodes`.
  explicit MatrixRule(int nodes, std::int64_t start_rows = 1, std::int64_t row_pad = 25,
                      std::int64_t start_columns = 0, std::int64_t column_pad = 0);
  /// As at the start of a query of hmmpfam, whose first model has `nodes` nodes.
  static MatrixRule for_scan(int nodes) { return MatrixRule(nodes, 300, 25, 300, 25); }

  /// Turns to the next model and keeps the capacity.
  void set_nodes(int nodes) { nodes_ = nodes; }
  int nodes() const { return nodes_; }

  /// True if a sequence of `length` residues gets the full matrix.
  bool full_allowed(std::int64_t length) const;
  /// What aligning a sequence of `length` residues does to the capacity: it grows if the full matrix is
  /// allowed and does not fit. (The segments of a small-memory alignment are visits of their own; align makes
  /// them.)
  void visit(std::int64_t length);
  /// True if visits of segments of a sequence of `length` residues may change the capacity.
  bool may_grow(std::int64_t length) const;

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }

 private:
  std::int64_t rows_for(std::int64_t length) const { return length > rows_ ? length + row_pad_ : rows_; }
  std::int64_t columns_for_nodes() const { return nodes_ > columns_ ? nodes_ + column_pad_ : columns_; }

  int nodes_;
  std::int64_t rows_, row_pad_, columns_, column_pad_;
};

/// Optimal score in 1/1000 bit (that of viterbi_score) and path; no path for an empty sequence or when none
/// exists.
struct AlignedSequence {
  std::int32_t score = 0;
  std::optional<Trace> trace;
};

/// Aligns a sequence. `model` was made from `profile`, `rule` has model.nodes nodes and takes the visits.
/// `matrix` is work space. Throws as ViterbiMatrix::traceback.
AlignedSequence align(const ScoreModel& model, const Profile& profile, std::span<const std::uint8_t> residues,
                      MatrixRule& rule, ViterbiMatrix& matrix);

/// The same with work space of its own.
AlignedSequence align(const ScoreModel& model, const Profile& profile, std::span<const std::uint8_t> residues,
                      MatrixRule& rule);

}  // namespace gpuhmm
