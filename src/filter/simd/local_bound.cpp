// Scales the parameters of the local upper bound to 8 bits.
//
// Why it is an upper bound: parameters are only ever raised (all are rounded up when scaled, and to the
// lowest value), and so are cells that saturate at the lowest value. The largest Q~ is at least the largest
// M~. A sum that saturates at the highest value makes the Q~ of its node 127, which is above the mark; or it
// is the step into an insert state, and Q~ is at least 127 + the lowest insert emission in the next row,
// which is above the mark, too.
//
// Local paths may begin at every node, so that no cell below the entry from B matters: the lowest value need
// not be below the lowest entry.
//
// The insert emissions of a path are added up with their fractions (SplitUnits). The step into the insert
// state has one unit more for what may be lacking. With emissions rounded up in each row, long insertions
// would cost nothing.
#include "filter/simd/local_bound.hpp"

#include <algorithm>
#include <limits>

#include "filter/simd/same_inserts.hpp"
#include "plan7/rebased_model.hpp"

namespace gpuhmm::simd {

namespace {

constexpr std::int64_t kLowest8 = std::numeric_limits<std::int8_t>::min();
constexpr std::int64_t kHighest8 = std::numeric_limits<std::int8_t>::max();
// With fewer than 4 units for a bit the bound passes too much.
constexpr std::int64_t kWidestRange = (kHighest8 - kLowest8) * 1000 / 4;

class Writer {
 public:
  Writer(const ScoreModel& model, const SingleHitModel& single)
      : model_(model), single_(single), rebased_(model, FreeSteps::Ends) {}

  std::optional<LocalBound> write(std::int32_t threshold) {
    std::int64_t low = entry(1);
    for (int k = 2; k <= model_.nodes; ++k) low = std::min(low, entry(k));
    const std::int64_t high = std::min(threshold - single_.exit, single_.multihit_mark);
    if (high <= low || high - low > kWidestRange) return std::nullopt;
    ScoreLevels& levels = bound_.levels;
    levels.scale = std::min(kScaleOne, (kHighest8 - kLowest8 - 1) * kScaleOne / (high - low));
    levels.zero = low - kLowest8 * kScaleOne / levels.scale;
    const auto nodes = static_cast<std::size_t>(model_.nodes);
    bound_.nodes = nodes;
    bound_.steps = AlignedBuffer<std::int8_t>(nodes * kLocalSteps * LocalBound::kCopies, lane(kLowest8));
    bound_.emissions = AlignedBuffer<std::int8_t>(nodes * kTableCodes, lane(kLowest8));
    write_inserts();
    for (int k = 1; k <= model_.nodes; ++k) write_node(k);
    const std::int64_t lowest_insert =
        *std::min_element(bound_.insert_whole.begin(), bound_.insert_whole.begin() + model_.code_count());
    const std::int64_t below = (high - 1 - levels.zero) * levels.scale >> 16;
    levels.mark = std::min(kHighest8 - 1 + std::min(lowest_insert, std::int64_t{0}), below);
    if (!fits_) return std::nullopt;
    return std::move(bound_);
  }

 private:
  // B into M_k, to be compared with Q~ of node k - 1.
  std::int64_t entry(int k) const { return single_.begin + rebased_.begin[k]; }

  // A difference of scores in units of the bound, rounded up.
  std::int64_t up(std::int64_t score) const { return (score * bound_.levels.scale + kScaleOne - 1) >> 16; }

  std::int8_t lane(std::int64_t value) {
    fits_ = fits_ && value <= kHighest8;
    return static_cast<std::int8_t>(std::clamp(value, kLowest8, kHighest8));
  }

  void write_inserts() {
    bound_.insert_whole.fill(lane(kLowest8));
    bound_.insert_fraction.fill(0);
    for (int x = 0; x < model_.code_count(); ++x) {
      const SplitUnits units = split_units(raised(model_.insert_row(x)[1]), bound_.levels.scale);
      fits_ = fits_ && units.whole < kHighest8;  // the fractions may add 1
      bound_.insert_whole[x] = lane(units.whole);
      if (units.whole >= kLowest8) bound_.insert_fraction[x] = units.fraction;
    }
  }

  void write_node(int k) {
    const std::size_t node = static_cast<std::size_t>(k) - 1;
    const auto write = [&](LocalBoundStep step, std::int64_t value) {
      std::fill_n(bound_.steps.data() + (node * kLocalSteps + step) * LocalBound::kCopies,
                  LocalBound::kCopies, lane(value));
    };
    write(kLocalEntry, up(entry(k) - bound_.levels.zero));
    for (int x = 0; x < model_.code_count(); ++x) {
      bound_.emissions[node * kTableCodes + static_cast<std::size_t>(x)] =
          lane(up(raised(model_.match_row(x)[k]) + rebased_.match_shift[k]));
    }
    if (k == model_.nodes) return;
    write(kLocalMatchInsert, up(rebased_.mi[k]) + 1);
    write(kLocalInsertInsert, up(rebased_.ii[k]));
    write(kLocalMatchDelete, up(rebased_.md[k]));
    write(kLocalDeleteDelete, up(rebased_.dd[k]));
  }

  const ScoreModel& model_;
  const SingleHitModel& single_;
  RebasedModel rebased_;
  LocalBound bound_;
  bool fits_ = true;
};

}  // namespace

std::optional<LocalBound> local_bound(const ScoreModel& model, const SingleHitModel& single,
                                      std::int32_t threshold) {
  if (single.loop != 0 || !has_same_inserts(model) || model.code_count() > int{kSeparator})
    return std::nullopt;
  return Writer(model, single).write(threshold);
}

}  // namespace gpuhmm::simd
