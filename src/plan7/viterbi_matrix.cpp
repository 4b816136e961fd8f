// Fills the full Viterbi matrix. In none of its loops does a node need the node before, so the compiler can
// use SIMD for all of them.
#include "plan7/viterbi_matrix.hpp"

#include <algorithm>

#include "plan7/arithmetic.hpp"
#include "plan7/floored_sum.hpp"
#include "simd/independent_iterations.hpp"

#define HWY_TARGET_INCLUDE "plan7/viterbi_matrix.cpp"
#include "simd/foreach_target.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::HWY_NAMESPACE {
namespace {

constexpr std::int32_t kFloor = kMinusInfinity;

// Sums of two scores are raised to this: from here any further score leads below the floor, and a third minus
// infinity still fits in 32 bits.
constexpr std::int32_t kSumFloor = -1'100'000'000;

// Longest run of deletes that one step of the delete row spans.
constexpr int kRun = 8;

using Row = const std::int32_t*;

// Scores of runs of deletes: ddN[k] leads from D_(k-N) to D_k; kSumFloor where there is no such run. md[k]
// leads from M_(k-1) to D_k.
struct DeleteRuns {
  explicit DeleteRuns(const ScoreModel& model) {
    const std::size_t places = static_cast<std::size_t>(model.nodes) + 1;
    md.assign(places, kFloor);
    for (auto* row : {&dd1, &dd2, &dd4, &dd8}) row->assign(places, kSumFloor);
    for (int k = 1; k <= model.nodes; ++k) {
      md[k] = model.md[k - 1];
      dd1[k] = model.dd[k - 1];
    }
    join(dd1, 1, dd2);
    join(dd2, 2, dd4);
    join(dd4, 4, dd8);
  }

  std::vector<std::int32_t> md, dd1, dd2, dd4, dd8;

