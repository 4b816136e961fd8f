// Makes the parameters of the kernel with one sequence in each lane from striped parameters with a single
// lane.
#include "filter/simd/lane_model.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace gpuhmm::simd {

namespace {

// The highest state that a sequence leaves behind, and the highest I~ that is as harmless as none. 16-bit
// sums saturate. 32-bit ones do not overflow (rebased_model.hpp, range): potentials are not higher than
// gains, and a path from a harmless I~ scores less than one with a raised step can.
template <class T>
struct Left {
  static constexpr T kHighest = std::numeric_limits<T>::max();
  static constexpr T kHarmless = std::numeric_limits<T>::min();
};
template <>
struct Left<std::int32_t> {
  static constexpr std::int32_t kHighest = 2 * kHighestLaneGain;
  static constexpr std::int32_t kHarmless = -kImpossible;
};

// State and tables of so many nodes fit the second-level cache.
constexpr std::size_t kMostNodes = 2000;
constexpr std::size_t kMostSeparators = 4;

template <class T>
T sum(T a, T b) {
  using Limits = std::numeric_limits<T>;
  return static_cast<T>(std::clamp<std::int64_t>(std::int64_t{a} + b, Limits::min(), Limits::max()));
}

// What a B gives M~_k before its emission, in every row; k from 0.
template <class T>
T from_begin(const LaneModel<T>& model, std::size_t k) {
  if (!model.glocal) return model.steps[k].entry.score();
  return k == 0 ? model.first_q : sum(model.first_d, model.steps[k - 1].delete_match.score());
}

// Whether no path from an I~_k before its emission ever reaches more than B gives: not in its first row, and
// later not because the loop does not gain, or because M~_k gives the I~ more.
template <class T>
bool stays_below_begin(const LaneModel<T>& model, std::size_t k, T insert) {
  const T* const emissions = model.emissions.data() + 2 * k * kTableCodes;
  const T lowest_match = *std::min_element(emissions, emissions + model.codes);
  const T highest_insert = *std::max_element(emissions + kTableCodes, emissions + kTableCodes + model.codes);
  const LaneSteps<T>& steps = model.steps[k];
  const T loop_gain = sum(steps.insert_insert.score(), highest_insert);
  return sum(insert, std::max(highest_insert, T{0})) <= from_begin(model, k + 1) &&
         (loop_gain <= 0 ||
          sum(insert, loop_gain) <= sum(sum(from_begin(model, k), lowest_match), steps.match_insert.score()));
}

// Whether after this many rows with the lowest emissions the state of a lane is as harmless as the initial
// state, whatever it was before, but for inserts of up to `harmless_insert`. The recurrence is monotone, so
// it is enough to start from the highest state.
template <class T>
bool forgets(const LaneModel<T>& model, std::size_t separators, T harmless_insert) {
  std::vector<T> q(model.nodes, Left<T>::kHighest), insert = q;
  for (std::size_t row = 0; row < separators; ++row) {
    T before = model.first_q;
    T del = model.first_d;
    for (std::size_t k = 0; k < model.nodes; ++k) {
      const LaneSteps<T>& steps = model.steps[k];
      const T match = sum(model.glocal ? before : std::max(before, steps.entry.score()), kLaneFloor<T>);
      const T inserted = sum(insert[k], kLaneFloor<T>);
      before = q[k];
      insert[k] =
          std::max(sum(match, steps.match_insert.score()), sum(inserted, steps.insert_insert.score()));
      q[k] = std::max({match, inserted, model.glocal ? sum(del, steps.delete_match.score()) : del});
      del = model.glocal
                ? std::max(del, match)
                : std::max(sum(del, steps.delete_delete.score()), sum(match, steps.match_delete.score()));
    }
  }
  for (std::size_t k = 0; k + 1 < model.nodes; ++k) {
    if (insert[k] > harmless_insert && !stays_below_begin(model, k, insert[k])) return false;
    if (q[k] > from_begin(model, k + 1)) return false;
  }
  return true;
}

// All parameters except the transitions.
template <class T>
std::optional<LaneModel<T>> common_parameters(const StripedModel<T>& striped) {
  LaneModel<T> model;
  model.nodes = striped.shape.vectors;
  if (model.nodes > kMostNodes || striped.codes > kSeparator) return std::nullopt;
  model.codes = striped.codes;
  model.first_q = striped.first_q;
  model.first_d = striped.first_d;
  model.insert_limit = std::numeric_limits<T>::max();
  model.doubtful = std::numeric_limits<T>::min();
  model.steps.resize(model.nodes);
  model.emissions = AlignedBuffer<T>(model.nodes * 2 * kTableCodes, kLaneFloor<T>);
  for (std::size_t k = 0; k < model.nodes; ++k) {
    for (std::size_t x = 0; x < striped.codes; ++x) {
      const T* const scores = striped.emissions.data() + (x * model.nodes + k) * 2;
      model.emissions[k * 2 * kTableCodes + x] = scores[0];
      model.emissions[(k * 2 + 1) * kTableCodes + x] = scores[1];
    }
  }
  return model;
}

// Adds the number of separators, which depends on the transitions. Nothing if too many would be needed.
template <class T>
std::optional<LaneModel<T>> with_separators(std::optional<LaneModel<T>> model,
                                            T harmless_insert = Left<T>::kHarmless) {
  for (model->separators = 1; !forgets(*model, model->separators, harmless_insert); ++model->separators) {
    if (model->separators == kMostSeparators) return std::nullopt;
  }
  return model;
}

// The same with the transitions of the glocal recurrence.
template <class T>
std::optional<LaneModel<T>> glocal_parameters(const StripedModel<T>& striped) {
  std::optional<LaneModel<T>> model = common_parameters(striped);
  if (!model) return std::nullopt;
  model->glocal = true;
  model->same_inserts = striped.has_same_inserts();
  for (std::size_t k = 0; k < model->nodes; ++k) {
    const T* const steps = striped.transitions.data() + k * striped.planes;
    model->steps[k] = {
        steps[kBoundMatchInsert], steps[kBoundInsertInsert], steps[kBoundDeleteMatch], 0, 0, 0};
  }
  return model;
}

// Sets LaneModel::sums_fit, if that is true of a bound with this mark. Below: D is first_d at least, and so a
// Q that and a dm, an M the lowest Q and emission, an I before its emission the lowest M and step. Above: as
// long as M is at most the mark, so is D, and the Q before it was at most the mark less the lowest emission,
// and so was I.
bool make_sums_fit(LaneModel<std::int16_t>& model, std::int64_t mark) {
  using Limits = std::numeric_limits<std::int16_t>;
  int lowest_match = 0, lowest_insert = 0, highest_insert = 0;
  for (std::size_t k = 0; k < model.nodes; ++k) {
    const std::int16_t* const matches = model.emissions.data() + 2 * k * kTableCodes;
    const std::int16_t* const inserts = matches + kTableCodes;
    lowest_match = std::min<int>(lowest_match, *std::min_element(matches, matches + model.codes));
    if (k + 1 == model.nodes) break;  // no insert
    lowest_insert = std::min<int>(lowest_insert, *std::min_element(inserts, inserts + model.codes));
    highest_insert = std::max<int>(highest_insert, *std::max_element(inserts, inserts + model.codes));
  }
  int lowest_opening = 0, lowest_loop = 0, lowest_delete_match = 0;
  int highest_step = 0, highest_delete_match = 0;
  for (std::size_t k = 0; k + 1 < model.nodes; ++k) {  // nothing leaves the last node
    const LaneSteps<std::int16_t>& steps = model.steps[k];
    lowest_delete_match = std::min<int>(lowest_delete_match, steps.delete_match.score());
    highest_delete_match = std::max<int>(highest_delete_match, steps.delete_match.score());
    lowest_opening = std::min<int>(lowest_opening, steps.match_insert.score());
    lowest_loop = std::min<int>(lowest_loop, steps.insert_insert.score());
    highest_step =
        std::max({highest_step, int{steps.match_insert.score()}, int{steps.insert_insert.score()}});
  }
  const int lowest_q = model.first_d + lowest_delete_match;
  const int lowest_opened = std::max(lowest_q + lowest_match, int{Limits::min()}) + lowest_opening;
  if (lowest_q < Limits::min() || lowest_opened + lowest_insert + lowest_loop < Limits::min()) return false;
  if (mark - lowest_match + highest_step + highest_insert > Limits::max()) return false;
  if (mark + highest_delete_match > Limits::max()) return false;

  model.sums_fit = true;
  model.separators = kLaneRows;  // so that one is the first of kLaneRows rows
  const auto score = [](int value) { return static_cast<std::int16_t>(value); };
  model.fresh_q = score(lowest_q);
  model.fresh_insert = score(lowest_opened);
  model.first_q = std::max(model.first_q, model.fresh_q);
  // Codes that no residue has, that of separators among them, have the lowest emissions.
  for (std::size_t k = 0; k < model.nodes; ++k) {
    std::int16_t* const matches = model.emissions.data() + 2 * k * kTableCodes;
    std::int16_t* const inserts = matches + kTableCodes;
    std::fill(matches + model.codes, inserts, score(lowest_match));
    const std::size_t codes = k + 1 < model.nodes ? model.codes : 0;
    std::fill(inserts + codes, inserts + kTableCodes, score(lowest_insert));
  }
  model.steps.back() = {score(lowest_opening), score(lowest_loop), score(lowest_delete_match), 0, 0, 0};
  return true;
}

}  // namespace

