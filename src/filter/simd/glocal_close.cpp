// Parameters of close scores of glocal models; see the header.
//
// No score is raised or rounded, so a path of the kernel scores what it scores in the model but for its
// begin (up to begin_slack too high) and its end (up to end_slack too low or end_excess too high).
//
// 32 bits hold as for stripe_exact32: B enters every node in every row.
//
// 16 bits, with saturating sums, below: Q~ is at least what B gives it through deletes, Qlow, and the zero
// point is so low that Qlow and M~ never saturate. D~ is a maximum of M~ and takes no sums; D~ + dm that is
// raised to the lowest value stays below Qlow. A raised I~ must stay below Qlow, too, so its loop must not
// gain; where it can gain, I~ must not saturate at all. Above: no I~ that is not on its way into a saturated
// Q~ saturates, since mi and ii do not gain, and a Q~ that saturates makes the next M~ at least 32767 + the
// lowest match emission, which is above the mark.
#include "filter/simd/glocal_close.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "filter/simd/glocal_form.hpp"

namespace gpuhmm::simd {

namespace {

// With more slack too many sequences would have to be scored again.
constexpr std::int64_t kMostSlack = 200;

// What a kernel's results mean, and the values that stand for minus infinity.
template <class T>
struct Level {
  std::int64_t zero = 0;
  std::int64_t mark = std::numeric_limits<std::int64_t>::max();
  T impossible, floor;
};

// Whether each step that a path can take has its true score in the form, and begins and ends are possible.
bool is_spelled_out(const ScoreModel& model) {
  for (int k = 1; k < model.nodes; ++k) {
    for (const auto* scores : {&model.mm, &model.mi, &model.md, &model.im, &model.ii, &model.dm, &model.dd}) {
      if ((*scores)[k] < kCheapestImpossible) return false;
    }
    if (model.begin[k + 1] <= -kImpossible || model.end[k] <= -kImpossible) return false;
  }
  return model.begin[1] > -kImpossible;
}

std::optional<Level<std::int32_t>> level_of(const SingleHitModel&, const GlocalForm&, std::int32_t) {
  Level<std::int32_t> level;
  level.impossible = static_cast<std::int32_t>(-kImpossible);
  level.floor = static_cast<std::int32_t>(-5 * kImpossible);
  return level;
}

// Nothing if 16 bits are not enough.
std::optional<Level<std::int16_t>> level_of(const SingleHitModel& single, const GlocalForm& form,
                                            std::int16_t) {
  constexpr std::int64_t kLowest = std::numeric_limits<std::int16_t>::min();
  constexpr std::int64_t kHighest = std::numeric_limits<std::int16_t>::max();
  const auto loop_gain = [&](int k) { return form.ii[k] + std::max(single.insert[k].high, std::int64_t{0}); };
  const auto q_low = [&](int k) {
    return k == 0 ? form.direct_begin : *form.deletes_from_begin + form.dm[k];
  };
  std::int64_t lowest = *form.deletes_from_begin;
  std::int64_t highest = std::max(form.direct_begin, *form.deletes_from_begin);
  std::int64_t lowest_match = 0;
  for (int k = 1; k <= single.nodes; ++k) {
    const std::int64_t low = single.match[k].low + form.match_shift[k];
    if (low < kLowest || single.match[k].high + form.match_shift[k] > kHighest) return std::nullopt;
    lowest_match = std::min(lowest_match, low);
    std::int64_t level = q_low(k - 1) + std::min(low, std::int64_t{0});
    if (k < single.nodes) {
      if (form.mi[k] > 0 || form.mi[k] < kLowest || form.ii[k] > 0 || form.ii[k] < kLowest)
        return std::nullopt;
      if (form.dm[k] < kLowest || form.dm[k] > kHighest) return std::nullopt;
      if (single.insert[k].low < kLowest || single.insert[k].high > kHighest) return std::nullopt;
      if (loop_gain(k) > 0) {
        level += std::min({form.mi[k] + std::min(single.insert[k].low, std::int64_t{0}),
                           form.mi[k] - loop_gain(k), std::int64_t{0}});
      }
    }
    lowest = std::min(lowest, level);
  }
  Level<std::int16_t> level;
  level.zero = lowest - kLowest;
  level.mark = kHighest + lowest_match - 1;
  level.impossible = level.floor = static_cast<std::int16_t>(kLowest);
  if (highest - level.zero > kHighest) return std::nullopt;
  for (int k = 1; k < single.nodes; ++k) {
    if (lowest + std::max(single.insert[k].high, std::int64_t{0}) > q_low(k)) return std::nullopt;
  }
  return level;
}

}  // namespace

template <class T>
std::optional<CloseModel<T>> stripe_glocal_close(const ScoreModel& model, const SingleHitModel& single,
                                                 const StripedShape& shape) {
  if (single.loop != 0 || model.nodes < 2 || !is_spelled_out(model)) return std::nullopt;
  const GlocalForm form(model, single);
  const std::int64_t slack = form.begin_slack + form.end_slack + form.end_excess;
  if (slack > kMostSlack) return std::nullopt;
  const std::optional<Level<T>> level = level_of(single, form, T{});
  if (!level) return std::nullopt;
  CloseModel<T> close{
      {StripedModel<T>(shape, kBoundPlanes, 0, model.code_count(), level->impossible, level->floor),
       kScaleOne, level->zero + form.end_slack, level->mark},
      slack};
  StripedModel<T>& striped = close.levelled.striped;
  for (std::size_t x = 0; x < striped.codes; ++x) {
    const auto match = model.match_row(static_cast<int>(x));
    const auto insert = model.insert_row(static_cast<int>(x));
    for (int k = 1; k <= model.nodes; ++k) {
      T* scores = striped.emission(k, x);
      scores[0] = static_cast<T>(raised(match[k]) + form.match_shift[k]);
      if (k < model.nodes) scores[shape.lanes] = static_cast<T>(raised(insert[k]));
    }
  }
  for (int k = 1; k < model.nodes; ++k) {
    striped.transition(k, kBoundMatchInsert) = static_cast<T>(form.mi[k]);
    striped.transition(k, kBoundInsertInsert) = static_cast<T>(form.ii[k]);
    striped.transition(k, kBoundDeleteMatch) = static_cast<T>(form.dm[k]);
  }
  striped.first_q = static_cast<T>(form.direct_begin - level->zero);
  striped.first_d = static_cast<T>(*form.deletes_from_begin - level->zero);
  if (single.multihit) {
    close.levelled.mark = std::min(close.levelled.mark, single.multihit_mark - close.levelled.zero);
  }
  return close;
}

template std::optional<CloseModel<std::int16_t>> stripe_glocal_close(const ScoreModel&, const SingleHitModel&,
                                                                     const StripedShape&);
template std::optional<CloseModel<std::int32_t>> stripe_glocal_close(const ScoreModel&, const SingleHitModel&,
                                                                     const StripedShape&);

}  // namespace gpuhmm::simd
