// Scales the parameters of the glocal upper bound to 16 bits.
//
// Why it is an upper bound: parameters are only ever raised (impossible ones to -30 bits or more, all rounded
// up when scaled), and so are cells that saturate at the lowest value. A Q~ that saturates at the highest
// value makes the next M~ at least 32767 + the lowest match emission, which is above the mark.
#include "filter/simd/glocal_bound.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "filter/simd/glocal_form.hpp"
#include "filter/simd/same_inserts.hpp"

namespace gpuhmm::simd {

namespace {

// Match emissions below -15 bits are raised to -15 bits: the range above the mark grows with the lowest
// emission.
constexpr std::int64_t kLowestEmission = -15'000;
// Scores more than 3,000 bits below the mark are not told apart.
constexpr std::int64_t kWidestRange = 3'000'000;
// The range ends one bit above the threshold.
constexpr std::int64_t kAboveThreshold = 1000;
// The range need not be narrower than 20 bits, where the scale is 1 already.
constexpr std::int64_t kNarrowestRange = 20'000;
// Where sums of inserts shall fit, lower steps into an insert, loops and insert emissions are raised to this.
constexpr std::int64_t kLowestOpening = -12'000, kLowestLoop = -8'000, kLowestInsert = -5'000;

constexpr std::int16_t kLowest16 = std::numeric_limits<std::int16_t>::min();
constexpr std::int16_t kHighest16 = std::numeric_limits<std::int16_t>::max();

// The scores of inserts, 1/1000 bit, and what they lose and gain at most in a row.
struct Inserts {
  Inserts(const ScoreModel& scores, const GlocalForm& glocal, InsertSums sums)
      : model(scores), form(glocal), fit(sums == InsertSums::Fit) {
    if (!fit) return;
    std::int64_t lowest_opening = 0, lowest_loop = 0, lowest_emission = 0, highest_step = 0, highest = 0;
    for (int k = 1; k < model.nodes; ++k) {
      lowest_opening = std::min(lowest_opening, opening(k));
      lowest_loop = std::min(lowest_loop, loop(k));
      highest_step = std::max({highest_step, opening(k), loop(k)});
      for (int x = 0; x < model.code_count(); ++x) {
        lowest_emission = std::min(lowest_emission, emission(k, x));
        highest = std::max(highest, emission(k, x));
      }
    }
    loss = -(lowest_opening + lowest_loop + lowest_emission);
    gain = highest_step + highest;
  }

  std::int64_t opening(int k) const { return fit ? std::max(form.mi[k], kLowestOpening) : form.mi[k]; }
  std::int64_t loop(int k) const { return fit ? std::max(form.ii[k], kLowestLoop) : form.ii[k]; }
  std::int64_t emission(int k, int code) const {
    return raised(model.insert_row(code)[k], fit ? kLowestInsert : kCheapestImpossible);
  }

  const ScoreModel& model;
  const GlocalForm& form;
  bool fit;
  std::int64_t loss = 0, gain = 0;  // for which there shall be room
};

// Scale and zero point, and conversion with rounding up.
class Scale {
 public:
  Scale(const ScoreModel& model, const SingleHitModel& single, const GlocalForm& form, const Inserts& inserts,
        std::int32_t threshold) {
    std::int64_t emission = 0;
    for (int k = 1; k <= model.nodes; ++k) {
      emission = std::min(emission, single.match[k].low + form.match_shift[k]);
    }
    emission = std::max(emission, kLowestEmission);
    std::int64_t high = std::min({threshold - single.exit, single.multihit_mark, kHighestGain}) -
                        form.end_slack + kAboveThreshold;
    // The lowest level at which B comes in.
    std::int64_t low = high;
    const auto reach = [&](std::int64_t level) { low = std::min(low, level); };
    if (model.begin[1] > -kImpossible) reach(form.direct_begin);
    if (form.deletes_from_begin) {
      for (int k = 1; k < model.nodes; ++k) reach(*form.deletes_from_begin + form.dm[k]);
    }
    low = std::max(low, high - kWidestRange);
    high = std::max(high, low + kNarrowestRange);
    scale =
        std::min(kScaleOne, 65'000 * kScaleOne / (high - low - 2 * emission + inserts.loss + inserts.gain));
    lowest_emission = up(emission) - 1;
    mark = kHighest16 + lowest_emission - 1;
    if (inserts.fit) mark -= up(inserts.gain) + kRounded;
    zero = high - mark * kScaleOne / scale;
  }

  // By so much a step and an emission may be above what they are, together, when both are rounded up.
  static constexpr std::int64_t kRounded = 2;

  // A difference of scores in units of the 16-bit values, rounded up.
  std::int64_t up(std::int64_t score) const { return (score * scale + kScaleOne - 1) >> 16; }

  std::int64_t scale, zero, mark;
  std::int64_t lowest_emission;
};

// Converts scaled scores to 16 bits and records whether one was too high.
class Writer {
 public:
  std::int16_t operator()(std::int64_t value) {
    fits_ = fits_ && value <= kHighest16;
    return static_cast<std::int16_t>(std::clamp<std::int64_t>(value, kLowest16, kHighest16));
  }
  bool fits() const { return fits_; }

