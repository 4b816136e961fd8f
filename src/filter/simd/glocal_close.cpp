// Parameters for close approximations of the scores of glocal models, and why they are close.
//
// No score is raised or rounded. A path has the same score in the kernel as in the model, except for its
// begin (up to begin_slack too high) and its end (up to end_slack too low or end_excess too high).
//
// 32 bits are enough for the same reason as in stripe_exact32: B enters every node in every row.
//
// 16 bits, with saturating sums. F is the lowest value. Qlow is what B gives Q~ through deletes in every row;
// it is nowhere below F.
//
// Low values: a value that is raised to F is harmless, since Q~ stays exact. A raised D~ + dm is at most what
// the D~ of B gives there, which is not below F either. If the insert loop does not gain, a raised I~ reaches
// at most F + its emission, which is not above Qlow. If the loop can gain, neither I~ nor the M~ before it
// saturates, and the value of I~ before row 1 is below what that M~ gives it. E is exact since the M~ of some
// node never saturates.
//
// High values, as long as no M~ is above the mark: D~ is a maximum of M~, and D~ + dm does not saturate, nor
// does I~ where its loop does not gain. Any other Q~ that saturates makes the next M~ at least 32767 + its
// lowest emission, which is above the mark. Where that gives a higher mark, the first two may saturate, too.
#include "filter/simd/glocal_close.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "filter/simd/glocal_form.hpp"
#include "filter/simd/same_inserts.hpp"

