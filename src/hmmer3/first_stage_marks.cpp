// Solves the first stage's decisions for SSV's maximum.
#include "hmmer3/first_stage_marks.hpp"

#include <algorithm>
#include <cmath>

#include "hmmer3/arithmetic.hpp"
#include "hmmer3/filters.hpp"
#include "hmmer3/null_model.hpp"

namespace gpuhmm::hmmer3 {

LengthTerms::LengthTerms(std::int64_t of_length)
    : length(of_length), move_cost(ByteModel::move_cost(of_length)), null_score(NullModel(of_length).score) {}

std::optional<FirstStageMarks> FirstStageMarks::make(const ByteModel& model, const Statistics& statistics,
                                                     double f1) {
  constexpr double kMostPassing = 0.5, kLeastP = 1e-200;
  // Rounding moves a score by less than 1/1000 bit; levels are 1/3 bit apart.
  constexpr double kMargin = 0.01;
  constexpr double kLeastLambda = 0.01, kMostLambda = 100, kMostMu = 1e4;
  const float mu = statistics.msv_mu, lambda = statistics.msv_lambda;
  const bool usual = lambda >= kLeastLambda && lambda <= kMostLambda && std::fabs(mu) <= kMostMu;
  if (!usual || !(f1 <= kMostPassing)) return std::nullopt;
  return FirstStageMarks(model, gumbel_bits(std::max(f1, kLeastP), mu, lambda) - kMargin);
}

int FirstStageMarks::least_rise(const LengthTerms& terms) const {
  if (!ssv_applies_at(*model_, terms.move_cost)) return 0;
  constexpr double kFar = 1e6;
  // J of a rise is rise + kBase - costs.
  const int to_level = terms.move_cost + model_->begin_cost - ByteModel::kBase;
  const int to_j = to_level + model_->end_cost;
  const double nats = least_bits_ * kLn2 + static_cast<double>(terms.null_score) + 3;
  const double passing_j =
      nats * static_cast<double>(ByteModel::scale()) + ByteModel::kBase + terms.move_cost;
  const int passes = static_cast<int>(std::ceil(std::clamp(passing_j, -kFar, kFar))) + to_j;
  const int needs_msv = ByteModel::kBase + 1 + to_j;
  const int overflows = std::min(255 - model_->bias + to_level, -1 - model_->bias - kSsvFloor);
  return std::max(0, std::min({passes, needs_msv, overflows}));
}

}  // namespace gpuhmm::hmmer3
