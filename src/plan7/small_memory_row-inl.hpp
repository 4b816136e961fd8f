// The SIMD loop of small_memory.cpp over the nodes of a row. Included once for each instruction set.

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::HWY_NAMESPACE {
namespace {

// Fills matches and inserts of row `position` + 1; returns E. `b` is the B score of row `position`.
std::int32_t fill_emitting(const ScoreModel& model, const Row& before, Row& now,
                           const std::int32_t* match_emission, const std::int32_t* insert_emission,
                           std::int32_t b, std::int32_t position) {
  const std::int32_t *mm = model.mm.data(), *im = model.im.data(), *dm = model.dm.data();
  const std::int32_t *mi = model.mi.data(), *ii = model.ii.data();
  const std::int32_t *bs = model.begin.data(), *es = model.end.data();
  const std::int32_t *mp = before.match.data(), *ip = before.insert.data(), *dp = before.del.data();
  const std::int32_t *mb = before.match_begin.data(), *ib = before.insert_begin.data(),
                     *db = before.del_begin.data();
  std::int32_t *match = now.match.data(), *insert = now.insert.data();
  std::int32_t *match_begin = now.match_begin.data(), *insert_begin = now.insert_begin.data();
  const int nodes = model.nodes;
  std::int32_t e = kMinusInfinity;
  GPUHMM_INDEPENDENT_ITERATIONS
  for (int k = 1; k <= nodes; ++k) {
    const std::int32_t from_match = mp[k - 1] + mm[k - 1];
    const std::int32_t from_insert = ip[k - 1] + im[k - 1];
    const std::int32_t from_begin = b + bs[k];
    const std::int32_t from_delete = dp[k - 1] + dm[k - 1];
    std::int32_t begin = from_match > kMinusInfinity ? mb[k - 1] : 0;
    std::int32_t best = from_match > kMinusInfinity ? from_match : kMinusInfinity;
    begin = from_insert > best ? ib[k - 1] : begin;
    best = from_insert > best ? from_insert : best;
    begin = from_begin > best ? position : begin;
    best = from_begin > best ? from_begin : best;
    begin = from_delete > best ? db[k - 1] : begin;
    best = from_delete > best ? from_delete : best;
    const std::int32_t cell = match_emission[k] == kMinusInfinity ? kMinusInfinity : best + match_emission[k];
    match[k] = cell;
    match_begin[k] = begin;
    e = std::max(e, cell + es[k]);

    const std::int32_t open = mp[k] + mi[k];
    const std::int32_t extend = ip[k] + ii[k];
    std::int32_t insert_from = open > kMinusInfinity ? mb[k] : 0;
    std::int32_t insert_best = open > kMinusInfinity ? open : kMinusInfinity;
    insert_from = extend > insert_best ? ib[k] : insert_from;
    insert_best = extend > insert_best ? extend : insert_best;
    insert[k] = insert_emission[k] == kMinusInfinity ? kMinusInfinity : insert_best + insert_emission[k];
    insert_begin[k] = insert_from;
  }
  return e;
}

}  // namespace
}  // namespace gpuhmm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
