// Exponentials of the log-odds scores, in stripes.
#include "hmmer3/float_model.hpp"

#include <algorithm>

#include "hmmer3/arithmetic.hpp"

namespace gpuhmm::hmmer3 {

namespace {

// `hits`: expected number of domains beyond the first.
LengthModel length_model(std::int64_t length, float hits) {
  LengthModel model;
  model.move = (2.0F + hits) / ((static_cast<float>(length) + 2.0F) + hits);
  model.loop = 1.0F - model.move;
  return model;
}

}  // namespace

LengthModel LengthModel::multihit(std::int64_t length) { return length_model(length, 1); }

LengthModel LengthModel::unihit(std::int64_t length) {
  LengthModel model = length_model(length, 0);
  model.end_to_c = 1;
  model.end_to_j = 0;
  return model;
}

FloatModel::FloatModel(int nodes, std::size_t codes)
    : nodes_(nodes),
      steps_(std::max<std::size_t>(2, (static_cast<std::size_t>(nodes_) - 1) / kStripes + 1)),
      codes_(codes),
      places_(steps_ * kStripes + 1),
      transitions_(steps_ * kSteps * kStripes, 0.0F),
      emissions_(codes_ * steps_ * kStripes, 0.0F) {
  for (int k = 1; k <= static_cast<int>(steps_ * kStripes); ++k) {
    places_[k] = static_cast<std::uint32_t>(step_of(k) * kStripes + stripe_of(k));
  }
}

FloatModel::FloatModel(const LogOdds& scores) : FloatModel(scores.nodes, scores.codes) {
  for (int k = 1; k <= nodes_; ++k) {
    for (std::size_t step = 0; step < kSteps; ++step) {
      transitions_[(step_of(k) * kSteps + step) * kStripes + stripe_of(k)] =
          polynomial_exp(step_score(scores, static_cast<Step>(step), k));
    }
    for (std::size_t code = 0; code < codes_; ++code) {
      emissions_[(code * steps_ + step_of(k)) * kStripes + stripe_of(k)] =
          polynomial_exp(scores.match_score(code, k));
    }
  }
}

}  // namespace gpuhmm::hmmer3