 private:
  static void join(const std::vector<std::int32_t>& half, int length, std::vector<std::int32_t>& whole) {
    for (std::size_t k = 2 * static_cast<std::size_t>(length); k < whole.size(); ++k) {
      whole[k] = static_cast<std::int32_t>(
          std::max(std::int64_t{half[k]} + half[k - length], std::int64_t{kSumFloor}));
    }
  }
};

// Work rows of one fill, with kRun values of kFloor before index 0.
struct Scratch {
  explicit Scratch(int nodes)
      : one(static_cast<std::size_t>(nodes) + 1 + kRun, kFloor), two(one), four(one) {}
  std::vector<std::int32_t> one, two, four;
};

// The arrays of one row of matches and inserts, indexed by node.
struct EmittingRow {
  const std::int32_t *match_before, *insert_before, *delete_before;
  const std::int32_t *match_emission, *insert_emission;
  std::int32_t *match, *insert;
  std::int32_t begin;  // B of the row before
};

std::int32_t fill_emitting(const ScoreModel& model, const EmittingRow& r) {
  Row mm = model.mm.data(), im = model.im.data(), dm = model.dm.data(), mi = model.mi.data(),
      ii = model.ii.data(), bs = model.begin.data(), es = model.end.data();
  Row mp = r.match_before, ip = r.insert_before, dp = r.delete_before;
  Row em = r.match_emission, ei = r.insert_emission;
  std::int32_t* m = r.match;
  std::int32_t* in = r.insert;
  const std::int32_t b = r.begin;
  const int nodes = model.nodes;
  std::int32_t e = kFloor;
  GPUHMM_INDEPENDENT_ITERATIONS
  for (int k = 1; k <= nodes; ++k) {
    const std::int32_t from_match = std::max(mp[k - 1] + mm[k - 1], b + bs[k]);
    const std::int32_t from_gap = std::max(ip[k - 1] + im[k - 1], dp[k - 1] + dm[k - 1]);
    const std::int32_t cell = std::max(std::max(std::max(from_match, from_gap), kSumFloor) + em[k], kFloor);
    m[k] = cell;
    e = std::max(e, cell + es[k]);
    in[k] = std::max(std::max(std::max(mp[k] + mi[k], ip[k] + ii[k]), kSumFloor) + ei[k], kFloor);
  }
  return e;
}

// Fills a row of deletes by doubling: runs of up to 1, 2, 4, 8 deletes after a match, then continuing from
// D_(k-8).
void fill_deletes(int nodes, const DeleteRuns& runs, const std::int32_t* match, std::int32_t* del,
                  Scratch& scratch) {
  Row md = runs.md.data(), dd1 = runs.dd1.data(), dd2 = runs.dd2.data(), dd4 = runs.dd4.data(),
      dd8 = runs.dd8.data();
  Row m = match;
  std::int32_t* one = scratch.one.data() + kRun;
  std::int32_t* two = scratch.two.data() + kRun;
  std::int32_t* four = scratch.four.data() + kRun;
  GPUHMM_INDEPENDENT_ITERATIONS
  for (int k = 1; k <= nodes; ++k) one[k] = std::max(m[k - 1] + md[k], kFloor);
  GPUHMM_INDEPENDENT_ITERATIONS
  for (int k = 1; k <= nodes; ++k) two[k] = std::max(one[k], one[k - 1] + dd1[k]);
  GPUHMM_INDEPENDENT_ITERATIONS
  for (int k = 1; k <= nodes; ++k) four[k] = std::max(two[k], two[k - 2] + dd2[k]);
  for (int k = 1; k <= nodes; ++k) {
    del[k] = std::max(std::max(four[k], four[k - 4] + dd4[k]), del[k - kRun] + dd8[k]);
  }
}

// Fills rows 1 to L of `cells` and `specials` from row 0; returns the score. A row has `stride` values:
// `columns` of M, as many of I, padding, and D.
std::int32_t fill_rows(const ScoreModel& model, std::span<const std::uint8_t> residues, std::int64_t columns,
                       std::int64_t stride, std::int32_t* cells, SpecialScores* specials) {
  const std::int64_t to_deletes = stride - columns;
  const DeleteRuns runs(model);
  Scratch scratch(model.nodes);
  for (std::size_t i = 0; i < residues.size(); ++i) {
    const std::int32_t* before = cells + static_cast<std::int64_t>(i) * stride;
    std::int32_t* match = cells + static_cast<std::int64_t>(i + 1) * stride;
    std::int32_t* insert = match + columns;
    std::int32_t* del = match + to_deletes;
    match[0] = insert[0] = kFloor;
    std::fill(insert + columns, del + 1, kFloor);

    const std::uint8_t x = residues[i];
    const SpecialScores& last = specials[i];
    const std::int32_t e =
        fill_emitting(model, {before, before + columns, before + to_deletes, model.match_row(x).data(),
                              model.insert_row(x).data(), match, insert, last.b});
    fill_deletes(model.nodes, runs, match, del, scratch);

    SpecialScores& now = specials[i + 1];
    now.n = floored_sum(last.n, model.n_loop);
    now.e = e;
    now.j = std::max(floored_sum(last.j, model.j_loop), floored_sum(e, model.e_to_j));
    now.b = std::max(floored_sum(now.n, model.n_begin), floored_sum(now.j, model.j_begin));
    now.c = std::max(floored_sum(last.c, model.c_loop), floored_sum(e, model.e_to_c));
  }
  return specials[residues.size()].c + model.c_end;
}

}  // namespace
}  // namespace gpuhmm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm {

GPUHMM_SIMD_TABLE(fill_rows);

std::int32_t ViterbiMatrix::fill(const ScoreModel& model, std::span<const std::uint8_t> residues) {
  const auto rows = static_cast<std::int64_t>(residues.size()) + 1;
  columns_ = std::int64_t{model.nodes} + 1;
  stride_ = 3 * columns_ + kDeletePad;
  if (rows * stride_ > capacity_) {
    cells_.reset();
    cells_ = std::make_unique_for_overwrite<std::int32_t[]>(static_cast<std::size_t>(rows * stride_));
    capacity_ = rows * stride_;
  }
  specials_.resize(static_cast<std::size_t>(rows));
  std::fill_n(cells_.get(), stride_, kMinusInfinity);
  specials_[0] = {0, kMinusInfinity, kMinusInfinity, model.n_begin, kMinusInfinity};
  return GPUHMM_SIMD_CALL_FEW_REGISTERS(fill_rows)(model, residues, columns_, stride_, cells_.get(),
                                                   specials_.data());
}

}  // namespace gpuhmm
#endif
