// Re-basing and its bounds; see the header.
//
// Range of the cells, with P = -kGpuMinusInfinity and single parameters of at most 10^6 and, if possible, at
// least -10^7. A shift and the transition it belongs to cancel on every path, so no value lies below the sum
// of the unshifted parameters and one shift: M >= B + e >= -3P, D and P >= -4P, I >= -5P, sums with a
// transition at least -7P, which fits in 32 bits.
#include "filter/opencl/gpu_model.hpp"

#include <algorithm>
#include <limits>

#include "plan7/arithmetic.hpp"

namespace gpuhmm {

namespace {

constexpr std::int32_t kLargestScore = 1'000'000;
constexpr std::int32_t kLowestScore = -10'000'000;  // folded begins and ends of long models are low
constexpr std::int32_t kHalfWordPad = std::numeric_limits<std::int16_t>::min();

bool impossible(std::int32_t score) { return score < kGpuMinusInfinity; }
std::int32_t clamped(std::int32_t score) { return std::max(score, kGpuMinusInfinity); }
std::int64_t positive(std::int64_t score) { return std::max<std::int64_t>(score, 0); }

// The model in the kernels' units, before it is packed. Index 0 is node 1.
struct Rebased {
  explicit Rebased(const ScoreModel& model);
  bool padding_is_harmless() const;

