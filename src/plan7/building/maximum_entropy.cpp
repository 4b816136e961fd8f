// Computes maximum entropy weights in HMMER's single precision and order of operations: the descent stops
// where scores rounded to 1/1000 bit allow, so last bits influence the weights.
#include "plan7/building/maximum_entropy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "plan7/arithmetic.hpp"
#include "plan7/building/training_alignment.hpp"
#include "plan7/score_model.hpp"
#include "plan7/trace_score.hpp"

namespace gpuhmm {

namespace {

using Values = std::vector<float>;

float sum_of(const Values& values) { return std::accumulate(values.begin(), values.end(), 0.0F); }

/// A point of the descent.
struct Place {
  Values weights, scores;
  float entropy = 0;

  Place(Values w, Values s) : weights(std::move(w)), scores(std::move(s)) {
    for (std::size_t i = 0; i < weights.size(); ++i) entropy += weights[i] * scores[i];
    entropy /= static_cast<float>(weights.size());
  }
};

/// Weights after a step against the gradient: none below 0, and of the same sum.
Values step_from(const Place& place, float size) {
  Values weights;
  for (std::size_t i = 0; i < place.weights.size(); ++i) {
    weights.push_back(std::max(0.0F, place.weights[i] - size * (place.scores[i] - place.entropy)));
  }
  normalise(weights);
  for (float& w : weights) w *= static_cast<float>(weights.size());
  return weights;
}

/// Tries steps, each half as long as the one before, and takes the first that does not climb. Takes the last
/// one if steps get too short or two of them give the same entropy.
Place descend(const Place& from, const RowScores& scores_of) {
  constexpr float kFirstStep = 0.2F, kLeastStep = 1e-6F;
  const auto step = [&](float size) {
    Values weights = step_from(from, size);
    Values scores = scores_of(weights);
    return Place(std::move(weights), std::move(scores));
  };
  Place place = step(kFirstStep);
  for (float size = kFirstStep / 2; place.entropy > from.entropy && size > kLeastStep; size /= 2) {
    const float last = std::exchange(place, step(size)).entropy;
    if (place.entropy == last) break;
  }
  return place;
}

EntropyStep described(const Place& place, std::optional<float> convergence) {
  const auto count = [&place](float bound) {
    return static_cast<int>(std::ranges::count_if(place.weights, [bound](float w) { return w > bound; }));
  };
  EntropyStep step;
  step.average_score = sum_of(place.scores) / static_cast<float>(place.scores.size());
  step.least_score = *std::ranges::min_element(place.scores);
  step.largest_score = *std::ranges::max_element(place.scores);
  step.least_weight = *std::ranges::min_element(place.weights);
  step.largest_weight = *std::ranges::max_element(place.weights);
  step.positive_weights = count(0);
  step.weights_above_one = count(1);
  step.entropy = place.entropy;
  step.convergence = convergence;
  return step;
}

}  // namespace

EntropyWeights maximum_entropy_weights(const std::vector<float>& first, const RowScores& scores_of) {
  constexpr int kIterations = 665;
  constexpr double kConverged = 1e-5;
  Place place(Values(first.size(), 1.0F), first);
  EntropyWeights result;
  result.steps.push_back(described(place, std::nullopt));
  for (int i = 0; i < kIterations && !result.converged; ++i) {
    const float before = place.entropy;
    // once it is not a number it remains so, and the weights do not change
    if (!std::isnan(before)) place = descend(place, scores_of);
    const float convergence = std::fabs((before - place.entropy) / before);
    result.steps.push_back(described(place, convergence));
    result.converged = static_cast<double>(convergence) < kConverged;
  }
  result.weights = std::move(place.weights);
  return result;
}

std::vector<float> whole_scores(const Profile& profile, const TrainingAlignment& alignment,
                                const std::vector<Trace>& traces, const std::vector<float>& weights) {
  const ScoreModel model(profile);
  const auto nodes = static_cast<std::size_t>(profile.nodes);
  Values mean(nodes + 1), visits(nodes + 1), scores;
  for (std::size_t row = 0; row < traces.size(); ++row) {
    const Trace& trace = traces[row];
    const std::vector<std::uint8_t> residues = alignment.residues(row);
    std::int32_t score = 0;
    for (std::size_t s = 0; s + 1 < trace.size(); ++s) {
      const std::int32_t emission = emission_score(model, residues, trace[s]);
      const std::int32_t transition = transition_score(model, profile, trace[s], trace[s + 1]);
      score += emission + transition;
      const std::int32_t node = trace[s].node;
      if (node == 0) continue;
      mean[node] += weights[row] * bits_of(emission);
      mean[node] += weights[row] * bits_of(transition);
      if (trace[s].state != State::I) visits[node] += weights[row];
    }
    scores.push_back(bits_of(score));
  }
  for (std::size_t k = 1; k <= nodes; ++k) mean[k] /= visits[k];
  const float all = sum_of(mean);
  for (std::size_t row = 0; row < traces.size(); ++row) {
    float spanned = 0;
    for (const TraceStep& step : traces[row]) {
      if (step.state == State::M || step.state == State::D) spanned += mean[step.node];
    }
    scores[row] = scores[row] * all / spanned;
  }
  return scores;
}

}  // namespace gpuhmm
