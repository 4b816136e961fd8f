// Aligns one sequence to one profile as HMMER 2.3.2 does, including its choice between full matrix and small
// memory (docs/spec/viterbi-and-traceback.md, 4.4, 4.5).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "gpuhmm/profile.hpp"
#include "gpuhmm/trace.hpp"
#include "plan7/score_model.hpp"
#include "plan7/small_memory.hpp"
#include "plan7/viterbi_matrix.hpp"

namespace gpuhmm {

/// The capacity (rows, columns) of HMMER's growing matrix, by which HMMER chooses between full matrix and
/// small memory. It depends on earlier alignments: hmmsearch keeps one matrix for all sequences of a thread,
/// hmmpfam one for all models of a query. Cheap to copy.
class MatrixRule {
 public:
  /// The state at the start of hmmsearch with a model of `nodes` nodes. The other arguments are for
  /// for_scan() and tests; `start_columns` = 0 stands for `nodes`.
  explicit MatrixRule(int nodes, std::int64_t start_rows = 1, std::int64_t row_pad = 25,
                      std::int64_t start_columns = 0, std::int64_t column_pad = 0);
  /// The state at the start of a query of hmmpfam whose first model has `nodes` nodes.
  static MatrixRule for_scan(int nodes) { return MatrixRule(nodes, 300, 25, 300, 25); }

  /// Continues with the next model and keeps the capacity.
  void set_nodes(int nodes) { nodes_ = nodes; }
  int nodes() const { return nodes_; }

  /// True if a sequence of `length` residues gets the full matrix.
  bool full_allowed(std::int64_t length) const;
  /// Updates the capacity as aligning a sequence of `length` residues does: it grows if the full matrix is
  /// allowed and does not fit. align() visits the segments of a small-memory alignment separately.
  void visit(std::int64_t length);
  /// True if visiting segments of a sequence of `length` residues may change the capacity.
  bool may_grow(std::int64_t length) const;

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }

 private:
  std::int64_t rows_for(std::int64_t length) const { return length > rows_ ? length + row_pad_ : rows_; }
  std::int64_t columns_for_nodes() const { return nodes_ > columns_ ? nodes_ + column_pad_ : columns_; }

  int nodes_;
  std::int64_t rows_, row_pad_, columns_, column_pad_;
};

/// Optimal score in 1/1000 bit (that of viterbi_score) and path. There is no path for an empty sequence, if
/// none exists, or if it was not wanted.
struct AlignedSequence {
  std::int32_t score = 0;
  std::optional<Trace> trace;
};

/// How HMMER aligns a segment.
enum class SegmentMethod { FullMatrix, SmallMemory };

/// Aligns sequences to a model with the results of the full matrix, and the segments of long ones.
class FullAligner {
 public:
  virtual ~FullAligner() = default;

  /// Optimal score of a sequence, 1/1000 bit: that of viterbi_score.
  virtual std::int32_t score(std::span<const std::uint8_t> residues) = 0;
  /// Path of the sequence scored last, whose residues must still exist: that of ViterbiMatrix::traceback.
  /// Throws as it does.
  virtual std::optional<Trace> trace() = 0;
  /// As parse_segments(), for sequences that do not get the full matrix. May omit the segments if the score
  /// is below `lowest_traced`.
  virtual SegmentParse parse(std::span<const std::uint8_t> residues, std::int32_t lowest_traced) = 0;
  /// Path of a segment of the sequence parsed last, whose residues must still exist: that of
  /// ViterbiMatrix::traceback or of align_segment. Positions count from the segment's first residue.
  virtual std::optional<Trace> segment(const DomainSpan& span, SegmentMethod method) = 0;
};

/// Uses `matrix` as work space. All arguments must outlive this.
class MatrixAligner : public FullAligner {
 public:
  MatrixAligner(const ScoreModel& model, const Profile& profile, ViterbiMatrix& matrix)
      : model_(model), profile_(profile), matrix_(matrix) {}

  std::int32_t score(std::span<const std::uint8_t> residues) override {
    residues_ = residues;
    return matrix_.fill(model_, residues);
  }
  std::optional<Trace> trace() override { return matrix_.traceback(model_, profile_, residues_); }
  SegmentParse parse(std::span<const std::uint8_t> residues, std::int32_t /*lowest_traced*/) override {
    parsed_ = residues;
    return parse_segments(model_, residues);
  }
  std::optional<Trace> segment(const DomainSpan& span, SegmentMethod method) override;

 private:
  const ScoreModel& model_;
  const Profile& profile_;
  ViterbiMatrix& matrix_;
  std::span<const std::uint8_t> residues_, parsed_;
};

/// Aligns a sequence. `rule` has the nodes of the model and is updated. No path is made for a score below
/// `lowest_traced`. Throws as ViterbiMatrix::traceback.
AlignedSequence align(std::span<const std::uint8_t> residues, MatrixRule& rule, std::int32_t lowest_traced,
                      FullAligner& full);

/// The same with `matrix` as work space, and with a path whatever the score. `model` was made from `profile`.
AlignedSequence align(const ScoreModel& model, const Profile& profile, std::span<const std::uint8_t> residues,
                      MatrixRule& rule, ViterbiMatrix& matrix);

/// The same with work space of its own.
AlignedSequence align(const ScoreModel& model, const Profile& profile, std::span<const std::uint8_t> residues,
                      MatrixRule& rule);

}  // namespace gpuhmm
