// Re-basing for the glocal kernel; see the header.
#include "filter/simd/glocal_form.hpp"

namespace gpuhmm::simd {

namespace {

// Larger differences between folded and spelled-out begin or end scores mean that the model is not glocal.
constexpr std::int64_t kLargestSlack = 2'000;

}  // namespace

GlocalForm::GlocalForm(const ScoreModel& model, const SingleHitModel& single) {
  const int nodes = model.nodes;
  const std::vector<std::int64_t> column(static_cast<std::size_t>(nodes) + 1, kCheapestImpossible);
  match_shift = mi = ii = dm = column;
  std::vector<std::int64_t> out_of_delete(column.size(), 0);
  for (int k = nodes - 1; k >= 1; --k) out_of_delete[k] = out_of_delete[k + 1] + bounded(model.dd[k]);
  const auto out_of_match = [&](int k) {
    return k == nodes ? 0 : bounded(model.md[k]) + out_of_delete[k + 1];
  };
  const auto handed = [&](int k) {
    return k == 0 ? -out_of_match(1) : bounded(model.mm[k]) - out_of_match(k);
  };
  // What D~ would have to be for M_k+1 to be reached from B at its folded score.
  const auto wanted = [&](int k) {
    return single.begin + model.begin[k + 1] + out_of_delete[k] - bounded(model.dm[k]);
  };
  direct_begin = single.begin + raised(model.begin[1]) - handed(0);
  for (int k = 1; k <= nodes; ++k) {
    match_shift[k] = handed(k - 1) + out_of_match(k);
    if (k == nodes) break;
    mi[k] = bounded(model.mi[k]) + bounded(model.im[k]) - bounded(model.mm[k]);
    ii[k] = bounded(model.ii[k]);
    dm[k] = bounded(model.dm[k]) - out_of_delete[k] - handed(k);
    end_slack = std::max(end_slack, model.end[k] - out_of_match(k));
    end_excess = std::max(end_excess, out_of_match(k) - model.end[k]);
    if (model.begin[k + 1] <= -kImpossible) continue;
    deletes_from_begin = std::max(deletes_from_begin.value_or(wanted(k)), wanted(k));
  }
  for (int k = 1; k < nodes; ++k) {
    if (model.begin[k + 1] <= -kImpossible) continue;
    begin_slack = std::max(begin_slack, *deletes_from_begin - wanted(k));
  }
}

bool GlocalForm::glocal() const { return begin_slack <= kLargestSlack && end_slack <= kLargestSlack; }

bool is_glocal(const ScoreModel& model, const SingleHitModel& single) {
  return GlocalForm(model, single).glocal();
}

}  // namespace gpuhmm::simd
