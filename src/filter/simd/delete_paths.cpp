// Sums of scores along delete paths, and the delete scores that cannot change a result.
#include "filter/simd/delete_paths.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace gpuhmm::simd {

std::vector<std::int64_t> harmless_deletes(const SingleHitModel& single, const RebasedModel& rebased) {
  std::vector<std::int64_t> harmless(static_cast<std::size_t>(single.nodes) + 2,
                                     std::numeric_limits<std::int32_t>::max());
  for (int k = single.nodes - 1; k >= 1; --k) {
    harmless[k] = std::min(single.begin + rebased.begin[k + 1], harmless[k + 1] - rebased.dd[k]);
  }
  return harmless;
}

DeletePaths::DeletePaths(const ScoreModel& model, std::vector<std::int64_t> potential)
    : potential_(std::move(potential)), sums_(potential_.size(), 0) {
  for (std::size_t k = 2; k < sums_.size(); ++k) sums_[k] = sums_[k - 1] + raised(model.dd[k - 1]);
}

DeletePaths::DeletePaths(const ScoreModel& model)
    : DeletePaths(model, std::vector<std::int64_t>(static_cast<std::size_t>(model.nodes) + 1, 0)) {}

std::int64_t DeletePaths::between(std::size_t from, std::size_t to) const {
  if (to >= sums_.size()) return -kImpossible;
  return std::max(sums_[to] - sums_[from], -kImpossible) + potential_[to] - potential_[from];
}

}  // namespace gpuhmm::simd
