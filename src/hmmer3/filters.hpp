// HMMER3's filters, plainly: the reference of all faster forms (docs/spec/hmmer3/filters.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "hmmer3/filter_model.hpp"
#include "hmmer3/null_model.hpp"

namespace gpuhmm::hmmer3 {

using Residues = std::span<const std::uint8_t>;

/// The best ungapped diagonal, SSV (filters.md, 1.1).
struct SsvMaximum {
  bool overflows = false;
  int value = 128;  ///< largest cell as an unsigned byte, at least 128; not defined if it overflows
};
SsvMaximum ssv_maximum(const ByteModel& model, Residues sequence);
/// The same as the largest cell, a wide integer, kSsvFloor or above.
int ssv_largest_cell(const ByteModel& model, Residues sequence);
/// Where all cells begin.
inline constexpr int kSsvFloor = -128;
/// The maximum for a largest cell `most`, kSsvFloor or above, as a wide integer.
SsvMaximum ssv_maximum_of(const ByteParameters& model, int most);

/// What a first-stage score says: a finite score, one too high to be known (it passes all filters), or that
/// SSV cannot decide.
enum class ByteResult : std::uint8_t { Score, Overflow, NeedsMsv };

/// SSV's maximum as the first stage's result (filters.md, 1); `level` is the J value for Score.
struct FirstStage {
  ByteResult result = ByteResult::Score;
  int level = 0;
};
/// Whether SSV may be asked at all for sequences of a length; else MSV has to decide.
bool ssv_applies(const ByteParameters& model, std::int64_t length);
/// The same from ByteModel::move_cost of the length.
bool ssv_applies_at(const ByteParameters& model, int move_cost);
FirstStage ssv_result(const ByteParameters& model, const SsvMaximum& maximum, std::int64_t length);

/// The multiple-segment Viterbi filter (1.2): Score with its J value, or Overflow.
FirstStage msv_result(const ByteModel& model, Residues sequence);

/// Nats of a J value (1.3).
float byte_score(int level, std::int64_t length);
/// Nats of a first stage that has decided; infinity if it overflows.
float first_stage_score(const FirstStage& stage, std::int64_t length);

/// The first stage: SSV, or MSV where that has to decide. Nats; infinity if it overflows.
float msv_score(const ByteModel& model, Residues sequence);

/// The score of the null model with biased composition (5), nats.
float bias_score(const BiasModel& model, Residues sequence, const NullModel& null);

/// The same from the sum of the rows' logarithms, for a null model's `loop`.
float bias_score_of_sum(float sum, float loop, std::size_t length);

/// The Viterbi filter (6), nats; infinity if it overflows.
float viterbi_score(const WordModel& model, Residues sequence);

/// Nats of the filter's C value, -infinity if that is impossible.
float word_score(int c_value, std::int64_t length);

}  // namespace gpuhmm::hmmer3
