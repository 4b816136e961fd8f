// Delete paths that cross from one SIMD lane to another in the striped layout, in re-based scores
// (plan7/rebased_model.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "filter/simd/striped_model.hpp"
#include "plan7/rebased_model.hpp"
#include "plan7/score_model.hpp"
#include "plan7/single_hit_model.hpp"

namespace gpuhmm::simd {

/// For each node 1..M the largest D~ (re-based delete score) that cannot beat the entry from B at this node
/// or a later one. Index M + 1 is for the places behind the last node.
std::vector<std::int64_t> harmless_deletes(const SingleHitModel& single, const RebasedModel& rebased);

/// The change of D~ along a delete path from one node to another. Sums of D -> D are raised to -kImpossible
/// like single scores.
class DeletePaths {
 public:
  /// `potential`: D~ - D by node, 0..M.
  DeletePaths(const ScoreModel& model, std::vector<std::int64_t> potential);
  /// For scores that are not re-based.
  explicit DeletePaths(const ScoreModel& model);

  /// The change from node `from` to node `to`, both counted from 1, in 1/1000 bit; beyond the last node
  /// -kImpossible.
  std::int64_t between(std::size_t from, std::size_t to) const;

 private:
  std::vector<std::int64_t> potential_;
  std::vector<std::int64_t> sums_;  // of D -> D from node 1 to each node
};

/// Calls visit(step, lane, from, to) for every scan weight: in this step of the scan, `lane` continues the
/// delete path from the first node of a lower lane (`from`) to its own first node (`to`).
template <class Visit>
void for_each_crossing(const StripedShape& shape, const Visit& visit) {
  for (std::size_t step = 0; step < scan_steps(shape.lanes); ++step) {
    const std::size_t distance = std::size_t{1} << step;
    for (std::size_t lane = distance; lane < shape.lanes; ++lane) {
      const std::size_t first = lane * shape.vectors + 1;
      visit(step, lane, first - distance * shape.vectors, first);
    }
  }
}

}  // namespace gpuhmm::simd
