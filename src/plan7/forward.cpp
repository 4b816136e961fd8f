// Forward in two rows. Loops in which a node needs the node before are compiled once: SIMD makes them slower.
#include "plan7/forward.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "plan7/arithmetic.hpp"
#include "simd/independent_iterations.hpp"

namespace gpuhmm {

namespace {

// Difference (1/1000 bit) from which on the smaller term of a sum adds nothing.
constexpr std::uint32_t kNegligible = 20000;

// Sum that wraps at 32 bits.
inline std::int32_t add(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}

// log_sum from the table, without branches.
inline std::int32_t join(std::int32_t p, std::int32_t q, const std::int32_t* gains) {
  const std::int32_t difference = add(p, add(~q, 1));
  const std::int32_t distance = std::max(difference, add(~difference, 1));
  // The one distance that stays negative, 2^31, is negligible as well.
  const std::uint32_t step = std::min(static_cast<std::uint32_t>(distance), kNegligible);
  return add(add(q, std::max(difference, 0)), gains[static_cast<std::int32_t>(step)]);
}

using SumTable = std::array<std::int32_t, kNegligible + 1>;

// [j]: the gain of adding a term to one that is larger by j.
const SumTable& sum_table() {
  static const SumTable table = [] {
    SumTable gains{};
    for (std::size_t j = 0; j < gains.size(); ++j) gains[j] = log_sum(0, -static_cast<std::int32_t>(j));
    return gains;
  }();
  return table;
}

struct Row {
  explicit Row(int nodes)
      : match(static_cast<std::size_t>(nodes) + 1, kMinusInfinity), insert(match), del(match) {}
  std::vector<std::int32_t> match, insert, del;
};

}  // namespace

}  // namespace gpuhmm

#define HWY_TARGET_INCLUDE "plan7/forward_row-inl.hpp"
#include "simd/foreach_target.hpp"
// For the last instruction set:
#include "plan7/forward_row-inl.hpp"

namespace gpuhmm {

namespace {

GPUHMM_SIMD_TABLE(fill_emitting);

// Fills the deletes of one row; returns E. Both are chains of dependent sums that run side by side.
std::int32_t fill_deletes(const ScoreModel& model, Row& now, const std::int32_t* gains) {
  const std::int32_t *md = model.md.data(), *dd = model.dd.data(), *es = model.end.data();
  const std::int32_t* match = now.match.data();
  std::int32_t* deletes = now.del.data();
  const int nodes = model.nodes;
  std::int32_t e = kMinusInfinity;
  std::int32_t del = kMinusInfinity;
  for (int k = 1; k <= nodes; ++k) {
    del = join(add(match[k - 1], md[k - 1]), add(del, dd[k - 1]), gains);
    deletes[k] = del;
    e = join(e, add(match[k], es[k]), gains);
  }
  return e;
}

}  // namespace

std::int32_t forward_score(const ScoreModel& model, std::span<const std::uint8_t> residues) {
  const std::int32_t* gains = sum_table().data();
  Row before(model.nodes);
  Row now(model.nodes);
  std::int32_t n = 0, b = model.n_begin, j = kMinusInfinity, c = kMinusInfinity;
  for (const std::uint8_t x : residues) {
    std::swap(before, now);
    GPUHMM_SIMD_CALL_FEW_REGISTERS(fill_emitting)
    (model, before, now, model.match_row(x).data(), model.insert_row(x).data(), b, gains);
    const std::int32_t e = fill_deletes(model, now, gains);
    n = add(n, model.n_loop);
    j = join(add(j, model.j_loop), add(e, model.e_to_j), gains);
    b = join(add(n, model.n_begin), add(j, model.j_begin), gains);
    c = join(add(c, model.c_loop), add(e, model.e_to_c), gains);
  }
  return add(c, model.c_end);
}

}  // namespace gpuhmm
