// Rows of the divide-and-conquer alignment (segment_alignment.cpp), and the SIMD steps from row to row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan7/arithmetic.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {

/// Best scores of partial paths at one row, by their state, 1/1000 bit; [node].
struct SegmentRow {
  explicit SegmentRow(int nodes)
      : match(static_cast<std::size_t>(nodes) + 2, kMinusInfinity), insert(match), del(match) {}
  void clear() {
    for (auto* cells : {&match, &insert, &del}) std::fill(cells->begin(), cells->end(), kMinusInfinity);
    n = b = c = kMinusInfinity;
  }

  std::vector<std::int32_t> match, insert, del;
  std::int32_t n = kMinusInfinity, b = kMinusInfinity, c = kMinusInfinity;
};

/// Fills matches and inserts of nodes low..high in the row after `before`; returns E. Emissions are those of
/// the row's residue, by node.
std::int32_t forward_emitting(const ScoreModel& model, const SegmentRow& before, SegmentRow& now,
                              const std::int32_t* match_emission, const std::int32_t* insert_emission,
                              int low, int high);

/// Adds the emissions of a row to its matches and inserts; returns the best score from B into them.
std::int32_t add_emissions(const ScoreModel& model, SegmentRow& row, const std::int32_t* match_emission,
                           const std::int32_t* insert_emission, int low, int high);

/// Fills matches and inserts of nodes low..high in the row before `after`, which includes its emissions. The
/// deletes of the row must be filled. `e`: E of the row.
void backward_emitting(const ScoreModel& model, const SegmentRow& after, SegmentRow& now, std::int32_t e,
                       int low, int high);

}  // namespace gpuhmm