 private:
  bool fits_ = true;
};

// Insert loop and emission are rounded up together, so that a long insertion is rounded up once a residue,
// not twice. If all nodes have the same insert scores, so are their emissions; the loops hold the rounding.
void write_inserts(StripedModel<std::int16_t>& striped, const Inserts& inserts, const Scale& scale,
                   Writer& write) {
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();
  const bool same = has_same_inserts(inserts.model);
  for (int k = 1; k < inserts.model.nodes; ++k) {
    std::int64_t loop = same ? kNone : scale.up(inserts.loop(k));
    std::int64_t open = kNone;
    for (std::size_t x = 0; x < striped.codes; ++x) {
      const std::int64_t score = inserts.emission(k, static_cast<int>(x));
      const std::int64_t looped = scale.up(inserts.loop(k) + score);
      const std::int64_t emission = same ? scale.up(score) : looped - loop;
      if (same) loop = std::max(loop, looped - emission);
      open = std::max(open, scale.up(inserts.opening(k) + score) - emission);
      striped.emission(k, x)[striped.shape.lanes] = write(emission);
      if (same && k == 1) striped.set_insert(x, write(emission));
    }
    striped.transition(k, kBoundMatchInsert) = write(open);
    striped.transition(k, kBoundInsertInsert) = write(loop);
    striped.transition(k, kBoundDeleteMatch) = write(scale.up(inserts.form.dm[k]));
  }
}

}  // namespace

bool keep_deletes_in_range(StripedModel<std::int16_t>& striped, std::int64_t mark) {
  if (striped.first_d == kLowest16) return false;  // there are no deletes from B
  const int lowest = std::max(kLowest16 - striped.first_d, int{kLowest16});
  for (std::size_t k = 1; k <= striped.shape.places(); ++k) {
    std::int16_t& score = striped.transition(static_cast<int>(k), kBoundDeleteMatch);
    score = std::max(score, static_cast<std::int16_t>(lowest));
    if (score > kHighest16 - mark) return false;
  }
  return true;
}

std::optional<LevelledModel<std::int16_t>> stripe_glocal_bound(const ScoreModel& model,
                                                               const SingleHitModel& single,
                                                               std::int32_t threshold,
                                                               const StripedShape& shape, InsertSums sums) {
  if (single.loop != 0) return std::nullopt;
  const GlocalForm form(model, single);
  if (!form.glocal()) return std::nullopt;
  const Inserts inserts(model, form, sums);
  const Scale scale(model, single, form, inserts, threshold);
  LevelledModel<std::int16_t> levelled{
      {scale.scale, scale.zero + form.end_slack, scale.mark},
      StripedModel<std::int16_t>(shape, kBoundPlanes, 0, model.code_count(), kLowest16, kLowest16)};
  StripedModel<std::int16_t>& striped = levelled.striped;
  Writer write;
  for (std::size_t x = 0; x < striped.codes; ++x) {
    const auto match = model.match_row(static_cast<int>(x));
    for (int k = 1; k <= model.nodes; ++k) {
      const std::int64_t emission = scale.up(raised(match[k], kCheapestImpossible) + form.match_shift[k]);
      *striped.emission(k, x) = write(std::max(emission, scale.lowest_emission));
    }
  }
  write_inserts(striped, inserts, scale, write);
  striped.first_q = write(scale.up(form.direct_begin - scale.zero));
  if (form.deletes_from_begin) striped.first_d = write(scale.up(*form.deletes_from_begin - scale.zero));
  if (!write.fits()) return std::nullopt;
  // A match and the steps to it are rounded up by half a unit each, and inserts cost somewhat less.
  levelled.excess = 1000 + model.nodes * 3 / 2 * kScaleOne / levelled.scale;
  const bool deletes_should_fit = striped.has_same_inserts() || sums == InsertSums::Fit;
  if (deletes_should_fit && !keep_deletes_in_range(striped, levelled.mark)) striped.forget_same_inserts();
  if (single.multihit) {
    const std::int64_t multihit_mark = (single.multihit_mark - levelled.zero) * levelled.scale;
    levelled.mark = std::min(levelled.mark, multihit_mark >> 16);
  }
  return levelled;
}

}  // namespace gpuhmm::simd