  int nodes, codes;
  std::vector<std::int32_t> mi, ii, md, dd, begin, end;
  std::vector<std::int32_t> match, insert;  // [node][code]
  std::vector<std::int32_t> impossible_match;
};

Rebased::Rebased(const ScoreModel& model) : nodes(model.nodes), codes(model.code_count()) {
  const auto shift = [&](const std::vector<std::int32_t>& scores, int k) {
    return k < nodes ? clamped(scores[k]) : 0;
  };
  for (int k = 1; k <= nodes; ++k) {
    const std::int32_t shift_m = shift(model.mm, k);
    mi.push_back(clamped(model.mi[k]) - shift_m + shift(model.im, k));
    ii.push_back(clamped(model.ii[k]));
    md.push_back(clamped(model.md[k]) - shift_m + (k < nodes ? shift(model.dm, k + 1) : 0));
    dd.push_back(clamped(model.dd[k]) - shift(model.dm, k) + (k < nodes ? shift(model.dm, k + 1) : 0));
    begin.push_back(impossible(model.begin[k]) ? kGpuMinusInfinity : model.n_begin + model.begin[k]);
    end.push_back(clamped(model.end[k]) - shift_m);
    impossible_match.push_back(kGpuMinusInfinity + shift_m);
    for (int x = 0; x < codes; ++x) {
      match.push_back(clamped(model.match_row(x)[k]) - model.n_loop + shift_m);
      insert.push_back(k < nodes ? clamped(model.insert_row(x)[k]) - model.n_loop : kGpuMinusInfinity);
    }
  }
}

// Rows of padding, with emissions of kHalfWordPad, come before the first residue. True if no path that begins
// in one of them can beat all that begin at the first residue or later.
bool Rebased::padding_is_harmless() const {
  std::int64_t del = kGpuFloor;  // best delete of node k in a row of padding
  for (int k = 0; k < nodes; ++k) {
    const auto emissions = match.begin() + std::ptrdiff_t{k} * codes;
    const std::int64_t least_match = *std::min_element(emissions, emissions + codes);
    const auto inserts = insert.begin() + std::ptrdiff_t{k} * codes;
    const std::int64_t most_insert = *std::max_element(inserts, inserts + codes);
    const std::int64_t start = std::int64_t{begin[k]} + kHalfWordPad;
    if (kHalfWordPad > least_match) return false;
    if (k + 1 == nodes) return true;
    // Into the next match, directly or through deletes: no better than beginning there.
    if (start > begin[k + 1] || del > begin[k + 1]) return false;
    del = std::max(start + md[k], del + dd[k]);
    // Into the inserts of the node: no better than its match of the first residue.
    const std::int64_t insertion = std::int64_t{kHalfWordPad} + mi[k] + most_insert;
    if (insertion > least_match || kHalfWordPad + most_insert + ii[k] > least_match) return false;
    if (std::int64_t{ii[k]} + kHalfWordPad > 0) return false;
  }
  return true;
}

bool fits_half_word(const std::vector<std::int32_t>& scores) {
  return std::all_of(scores.begin(), scores.end(), [](std::int32_t score) {
    return score > kHalfWordPad && score <= std::numeric_limits<std::int16_t>::max();
  });
}

}  // namespace

int padded_pairs(int nodes) {
  const int pairs = (nodes + 1) / 2;
  return (pairs + kGpuLanes - 1) / kGpuLanes * kGpuLanes;
}

bool fits_gpu_kernels(const ScoreModel& model) {
  const auto moderate = [](std::int32_t score) {
    return score <= kLargestScore && (score >= kLowestScore || impossible(score));
  };
  const auto all_moderate = [&](const std::vector<std::int32_t>& scores) {
    return std::all_of(scores.begin(), scores.end(), moderate);
  };
  for (const std::int32_t score : {model.n_begin, model.n_loop, model.e_to_c, model.c_end, model.c_loop}) {
    if (!moderate(score) || impossible(score)) return false;
  }
  const bool reaches_j = !impossible(model.e_to_j) && !impossible(model.j_begin);
  if (reaches_j && (!moderate(model.e_to_j) || !moderate(model.j_begin) || model.j_loop != model.n_loop)) {
    return false;
  }
  return model.nodes > 0 && model.n_loop == model.c_loop && all_moderate(model.mm) &&
         all_moderate(model.mi) && all_moderate(model.md) && all_moderate(model.im) &&
         all_moderate(model.ii) && all_moderate(model.dm) && all_moderate(model.dd) &&
         all_moderate(model.begin) && all_moderate(model.end) && all_moderate(model.match) &&
         all_moderate(model.insert);
}

GpuModel::GpuModel(const ScoreModel& model)
    : pairs((model.nodes + 1) / 2), exit(model.e_to_c + model.c_end), row(model.n_loop) {
  const Rebased rebased(model);
  // The insert state of the last node does not exist: its emissions do not matter.
  std::vector<std::int32_t> inserts(rebased.insert.begin(), rebased.insert.end() - rebased.codes);
  half_words = fits_half_word(rebased.match) && fits_half_word(inserts) && rebased.padding_is_harmless();

  const int table_nodes = 2 * padded_pairs(model.nodes);
  const auto half = [](std::int32_t score) { return static_cast<std::uint32_t>(score) & 0xffffU; };
  const std::uint32_t pad = half(kHalfWordPad) | half(kHalfWordPad) << 16;
  emissions.assign(static_cast<std::size_t>(table_nodes) * kGpuCodes * (half_words ? 1 : 2),
                   half_words ? pad : static_cast<std::uint32_t>(kGpuMinusInfinity));
  moves.assign(static_cast<std::size_t>(table_nodes) / 2 * kGpuMoveWords, kGpuMinusInfinity);
  for (int k = 0; k < model.nodes; ++k) {
    if (!half_words) {
      std::fill_n(&emissions[std::size_t(k) * 2 * kGpuCodes], kGpuCodes,
                  static_cast<std::uint32_t>(rebased.impossible_match[k]));
    }
    for (int x = 0; x < rebased.codes; ++x) {
      const std::int32_t match = rebased.match[std::size_t(k) * rebased.codes + x];
      const std::int32_t insert = rebased.insert[std::size_t(k) * rebased.codes + x];
      if (half_words) {
        emissions[std::size_t(k) * kGpuCodes + x] = half(match) | half(std::max(insert, kHalfWordPad)) << 16;
      } else {
        emissions[std::size_t(k) * 2 * kGpuCodes + x] = static_cast<std::uint32_t>(match);
        emissions[std::size_t(k) * 2 * kGpuCodes + kGpuCodes + x] = static_cast<std::uint32_t>(insert);
      }
    }
    std::int32_t* pair = &moves[std::size_t(k) / 2 * kGpuMoveWords];
    const int second = k % 2;
    pair[4 * second + 0] = rebased.mi[k];
    pair[4 * second + 1] = rebased.ii[k];
    pair[4 * second + 2] = rebased.md[k];
    pair[4 * second + 3] = rebased.dd[k];
    pair[8 + second] = rebased.begin[k];
    pair[10 + second] = rebased.end[k];
  }

  const bool reaches_j = !impossible(model.e_to_j) && !impossible(model.j_begin);
  j_return = reaches_j ? model.e_to_j + model.j_begin - model.n_begin : kGpuFloor;
  j_mark = reaches_j ? -j_return : std::numeric_limits<std::int32_t>::max();

  const auto largest = [](const std::vector<std::int32_t>& scores) {
    return positive(*std::max_element(scores.begin(), scores.end()));
  };
  const std::int64_t row_gain = positive(-std::int64_t{model.n_loop});
  const std::int64_t insert_gain = row_gain + largest(model.insert) + largest(model.ii);
  const std::int64_t moves_gain = largest(model.mm) + largest(model.mi) + largest(model.md) +
                                  largest(model.im) + largest(model.dm) + largest(model.dd);
  gain = positive(model.n_begin) + largest(model.begin) + largest(model.end);
  gain_per_residue = insert_gain;
  for (int k = 1; k <= model.nodes; ++k) {
    std::int64_t best = 0;
    for (int x = 0; x < model.code_count(); ++x) best = std::max<std::int64_t>(best, model.match_row(x)[k]);
    gain += best + moves_gain;
  }
  // A hit begins and ends, and takes at least one residue; deletes gain at most once a node and hit.
  multihit_gain_per_residue = largest(model.match) + insert_gain + moves_gain + positive(j_return) +
                              largest(model.begin) + largest(model.end) + model.nodes * largest(model.dd);
}

}  // namespace gpuhmm
