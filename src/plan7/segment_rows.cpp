// SIMD loops over nodes: no node needs the node before.
#include "plan7/segment_rows.hpp"

#include "simd/independent_iterations.hpp"

#define HWY_TARGET_INCLUDE "plan7/segment_rows.cpp"
#include "simd/foreach_target.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::HWY_NAMESPACE {
namespace {

std::int32_t forward_emitting_nodes(const ScoreModel& model, const SegmentRow& before, SegmentRow& now,
                                    const std::int32_t* match_emission, const std::int32_t* insert_emission,
                                    int low, int high) {
  const std::int32_t *mm = model.mm.data(), *im = model.im.data(), *dm = model.dm.data();
  const std::int32_t *mi = model.mi.data(), *ii = model.ii.data();
  const std::int32_t *bs = model.begin.data(), *es = model.end.data();
  const std::int32_t *mp = before.match.data(), *ip = before.insert.data(), *dp = before.del.data();
  std::int32_t *match = now.match.data(), *insert = now.insert.data();
  const std::int32_t b = before.b;
  std::int32_t e = kMinusInfinity;
  GPUHMM_INDEPENDENT_ITERATIONS
  for (int k = low; k <= high; ++k) {
    const std::int32_t from_match = std::max(mp[k - 1] + mm[k - 1], b + bs[k]);
    const std::int32_t from_gap = std::max(ip[k - 1] + im[k - 1], dp[k - 1] + dm[k - 1]);
    const std::int32_t into = std::max(std::max(from_match, from_gap), kMinusInfinity);
    match[k] = std::max(into + match_emission[k], kMinusInfinity);
    const std::int32_t from = std::max(std::max(mp[k] + mi[k], ip[k] + ii[k]), kMinusInfinity);
    insert[k] = std::max(from + insert_emission[k], kMinusInfinity);
    e = std::max(e, match[k] + es[k]);
  }
  return e;
}

std::int32_t add_emissions_nodes(const ScoreModel& model, SegmentRow& row, const std::int32_t* match_emission,
                                 const std::int32_t* insert_emission, int low, int high) {
  const std::int32_t* bs = model.begin.data();
  std::int32_t *match = row.match.data(), *insert = row.insert.data();
  std::int32_t b = kMinusInfinity;
  GPUHMM_INDEPENDENT_ITERATIONS
  for (int k = low; k <= high; ++k) {
    match[k] = std::max(match[k] + match_emission[k], kMinusInfinity);
    insert[k] = std::max(insert[k] + insert_emission[k], kMinusInfinity);
    b = std::max(b, match[k] + bs[k]);
  }
  return b;
}

void backward_emitting_nodes(const ScoreModel& model, const SegmentRow& after, SegmentRow& now,
                             std::int32_t e, int low, int high) {
  const std::int32_t *mm = model.mm.data(), *im = model.im.data(), *md = model.md.data();
  const std::int32_t *mi = model.mi.data(), *ii = model.ii.data(), *es = model.end.data();
  const std::int32_t *ma = after.match.data(), *ia = after.insert.data(), *del = now.del.data();
  std::int32_t *match = now.match.data(), *insert = now.insert.data();
  GPUHMM_INDEPENDENT_ITERATIONS
  for (int k = low; k <= high; ++k) {
    const std::int32_t to_emitting = std::max(ma[k + 1] + mm[k], ia[k] + mi[k]);
    const std::int32_t to_silent = std::max(del[k + 1] + md[k], e + es[k]);
    match[k] = std::max(std::max(to_emitting, to_silent), kMinusInfinity);
    insert[k] = std::max(std::max(ma[k + 1] + im[k], ia[k] + ii[k]), kMinusInfinity);
  }
}

}  // namespace
}  // namespace gpuhmm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm {

GPUHMM_SIMD_TABLE(forward_emitting_nodes);
GPUHMM_SIMD_TABLE(add_emissions_nodes);
GPUHMM_SIMD_TABLE(backward_emitting_nodes);

std::int32_t forward_emitting(const ScoreModel& model, const SegmentRow& before, SegmentRow& now,
                              const std::int32_t* match_emission, const std::int32_t* insert_emission,
                              int low, int high) {
  return GPUHMM_SIMD_CALL_FEW_REGISTERS(forward_emitting_nodes)(model, before, now, match_emission,
                                                                insert_emission, low, high);
}

std::int32_t add_emissions(const ScoreModel& model, SegmentRow& row, const std::int32_t* match_emission,
                           const std::int32_t* insert_emission, int low, int high) {
  return GPUHMM_SIMD_CALL_FEW_REGISTERS(add_emissions_nodes)(model, row, match_emission, insert_emission, low,
                                                             high);
}

void backward_emitting(const ScoreModel& model, const SegmentRow& after, SegmentRow& now, std::int32_t e,
                       int low, int high) {
  GPUHMM_SIMD_CALL_FEW_REGISTERS(backward_emitting_nodes)(model, after, now, e, low, high);
}

}  // namespace gpuhmm
#endif