namespace gpuhmm::simd {

namespace {

// 1/1000 bit. With more slack too many sequences would have to be scored again.
constexpr std::int64_t kMostSlack = 200;

// The meaning of a kernel's results, and the values that stand for minus infinity.
template <class T>
struct Level {
  std::int64_t zero = 0;
  std::int64_t mark = std::numeric_limits<std::int64_t>::max();
  T impossible, floor;
  std::vector<std::size_t> watched;
  T insert_limit = std::numeric_limits<T>::max();
};

// Whether all transitions keep their true scores in the glocal form, and all begins and ends are possible.
bool is_spelled_out(const ScoreModel& model) {
  for (int k = 1; k < model.nodes; ++k) {
    for (const auto* scores : {&model.mm, &model.mi, &model.md, &model.im, &model.ii, &model.dm, &model.dd}) {
      if ((*scores)[k] < kCheapestImpossible) return false;
    }
    if (model.begin[k + 1] <= -kImpossible || model.end[k] <= -kImpossible) return false;
  }
  return model.begin[1] > -kImpossible;
}

std::optional<Level<std::int32_t>> level_of(const SingleHitModel&, const GlocalForm&, GainingInserts,
                                            std::int32_t) {
  Level<std::int32_t> level;
  level.mark = std::numeric_limits<std::int32_t>::max() - 1;
  level.impossible = static_cast<std::int32_t>(-kImpossible);
  level.floor = kNoPathYet;
  return level;
}

// Nothing if 16 bits are not enough.
std::optional<Level<std::int16_t>> level_of(const SingleHitModel& single, const GlocalForm& form,
                                            GainingInserts inserts, std::int16_t) {
  constexpr std::int64_t kLowest = std::numeric_limits<std::int16_t>::min();
  constexpr std::int64_t kHighest = std::numeric_limits<std::int16_t>::max();
  Level<std::int16_t> level;
  const auto fits = [](std::int64_t score) { return score >= kLowest && score <= kHighest; };
  const auto q_low = [&](int k) {
    return k == 0 ? form.direct_begin : *form.deletes_from_begin + form.dm[k];
  };
  const auto low_match = [&](int k) { return single.match[k].low + form.match_shift[k]; };
  std::int64_t lowest = std::min(form.direct_begin, *form.deletes_from_begin);
  std::int64_t highest = std::max(form.direct_begin, *form.deletes_from_begin);
  std::int64_t certain_match = std::numeric_limits<std::int64_t>::min();
  std::int64_t mark = kHighest - 1;  // a saturated M~ is above it
  for (int k = 1; k <= single.nodes; ++k) {
    if (!fits(low_match(k)) || !fits(single.match[k].high + form.match_shift[k])) return std::nullopt;
    certain_match = std::max(certain_match, q_low(k - 1) + low_match(k));
    if (k == single.nodes) break;
    const EmissionRange& insert = single.insert[k];
    for (const std::int64_t score : {form.mi[k], form.ii[k], form.dm[k], insert.low, insert.high}) {
      if (!fits(score)) return std::nullopt;
    }
    if (form.mi[k] > 0 || form.ii[k] > 0) return std::nullopt;
    highest = std::max(highest, q_low(k));
    lowest = std::min(lowest, q_low(k) - std::max(insert.high, std::int64_t{0}));
    const std::int64_t loop_gain = form.ii[k] + insert.high;
    const std::int64_t detected = kHighest + low_match(k + 1) - 1;
    const bool gains = loop_gain > 0;
    if (gains) {
      const std::int64_t match = q_low(k - 1) + std::min(low_match(k), std::int64_t{0});
      lowest = std::min(lowest, match + form.mi[k] + std::min({insert.low, -loop_gain, std::int64_t{0}}));
    }
    if (gains && inserts == GainingInserts::Marked) {
      mark = std::min(mark, detected);
      continue;
    }
    // An insertion that begins in the first of kWatchedRows rows may loop so often before the caller sees it.
    const std::int64_t looped = gains ? static_cast<std::int64_t>(kWatchedRows - 2) * loop_gain : 0;
    const std::int64_t gain = std::max({form.dm[k], form.mi[k] + insert.high + looped, std::int64_t{0}});
    mark = std::min(mark, std::max(kHighest - gain, detected));
    if (gains) {
      level.watched.push_back(static_cast<std::size_t>(k) - 1);
      const std::int64_t limit =
          kHighest - insert.high - static_cast<std::int64_t>(kWatchedRows - 1) * loop_gain;
      level.insert_limit = static_cast<std::int16_t>(std::min(std::int64_t{level.insert_limit}, limit));
    }
  }
  lowest = std::min(lowest, certain_match);
  level.zero = lowest - kLowest;
  level.mark = mark;
  level.impossible = level.floor = static_cast<std::int16_t>(kLowest);
  if (highest - level.zero > kHighest) return std::nullopt;
  return level;
}

// In 16 bits only the D -> M of the last node is raised: level_of found the others in range.
bool deletes_fit(StripedModel<std::int16_t>& striped, std::int64_t mark) {
  return keep_deletes_in_range(striped, mark);
}
bool deletes_fit(StripedModel<std::int32_t>&, std::int64_t) { return true; }

}  // namespace

template <class T>
std::optional<CloseModel<T>> stripe_glocal_close(const ScoreModel& model, const SingleHitModel& single,
                                                 const StripedShape& shape, GainingInserts inserts) {
  if (single.loop != 0 || model.nodes < 2 || !is_spelled_out(model)) return std::nullopt;
  const GlocalForm form(model, single);
  const std::int64_t slack = form.begin_slack + form.end_slack + form.end_excess;
  if (slack > kMostSlack) return std::nullopt;
  std::optional<Level<T>> level = level_of(single, form, inserts, T{});
  if (!level) return std::nullopt;
  CloseModel<T> close{
      {{kScaleOne, level->zero + form.end_slack, level->mark},
       StripedModel<T>(shape, kBoundPlanes, 0, model.code_count(), level->impossible, level->floor)},
      slack,
      std::move(level->watched),
      level->insert_limit};
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
  // Kernels with several lanes would then have first_d in E.
  if (shape.lanes == 1 && has_same_inserts(model) && deletes_fit(striped, level->mark)) {
    for (std::size_t x = 0; x < striped.codes; ++x) {
      striped.set_insert(x, static_cast<T>(raised(model.insert_row(static_cast<int>(x))[1])));
    }
  }
  if (single.multihit) {
    close.levelled.mark = std::min(close.levelled.mark, single.multihit_mark - close.levelled.zero);
  }
  return close;
}

template std::optional<CloseModel<std::int16_t>> stripe_glocal_close(const ScoreModel&, const SingleHitModel&,
                                                                     const StripedShape&, GainingInserts);
template std::optional<CloseModel<std::int32_t>> stripe_glocal_close(const ScoreModel&, const SingleHitModel&,
                                                                     const StripedShape&, GainingInserts);

}  // namespace gpuhmm::simd
