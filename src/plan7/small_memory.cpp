// The two-row pass of the small-memory path, with a loop over nodes that the compiler turns into vector code.
#include "plan7/small_memory.hpp"

#include <algorithm>
#include <utility>

#include "plan7/arithmetic.hpp"
#include "plan7/floored_sum.hpp"
#include "simd/independent_iterations.hpp"

#define HWY_TARGET_INCLUDE "plan7/small_memory.cpp"
#include "simd/foreach_target.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::HWY_NAMESPACE {
namespace {

// Scores of one row and, for each cell, the position at which its path left B. Indexed by node.
struct Row {
  explicit Row(int nodes)
      : match(static_cast<std::size_t>(nodes) + 1, kMinusInfinity),
        insert(match),
        del(match),
        match_begin(match.size(), 0),
        insert_begin(match_begin),
        del_begin(match_begin) {}

  std::vector<std::int32_t> match, insert, del;
  std::vector<std::int32_t> match_begin, insert_begin, del_begin;
};

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

void fill_deletes(const ScoreModel& model, Row& now) {
  for (int k = 1; k <= model.nodes; ++k) {
    std::int32_t best = kMinusInfinity;
    std::int32_t begin = 0;
    if (const std::int32_t open = now.match[k - 1] + model.md[k - 1]; open > best) {
      best = open;
      begin = now.match_begin[k - 1];
    }
    if (const std::int32_t extend = now.del[k - 1] + model.dd[k - 1]; extend > best) {
      best = extend;
      begin = now.del_begin[k - 1];
    }
    now.del[k] = best;
    now.del_begin[k] = begin;
  }
}

// Where the match that explains E left B: the smallest node wins among ties.
std::int32_t begin_of_end(const ScoreModel& model, const Row& now, std::int32_t e) {
  for (int k = 1; k <= model.nodes; ++k) {
    if (now.match[k] + model.end[k] == e) return now.match_begin[k];
  }
  return 0;
}

SegmentParse parse(const ScoreModel& model, std::span<const std::uint8_t> residues) {
  Row before(model.nodes);
  Row now(model.nodes);
  const std::size_t rows = residues.size() + 1;
  std::vector<std::int32_t> begin_at(rows, 0);    // of the path that reaches E at this row
  std::vector<std::int32_t> end_before(rows, 0);  // E that B of this row comes from, 0 if from N
  std::int32_t n = 0, b = model.n_begin, j = kMinusInfinity, c = kMinusInfinity;
  std::int32_t j_end = 0, c_end = 0;  // E that J and C come from
  for (std::int32_t i = 1; i < static_cast<std::int32_t>(rows); ++i) {
    std::swap(before, now);
    const std::uint8_t x = residues[i - 1];
    const std::int32_t e =
        fill_emitting(model, before, now, model.match_row(x).data(), model.insert_row(x).data(), b, i - 1);
    fill_deletes(model, now);
    if (e > kMinusInfinity) begin_at[i] = begin_of_end(model, now, e);

    n = floored_sum(n, model.n_loop);
    j = floored_sum(j, model.j_loop);
    if (e + model.e_to_j > j) {
      j = e + model.e_to_j;
      j_end = i;
    }
    b = floored_sum(n, model.n_begin);
    if (j + model.j_begin > b) {
      b = j + model.j_begin;
      end_before[i] = j_end;
    }
    c = floored_sum(c, model.c_loop);
    if (e + model.e_to_c > c) {
      c = e + model.e_to_c;
      c_end = i;
    }
  }
  SegmentParse parse;
  parse.score = c + model.c_end;
  if (c <= kMinusInfinity) return parse;
  for (std::int32_t end = c_end; end > 0; end = end_before[parse.segments.back().begin]) {
    parse.segments.push_back({begin_at[end], end});
  }
  std::reverse(parse.segments.begin(), parse.segments.end());
  return parse;
}

}  // namespace
}  // namespace gpuhmm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm {

GPUHMM_SIMD_TABLE(parse);

SegmentParse parse_segments(const ScoreModel& model, std::span<const std::uint8_t> residues) {
  return GPUHMM_SIMD_CALL_FEW_REGISTERS(parse)(model, residues);
}

}  // namespace gpuhmm
#endif
