// Computes how much the begin and end scores of a model differ from its delete paths.
#include "filter/simd/glocal_form.hpp"

namespace gpuhmm::simd {

namespace {

// 1/1000 bit. If a begin or end score differs more from the sum of its delete path, the model is not glocal.
constexpr std::int64_t kLargestSlack = 2'000;

}  // namespace

GlocalForm::GlocalForm(const ScoreModel& model, const SingleHitModel& single)
    : RebasedModel(model, FreeSteps::Deletes, kCheapestImpossible) {
  direct_begin = single.begin + begin[1];
  // The D~ with which M_k+1 is reached from B at its folded score.
  const auto wanted = [&](int k) { return single.begin + begin[k + 1] - dm[k]; };
  for (int k = 1; k < model.nodes; ++k) {
    end_slack = std::max(end_slack, end[k]);
    end_excess = std::max(end_excess, -end[k]);
    if (model.begin[k + 1] <= -kImpossible) continue;
    deletes_from_begin = std::max(deletes_from_begin.value_or(wanted(k)), wanted(k));
  }
  for (int k = 1; k < model.nodes; ++k) {
    if (model.begin[k + 1] <= -kImpossible) continue;
    begin_slack = std::max(begin_slack, *deletes_from_begin - wanted(k));
  }
}

bool GlocalForm::glocal() const { return begin_slack <= kLargestSlack && end_slack <= kLargestSlack; }

bool is_glocal(const ScoreModel& model, const SingleHitModel& single) {
  return GlocalForm(model, single).glocal();
}

}  // namespace gpuhmm::simd
