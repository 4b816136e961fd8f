// Parameters of alignment on a grid; see the header.
#include "align/grid_model.hpp"

#include <optional>

#include "filter/simd/instruction_set.hpp"

namespace gpuhmm::grid {

namespace {

std::vector<std::int32_t> raised(const std::vector<std::int32_t>& scores) {
  std::vector<std::int32_t> result(scores.size());
  for (std::size_t k = 0; k < scores.size(); ++k) {
    result[k] = static_cast<std::int32_t>(simd::raised(scores[k]));
  }
  return result;
}

}  // namespace

// The bounds are those for any model: the closer ones for equal loops prove scores, but not single cells.
GridModel::GridModel(const ScoreModel& score_model)
    : scores(score_model),
      multihit(simd::stripe_multihit(score_model, std::nullopt, simd::vector_bytes() / sizeof(std::int32_t))),
      mm(raised(score_model.mm)),
      mi(raised(score_model.mi)),
      md(raised(score_model.md)),
      im(raised(score_model.im)),
      ii(raised(score_model.ii)),
      dm(raised(score_model.dm)),
      dd(raised(score_model.dd)),
      begin(raised(score_model.begin)),
      match(raised(score_model.match)),
      insert(raised(score_model.insert)),
      carried(begin.size(), static_cast<std::int32_t>(-simd::kImpossible)) {
  for (int k = 1; k <= scores.nodes; ++k) {
    carried[k] = multihit.striped.transition(k, simd::kMulCarried);
  }
}

}  // namespace gpuhmm::grid
