// Makes the tables of the exact GPU kernels, and proves that padding with 16-bit emissions is harmless.
#include "filter/opencl/gpu_model.hpp"

#include <algorithm>
#include <limits>

#include "plan7/rebased_model.hpp"

namespace gpuhmm {

namespace {

constexpr std::int32_t kLargestScore = 1'000'000;
constexpr std::int32_t kLowestScore = -10'000'000;  // folded begins and ends of long models are low
constexpr std::int32_t kHalfWordPad = std::numeric_limits<std::int16_t>::min();

bool impossible(std::int32_t score) { return score < kGpuMinusInfinity; }

std::int32_t narrow(std::int64_t score) { return static_cast<std::int32_t>(score); }

// B into match k.
std::int32_t begin_of(const RebasedModel& rebased, const ScoreModel& model, int k) {
  return impossible(model.begin[k]) ? kGpuMinusInfinity : model.n_begin + narrow(rebased.begin[k]);
}

// Rows of padding, with emissions of kHalfWordPad, come before the first residue. True if no path that begins
// in padding can beat all paths that begin at the first residue or later.
bool padding_is_harmless(const RebasedModel& rebased, const ScoreModel& model, const SingleHitModel& single) {
  std::int64_t del = kGpuFloor;  // best delete of node k in a row of padding
  for (int k = 1; k <= model.nodes; ++k) {
    const std::int64_t least_match = single.match[k].low + rebased.match_shift[k];
    const std::int64_t start = std::int64_t{begin_of(rebased, model, k)} + kHalfWordPad;
    if (kHalfWordPad > least_match) return false;
    if (k == model.nodes) return true;
    // Into the next match, directly or through deletes: no better than beginning there.
    const std::int64_t next_begin = begin_of(rebased, model, k + 1);
    if (start > next_begin || del > next_begin) return false;
    del = std::max(start + rebased.md[k], del + rebased.dd[k]);
    // Into the inserts of the node: no better than its match of the first residue, or than the match in
    // padding.
    if (kHalfWordPad + single.insert[k].high + rebased.mi[k] > least_match) return false;
    if (kHalfWordPad + rebased.mi[k] - rebased.ii[k] > 0) return false;
  }
  return true;
}

// The insert state of the last node does not exist: its emissions do not matter.
bool emissions_fit_half_words(const RebasedModel& rebased, const SingleHitModel& single) {
  const auto fits = [](const EmissionRange& range, std::int64_t shift) {
    return range.low + shift > kHalfWordPad && range.high + shift <= std::numeric_limits<std::int16_t>::max();
  };
  for (int k = 1; k <= single.nodes; ++k) {
    if (!fits(single.match[k], rebased.match_shift[k])) return false;
    if (k < single.nodes && !fits(single.insert[k], rebased.ii[k])) return false;
  }
  return true;
}

}  // namespace

int padded_pairs(int nodes) {
  const int pairs = (nodes + 1) / 2;
  return (pairs + kGpuChainItems - 1) / kGpuChainItems * kGpuChainItems;
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
    : pairs((model.nodes + 1) / 2),
      single(reduce_to_single_hit(model).value()),
      any_gain(gain_of_any_path(model)) {
  const RebasedModel rebased(model, FreeSteps::OutOfDeletes);
  half_words = emissions_fit_half_words(rebased, single) && padding_is_harmless(rebased, model, single);

  const int table_nodes = 2 * padded_pairs(model.nodes);
  const auto half = [](std::int32_t score) { return static_cast<std::uint32_t>(score) & 0xffffU; };
  const std::uint32_t pad = half(kHalfWordPad) | half(kHalfWordPad) << 16;
  emissions.assign(static_cast<std::size_t>(table_nodes) * kGpuCodes * (half_words ? 1 : 2),
                   half_words ? pad : static_cast<std::uint32_t>(kGpuMinusInfinity));
  moves.assign(static_cast<std::size_t>(table_nodes) / 2 * kGpuMoveWords, kGpuMinusInfinity);
  for (int k = 1; k <= model.nodes; ++k) {
    const std::size_t place = static_cast<std::size_t>(k) - 1;
    const bool inserts = k < model.nodes;
    if (!half_words) {
      std::fill_n(&emissions[place * 2 * kGpuCodes], kGpuCodes,
                  static_cast<std::uint32_t>(narrow(kGpuMinusInfinity + rebased.match_shift[k])));
    }
    for (int x = 0; x < model.code_count(); ++x) {
      const std::int32_t match = narrow(raised(model.match_row(x)[k]) - single.loop + rebased.match_shift[k]);
      const std::int32_t insert =
          inserts ? narrow(raised(model.insert_row(x)[k]) - single.loop + rebased.ii[k]) : kGpuMinusInfinity;
      if (half_words) {
        emissions[place * kGpuCodes + x] = half(match) | half(std::max(insert, kHalfWordPad)) << 16;
      } else {
        emissions[place * 2 * kGpuCodes + x] = static_cast<std::uint32_t>(match);
        emissions[place * 2 * kGpuCodes + kGpuCodes + x] = static_cast<std::uint32_t>(insert);
      }
    }
    std::int32_t* pair = &moves[place / 2 * kGpuMoveWords];
    const std::size_t second = place % 2;
    if (inserts) pair[4 * second + 0] = narrow(rebased.mi[k] - rebased.ii[k]);
    pair[4 * second + 1] = narrow(rebased.md[k]);
    pair[4 * second + 2] = narrow(rebased.dd[k]);
    pair[4 * second + 3] = begin_of(rebased, model, k);
    pair[8 + second] = narrow(rebased.end[k]);
  }

  j_return = single.multihit ? model.e_to_j + model.j_begin - model.n_begin : kGpuFloor;
  j_mark = single.multihit ? -j_return : std::numeric_limits<std::int32_t>::max();
}

}  // namespace gpuhmm
