// Plain two-row Viterbi, written for clarity, not speed.
#include "plan7/viterbi.hpp"

#include <algorithm>
#include <vector>

#include "plan7/arithmetic.hpp"

namespace gpuhmm {

std::int32_t viterbi_score(const ScoreModel& model, std::span<const std::uint8_t> residues) {
  const int nodes = model.nodes;
  const auto row = [nodes] {
    return std::vector<std::int32_t>(static_cast<std::size_t>(nodes) + 1, kMinusInfinity);
  };
  // Sums in 64 bits: three minus infinities do not fit in 32.
  const auto add = [](std::int32_t a, std::int32_t b) { return std::int64_t{a} + b; };
  const auto clamp = [](std::int64_t v) {
    return static_cast<std::int32_t>(std::max(v, std::int64_t{kMinusInfinity}));
  };
  std::vector<std::int32_t> match = row(), insert = row(), del = row();
  std::vector<std::int32_t> match_before = row(), insert_before = row(), del_before = row();
  std::int32_t n = 0;
  std::int32_t b = model.n_begin;
  std::int32_t j = kMinusInfinity;
  std::int32_t c = kMinusInfinity;
  for (const std::uint8_t x : residues) {
    std::swap(match, match_before);
    std::swap(insert, insert_before);
    std::swap(del, del_before);
    const auto match_emission = model.match_row(x);
    const auto insert_emission = model.insert_row(x);
    std::int32_t e = kMinusInfinity;
    for (int k = 1; k <= nodes; ++k) {
      match[k] = clamp(
          std::max({add(match_before[k - 1], model.mm[k - 1]), add(insert_before[k - 1], model.im[k - 1]),
                    add(del_before[k - 1], model.dm[k - 1]), add(b, model.begin[k])}) +
          match_emission[k]);
      del[k] = clamp(std::max(add(del[k - 1], model.dd[k - 1]), add(match[k - 1], model.md[k - 1])));
      if (k < nodes) {
        insert[k] = clamp(std::max(add(match_before[k], model.mi[k]), add(insert_before[k], model.ii[k])) +
                          insert_emission[k]);
      }
      e = clamp(std::max(std::int64_t{e}, add(match[k], model.end[k])));
    }
    n = clamp(add(n, model.n_loop));
    j = clamp(std::max(add(j, model.j_loop), add(e, model.e_to_j)));
    b = clamp(std::max(add(n, model.n_begin), add(j, model.j_begin)));
    c = clamp(std::max(add(c, model.c_loop), add(e, model.e_to_c)));
  }
  return static_cast<std::int32_t>(std::max(add(c, model.c_end), std::int64_t{2} * kMinusInfinity));
}

}  // namespace gpuhmm
