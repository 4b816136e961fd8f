// The two-row pass of the small-memory alignment. Loops in which a node needs the node before are compiled
// once: SIMD makes them slower.
#include "plan7/small_memory.hpp"

#include <algorithm>
#include <utility>

#include "plan7/arithmetic.hpp"
#include "plan7/floored_sum.hpp"
#include "simd/independent_iterations.hpp"

namespace gpuhmm {

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

}  // namespace

}  // namespace gpuhmm

#define HWY_TARGET_INCLUDE "plan7/small_memory_row-inl.hpp"
#include "simd/foreach_target.hpp"
// For the last instruction set:
#include "plan7/small_memory_row-inl.hpp"

namespace gpuhmm {

namespace {

GPUHMM_SIMD_TABLE(fill_emitting);

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

// The position at which the path of the match that explains E left B; among ties the smallest node wins.
std::int32_t begin_of_end(const ScoreModel& model, const Row& now, std::int32_t e) {
  for (int k = 1; k <= model.nodes; ++k) {
    if (now.match[k] + model.end[k] == e) return now.match_begin[k];
  }
  return 0;
}

}  // namespace

SegmentParse parse_segments(const ScoreModel& model, std::span<const std::uint8_t> residues) {
  Row before(model.nodes);
  Row now(model.nodes);
  const std::size_t rows = residues.size() + 1;
  std::vector<std::int32_t> begin_at(rows, 0);    // position at which the path to E of this row left B
  std::vector<std::int32_t> end_before(rows, 0);  // row of the E that B of this row comes from, 0: N
  std::int32_t n = 0, b = model.n_begin, j = kMinusInfinity, c = kMinusInfinity;
  std::int32_t j_end = 0, c_end = 0;  // rows of the E that J and C come from
  for (std::int32_t i = 1; i < static_cast<std::int32_t>(rows); ++i) {
    std::swap(before, now);
    const std::uint8_t x = residues[i - 1];
    const std::int32_t e = GPUHMM_SIMD_CALL_FEW_REGISTERS(fill_emitting)(
        model, before, now, model.match_row(x).data(), model.insert_row(x).data(), b, i - 1);
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

}  // namespace gpuhmm
