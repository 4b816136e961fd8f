// Full-matrix Viterbi: fill and traceback, with HMMER 2.3.2's choices among ties
// (docs/spec/viterbi-and-traceback.md, 4.1, 4.2).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gpuhmm/profile.hpp"
#include "gpuhmm/trace.hpp"
#include "plan7/score_model.hpp"
#include "plan7/viterbi_walk.hpp"

namespace gpuhmm {

/// The cells M, I, D (row i = 0..L, node k = 0..M) and N, E, J, B, C (row i) of one sequence against one
/// model, 1/1000 bit, floored at kMinusInfinity. Takes at least 12 (L + 1) (M + 4) bytes, which are kept for
/// the next fill: use one object per thread for many sequences.
class ViterbiMatrix {
 public:
  using Special = SpecialScores;

  /// Computes all cells; returns the optimal score S in 1/1000 bit, always that of viterbi_score. Scores of
  /// the model must lie in [kMinusInfinity, 100,000,000].
  std::int32_t fill(const ScoreModel& model, std::span<const std::uint8_t> residues);

  /// Optimal path of the sequence and model filled last; nothing if none exists. The model was made from
  /// `profile`. Throws std::runtime_error if no predecessor explains a cell (scores that leave the 32-bit
  /// range).
  std::optional<Trace> traceback(const ScoreModel& model, const Profile& profile,
                                 std::span<const std::uint8_t> residues) const;

  std::int32_t match(std::int64_t i, int k) const { return row(i)[k]; }
  std::int32_t insert(std::int64_t i, int k) const { return row(i)[columns_ + k]; }
  std::int32_t del(std::int64_t i, int k) const { return row(i)[2 * columns_ + kDeletePad + k]; }
  const Special& special(std::int64_t i) const { return specials_[i]; }
  /// The largest node whose match explains E of row i: HMMER's choice among ties. 0 if there is none.
  int exit_node(const ScoreModel& model, std::int64_t i) const;

 private:
  /// Cells at kMinusInfinity before a row's deletes, for steps over several nodes.
  static constexpr std::int64_t kDeletePad = 7;

  const std::int32_t* row(std::int64_t i) const { return cells_.get() + i * stride_; }

  std::unique_ptr<std::int32_t[]> cells_;
  std::int64_t capacity_ = 0;
  std::int64_t columns_ = 0;  // M + 1
  std::int64_t stride_ = 0;   // values per row: M, I, padding, D
  std::vector<Special> specials_;
};

}  // namespace gpuhmm
