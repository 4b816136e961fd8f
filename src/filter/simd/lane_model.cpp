// Makes the parameters of the kernel with one sequence in each lane from striped parameters with a single
// lane.
#include "filter/simd/lane_model.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace gpuhmm::simd {

namespace {

constexpr std::int16_t kLowest = std::numeric_limits<std::int16_t>::min();
constexpr std::int16_t kHighest = std::numeric_limits<std::int16_t>::max();
// With more nodes, state and tables do not fit the first-level cache; exact scores, and bounds, may have more
// in the second.
constexpr std::size_t kMostNodes = 80, kMostExact = 200, kMostOfBounds = 2000;
constexpr std::size_t kMostSeparators = 4;

std::int16_t sum(std::int16_t a, std::int16_t b) {
  return static_cast<std::int16_t>(std::clamp<int>(a + b, kLowest, kHighest));
}

// Whether after this many rows with the lowest emissions the state of a lane is as harmless as the initial
// state, whatever it was before, but for inserts of up to `harmless_insert`. The recurrence is monotone, so
// it is enough to start from the highest state.
bool forgets(const LaneModel& model, std::size_t separators, std::int16_t harmless_insert) {
  std::vector<std::int16_t> q(model.nodes, kHighest), insert(model.nodes, kHighest);
  for (std::size_t row = 0; row < separators; ++row) {
    std::int16_t before = model.first_q;
    std::int16_t del = model.first_d;
    for (std::size_t k = 0; k < model.nodes; ++k) {
      const LaneSteps& steps = model.steps[k];
      const std::int16_t match = sum(model.glocal ? before : std::max(before, steps.entry.first), kLowest);
      const std::int16_t inserted = sum(insert[k], kLowest);
      before = q[k];
      insert[k] = std::max(sum(match, steps.match_insert.first), sum(inserted, steps.insert_insert.first));
      q[k] = std::max({match, inserted, model.glocal ? sum(del, steps.delete_match.first) : del});
      del = model.glocal
                ? std::max(del, match)
                : std::max(sum(del, steps.delete_delete.first), sum(match, steps.match_delete.first));
    }
  }
  for (std::size_t k = 0; k + 1 < model.nodes; ++k) {
    const std::int16_t from_begin =
        model.glocal ? sum(model.first_d, model.steps[k].delete_match.first) : model.steps[k + 1].entry.first;
    if (insert[k] > harmless_insert || q[k] > from_begin) return false;
  }
  return true;
}

// All parameters except the transitions.
std::optional<LaneModel> common_parameters(const StripedModel<std::int16_t>& striped,
                                           std::size_t most_nodes) {
  LaneModel model;
  model.nodes = striped.shape.vectors;
  if (model.nodes > most_nodes || striped.codes > kSeparator) return std::nullopt;
  model.first_q = striped.first_q;
  model.first_d = striped.first_d;
  model.insert_limit = kHighest;
  model.doubtful = kLowest;
  model.steps.resize(model.nodes);
  model.emissions = AlignedBuffer<std::int16_t>(model.nodes * 2 * kTableCodes, kLowest);
  for (std::size_t k = 0; k < model.nodes; ++k) {
    for (std::size_t x = 0; x < striped.codes; ++x) {
      const std::int16_t* const scores = striped.emissions.data() + (x * model.nodes + k) * 2;
      model.emissions[k * 2 * kTableCodes + x] = scores[0];
      model.emissions[(k * 2 + 1) * kTableCodes + x] = scores[1];
    }
  }
  return model;
}

// Adds the number of separators, which depends on the transitions. Nothing if too many would be needed.
std::optional<LaneModel> with_separators(std::optional<LaneModel> model,
                                         std::int16_t harmless_insert = kLowest) {
  for (model->separators = 1; !forgets(*model, model->separators, harmless_insert); ++model->separators) {
    if (model->separators == kMostSeparators) return std::nullopt;
  }
  return model;
}

// The same with the transitions of the glocal recurrence.
std::optional<LaneModel> glocal_parameters(const StripedModel<std::int16_t>& striped,
                                           std::size_t most_nodes) {
  std::optional<LaneModel> model = common_parameters(striped, most_nodes);
  if (!model) return std::nullopt;
  model->glocal = true;
  model->same_inserts = striped.has_same_inserts();
  for (std::size_t k = 0; k < model->nodes; ++k) {
    const std::int16_t* const steps = striped.transitions.data() + k * striped.planes;
    model->steps[k] = {
        steps[kBoundMatchInsert], steps[kBoundInsertInsert], steps[kBoundDeleteMatch], 0, 0, 0};
  }
  return model;
}

}  // namespace

std::optional<LaneModel> lane_model(const CloseModel<std::int16_t>& close) {
  std::optional<LaneModel> model = glocal_parameters(close.levelled.striped, kMostNodes);
  if (!model) return std::nullopt;
  model->watched = close.watched;
  model->insert_limit = close.insert_limit;
  model->doubtful = model->first_d;  // the D~ that B gives
  return with_separators(std::move(model));
}

std::optional<LaneModel> bound_lane_model(const LevelledModel<std::int16_t>& bound) {
  std::optional<LaneModel> model = glocal_parameters(bound.striped, kMostOfBounds);
  if (!model) return std::nullopt;
  const std::int16_t from_begin =
      model->first_d;  // what is below raises few bounds, and bounds may be raised
  return with_separators(std::move(model), from_begin);
}

std::optional<LaneModel> lane_model(const LevelledModel<std::int16_t>& exact) {
  std::optional<LaneModel> model = common_parameters(exact.striped, kMostExact);
  if (!model) return std::nullopt;
  for (std::size_t k = 0; k < model->nodes; ++k) {
    const std::int16_t* const steps = exact.striped.transitions.data() + k * exact.striped.planes;
    model->steps[k] = {steps[kMatchInsert], steps[kInsertInsert], 0,
                       steps[kMatchDelete], steps[kDeleteDelete], steps[kEntry]};
  }
  return with_separators(std::move(model));
}

}  // namespace gpuhmm::simd