template <class T>
std::optional<LaneModel<T>> lane_model(const CloseModel<T>& close) {
  std::optional<LaneModel<T>> model = glocal_parameters(close.levelled.striped);
  if (!model) return std::nullopt;
  model->watched = close.watched;
  model->insert_limit = close.insert_limit;
  model->doubtful = model->first_d;  // the D~ that B gives
  return with_separators(std::move(model));
}

template std::optional<LaneModel<std::int16_t>> lane_model(const CloseModel<std::int16_t>&);
template std::optional<LaneModel<std::int32_t>> lane_model(const CloseModel<std::int32_t>&);

std::optional<LaneModel<std::int16_t>> bound_lane_model(const LevelledModel<std::int16_t>& bound) {
  std::optional<LaneModel<std::int16_t>> model = glocal_parameters(bound.striped);
  if (!model || make_sums_fit(*model, bound.mark)) return model;
  const std::int16_t from_begin =
      model->first_d;  // what is below raises few bounds, and bounds may be raised
  return with_separators(std::move(model), from_begin);
}

std::optional<LaneModel<std::int16_t>> lane_model(const LevelledModel<std::int16_t>& exact) {
  std::optional<LaneModel<std::int16_t>> model = common_parameters(exact.striped);
  if (!model) return std::nullopt;
  for (std::size_t k = 0; k < model->nodes; ++k) {
    const std::int16_t* const steps = exact.striped.transitions.data() + k * exact.striped.planes;
    model->steps[k] = {steps[kMatchInsert], steps[kInsertInsert], 0,
                       steps[kMatchDelete], steps[kDeleteDelete], steps[kEntry]};
  }
  return with_separators(std::move(model));
}

}  // namespace gpuhmm::simd
