// The SIMD loop of forward.cpp over the nodes of a row. Included once for each instruction set.

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::HWY_NAMESPACE {
namespace {

// Fills matches and inserts of one row; `b` is B of the row before. Inserts of the last node are not used.
void fill_emitting(const ScoreModel& model, const Row& before, Row& now, const std::int32_t* match_emission,
                   const std::int32_t* insert_emission, std::int32_t b, const std::int32_t* gains) {
  const std::int32_t *mm = model.mm.data(), *im = model.im.data(), *dm = model.dm.data();
  const std::int32_t *mi = model.mi.data(), *ii = model.ii.data(), *bs = model.begin.data();
  const std::int32_t *mp = before.match.data(), *ip = before.insert.data(), *dp = before.del.data();
  std::int32_t *match = now.match.data(), *insert = now.insert.data();
  const int nodes = model.nodes;
  GPUHMM_INDEPENDENT_ITERATIONS
  for (int k = 1; k <= nodes; ++k) {
    const std::int32_t from_emitting = join(add(mp[k - 1], mm[k - 1]), add(ip[k - 1], im[k - 1]), gains);
    const std::int32_t from_silent = join(add(b, bs[k]), add(dp[k - 1], dm[k - 1]), gains);
    match[k] = add(join(from_emitting, from_silent, gains), match_emission[k]);
    insert[k] = add(join(add(mp[k], mi[k]), add(ip[k], ii[k]), gains), insert_emission[k]);
  }
}

}  // namespace
}  // namespace gpuhmm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
