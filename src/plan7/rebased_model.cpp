// Computes the potentials of each choice of free steps, and the re-based steps.
#include "plan7/rebased_model.hpp"

#include <algorithm>

namespace gpuhmm {

namespace {

using Column = std::vector<std::int64_t>;

Column raised_begins(const ScoreModel& model, FreeSteps free, std::int64_t lowest) {
  Column begins(static_cast<std::size_t>(model.nodes) + 1, 0);
  for (int k = 1; k <= model.nodes; ++k) {
    begins[k] = raised(model.begin[k], free == FreeSteps::Begins ? begins[k - 1] + lowest : -kImpossible);
  }
  return begins;
}

}  // namespace

RebasedModel::RebasedModel(const ScoreModel& model, FreeSteps free, std::int64_t lowest) {
  const int nodes = model.nodes;
  const Column zeros(static_cast<std::size_t>(nodes) + 1, 0);
  const Column begins = raised_begins(model, free, lowest);
  const auto step = [&](const std::vector<std::int32_t>& scores, int k) {
    return k < nodes ? raised(scores[k], lowest) : 0;
  };

  onward_potential = match_potential = insert_potential = delete_potential = zeros;
  for (int k = nodes; k >= 1; --k) {
    std::int64_t& q = onward_potential[k];
    if (free == FreeSteps::Ends) q = raised(model.end[k]) - step(model.mm, k);
    if (free == FreeSteps::Begins) q = -begins[std::min(k + 1, nodes)];
    if (free == FreeSteps::Deletes && k < nodes) {
      q = step(model.md, k) + delete_potential[k + 1] - step(model.mm, k);
      delete_potential[k] = step(model.dd, k) + delete_potential[k + 1];
    }
    match_potential[k] = q + step(model.mm, k);
    insert_potential[k] = q + step(model.im, k);
    if (free != FreeSteps::Deletes) delete_potential[k] = q + step(model.dm, k);
  }
  if (free == FreeSteps::Begins) onward_potential[0] = -begins[1];
  if (free == FreeSteps::Ends || free == FreeSteps::Deletes) onward_potential[0] = match_potential[1];

  begin = match_shift = end = zeros;
  mi = ii = md = dd = dm = Column(zeros.size(), lowest);
  for (int k = 1; k <= nodes; ++k) {
    begin[k] = begins[k] + onward_potential[k - 1];
    match_shift[k] = match_potential[k] - onward_potential[k - 1];
    end[k] = raised(model.end[k]) - match_potential[k];
    if (k == nodes) break;
    mi[k] = raised(model.mi[k], lowest) - match_potential[k] + insert_potential[k];
    ii[k] = raised(model.ii[k], lowest);
    md[k] = raised(model.md[k], lowest) - match_potential[k] + delete_potential[k + 1];
    dd[k] = raised(model.dd[k], lowest) - delete_potential[k] + delete_potential[k + 1];
    dm[k] = raised(model.dm[k], lowest) - delete_potential[k] + onward_potential[k];
  }
}

}  // namespace gpuhmm
