// Runs the steps from an alignment to a profile.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "gpuhmm/build.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/building/architecture.hpp"
#include "plan7/building/dirichlet_prior.hpp"
#include "plan7/building/maximum_entropy.hpp"
#include "plan7/building/search_style.hpp"
#include "plan7/building/sequence_weights.hpp"
#include "plan7/building/training_alignment.hpp"
#include "plan7/building/training_traces.hpp"
#include "plan7/score_model.hpp"
#include "plan7/trace_score.hpp"

namespace gpuhmm {

namespace {

float sum_of(const std::vector<float>& values) { return std::accumulate(values.begin(), values.end(), 0.0F); }

std::vector<float> weights_of(const TrainingAlignment& alignment, const BuildOptions& options,
                              RandomStream& random) {
  if (!weighs_before_building(options)) return alignment.weights;
  if (uses_position_based_weights(alignment.rows.size(), options)) {
    return position_based_weights(alignment.rows);
  }
  if (options.weighting == Weighting::Voronoi) return voronoi_weights(alignment.rows, random);
  return options.weighting == Weighting::Clusters ? cluster_weights(alignment.rows, options.identity)
                                                  : tree_weights(alignment.rows);
}

MatchColumns columns_of(const TrainingAlignment& alignment, std::string_view reference,
                        const ProfilePrior& prior, const NullModel& null, const BuildOptions& options) {
  switch (options.construction) {
    case Construction::Fast:
      return columns_without_many_gaps(alignment, options.map.largest_gap_part);
    case Construction::Hand:
      return columns_by_hand(reference);
    case Construction::MostProbable:
      break;
  }
  return most_probable_columns(alignment, prior, null, options.map);
}

/// Turns counts into probabilities, except those that the search style sets.
Profile probabilities(const Profile& counts, const ProfilePrior& prior, const NullModel& null,
                      GammaFunction gamma) {
  Profile profile = counts;
  profile.null_loop = null.loop;
  profile.null_emission = null.emission;
  const auto residues = static_cast<std::size_t>(profile.residues());
  for (int k = 1; k <= profile.nodes; ++k) {
    const auto row = [&](std::vector<float>& table) {
      return std::span<float>(table).subspan(static_cast<std::size_t>(k) * residues, residues);
    };
    apply_match_prior(row(profile.match), prior, gamma);
    if (k == profile.nodes) continue;
    apply_prior(row(profile.insert), prior.insert, gamma);
    apply_prior(profile.transition[k], prior.transitions);
  }
  const auto starts = static_cast<double>(counts.begin[1]);
  const auto all_starts = static_cast<double>(counts.begin[1] + 2.0F);
  profile.begin.assign(profile.begin.size(), 0.0F);
  profile.end.assign(profile.end.size(), 0.0F);
  profile.begin[1] = static_cast<float>((starts + 1.0) / all_starts);
  profile.begin_delete = static_cast<float>(1.0 / all_starts);
  profile.renormalise();
  return profile;
}

std::vector<float> row_scores(const TrainingAlignment& alignment, const BuildResult& result) {
  const ScoreModel model(result.profile);
  std::vector<float> scores;
  for (std::size_t i = 0; i < result.traces.size(); ++i) {
    scores.push_back(bits_of(trace_score(model, result.profile, alignment.residues(i), result.traces[i])));
  }
  return scores;
}

/// Scales weights to the sum `wanted`.
void scale_weights(std::vector<float>& weights, float wanted) {
  const float sum = sum_of(weights);
  for (float& w : weights) w = w / sum * wanted;
}

/// Computes maximum entropy weights, starting from the current profile, and rebuilds the profile.
void weigh_by_entropy(TrainingAlignment& alignment, BuildResult& result, const ProfilePrior& prior,
                      NullModel null, GammaFunction gamma, float wanted) {
  const auto scores_of = [&](const std::vector<float>& weights) {
    Profile local = result.profile;
    configure(local, SearchStyle::LocalSingle);
    return whole_scores(local, alignment, result.traces, weights);
  };
  const auto remake = [&] {
    null.emission = result.profile.null_emission;  // HMMER normalises it each time, which changes last bits
    result.profile =
        probabilities(count_traces(alignment, result.traces, result.profile.nodes), prior, null, gamma);
  };
  const std::vector<float> first = scores_of(std::vector<float>(alignment.rows.size(), 1.0F));
  // HMMER would use uninitialised memory as weights in this case.
  if (std::isnan(first.front())) {
    throw std::invalid_argument("has a match column that no row spans; rows cannot be weighted by entropy");
  }
  EntropyWeights found = maximum_entropy_weights(first, [&](const std::vector<float>& weights) {
    alignment.weights = weights;
    remake();
    return scores_of(weights);
  });
  alignment.weights = std::move(found.weights);
  scale_weights(alignment.weights, wanted);
  remake();
  result.entropy_steps = std::move(found.steps);
  result.entropy_converged = found.converged;
}

}  // namespace

bool weighs_before_building(const BuildOptions& options) {
  return options.weighting != Weighting::None && options.weighting != Weighting::MaximumEntropy;
}

bool uses_position_based_weights(std::size_t rows, const BuildOptions& options) {
  return options.weighting == Weighting::PositionBased ||
         (weighs_before_building(options) && static_cast<std::int64_t>(rows) >= options.position_based_from);
}

BuildResult build_profile(TrainingAlignment& alignment, std::string_view reference, const ProfilePrior& prior,
                          const NullModel& null, const BuildOptions& options, RandomStream& random) {
  BuildResult result;
  float wanted = static_cast<float>(alignment.rows.size());
  if (options.effective_number && alignment.alphabet == AlphabetKind::Amino) {
    wanted = sum_of(cluster_weights(alignment.rows, options.identity));
    result.effective_number = wanted;
  }
  alignment.weights = weights_of(alignment, options, random);
  scale_weights(alignment.weights, wanted);

  result.columns = columns_of(alignment, reference, prior, null, options);
  result.traces = training_traces(alignment, result.columns);
  result.counts =
      count_traces(alignment, result.traces, static_cast<int>(std::ranges::count(result.columns, true)));
  result.profile = probabilities(result.counts, prior, null, options.map.gamma);
  if (options.weighting == Weighting::MaximumEntropy) {
    weigh_by_entropy(alignment, result, prior, null, options.map.gamma, wanted);
  } else {
    configure(result.profile, SearchStyle::LocalSingle);
  }
  result.scores = row_scores(alignment, result);
  configure(result.profile, options.style, options.ends);
  return result;
}

}  // namespace gpuhmm
