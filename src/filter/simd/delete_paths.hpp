// Delete paths from lane to lane of the striped layout, in re-based scores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "filter/simd/single_hit.hpp"
#include "filter/simd/striped_model.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm::simd {

/// The largest D~ of each node (1..M) that cannot beat the entry from B there or further on. Index M + 1 is
/// for the places behind the last node.
std::vector<std::int64_t> harmless_deletes(const RebasedModel& rebased, int nodes);

/// What D~ changes by on the way from one node to another. True sums are raised like single scores.
class DeletePaths {
 public:
  DeletePaths(const ScoreModel& model, const RebasedModel& rebased);
  /// From node `from` to node `to`, both counted from 1; beyond the last node the change is impossible.
  std::int64_t between(std::size_t from, std::size_t to) const;

 private:
  const RebasedModel& rebased_;
  std::size_t nodes_;
  std::vector<std::int64_t> sums_;
};

/// Calls visit(plane, lane, from, to) for every scan weight of the single-hit kernel: `plane` of `lane` holds
/// the delete path from the first node of a lane further down (`from`) to that of this lane (`to`).
template <class Visit>
void for_each_crossing(const StripedShape& shape, const Visit& visit) {
  for (std::size_t step = 0; step < scan_steps(shape.lanes); ++step) {
    const std::size_t distance = std::size_t{1} << step;
    for (std::size_t lane = distance; lane < shape.lanes; ++lane) {
      const std::size_t first = lane * shape.vectors + 1;
      visit(kScanWeights + step, lane, first - distance * shape.vectors, first);
    }
  }
}

}  // namespace gpuhmm::simd
