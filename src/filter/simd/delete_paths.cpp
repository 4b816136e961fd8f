// Delete paths in re-based scores; see the header.
#include "filter/simd/delete_paths.hpp"

#include <algorithm>
#include <limits>

namespace gpuhmm::simd {

std::vector<std::int64_t> harmless_deletes(const RebasedModel& rebased, int nodes) {
  std::vector<std::int64_t> harmless(static_cast<std::size_t>(nodes) + 2,
                                     std::numeric_limits<std::int32_t>::max());
  for (int k = nodes - 1; k >= 1; --k) {
    harmless[k] = std::min(rebased.entry[k + 1], harmless[k + 1] - rebased.dd[k]);
  }
  return harmless;
}

DeletePaths::DeletePaths(const ScoreModel& model, const RebasedModel& rebased)
    : rebased_(rebased), nodes_(static_cast<std::size_t>(model.nodes)), sums_(nodes_ + 1, 0) {
  for (std::size_t k = 2; k <= nodes_; ++k) sums_[k] = sums_[k - 1] + raised(model.dd[k - 1]);
}

std::int64_t DeletePaths::between(std::size_t from, std::size_t to) const {
  if (to > nodes_) return -kImpossible;
  return std::max(sums_[to] - sums_[from], -kImpossible) + rebased_.delete_potential[to] -
         rebased_.delete_potential[from];
}

}  // namespace gpuhmm::simd
