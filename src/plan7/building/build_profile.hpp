// A profile from an alignment, as hmmbuild of HMMER 2.3.2 makes it (docs/spec/building.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan7/building/architecture.hpp"
#include "plan7/building/maximum_entropy.hpp"
#include "plan7/building/profile_prior.hpp"
#include "plan7/building/search_style.hpp"
#include "plan7/building/training_alignment.hpp"
#include "plan7/profile.hpp"
#include "plan7/random.hpp"
#include "plan7/trace.hpp"

namespace gpuhmm {

enum class Weighting { Tree, Clusters, PositionBased, Voronoi, MaximumEntropy, None };
enum class Construction { MostProbable, Fast, Hand };

struct BuildOptions {
  SearchStyle style = SearchStyle::Glocal;
  LocalEnds ends;
  Construction construction = Construction::MostProbable;
  MapOptions map;  ///< also for Fast: the largest part of gaps
  Weighting weighting = Weighting::Tree;
  int position_based_from = 1000;  ///< rows from which on Tree and Clusters become PositionBased
  bool effective_number = true;    ///< weights sum to the number of clusters, not of rows
  float identity = 0.62F;          ///< of rows in one cluster
};

/// Whether rows are weighted for what they are, before a profile is made.
bool weighs_before_building(const BuildOptions& options);

/// Whether rows are weighted by position: asked for, or because there are many.
bool uses_position_based_weights(std::size_t rows, const BuildOptions& options);

/// What came out beside the profile.
struct BuildResult {
  Profile profile;  ///< without names, annotation, log and date
  Profile counts;
  MatchColumns columns;
  std::vector<Trace> traces;
  std::vector<float> scores;  ///< bits, of each row's path in the local style; without a style, that is,
                              ///< by the counts of N, E and C, for Weighting::MaximumEntropy
  std::optional<float> effective_number;
  std::vector<EntropyStep> entropy_steps;  ///< of Weighting::MaximumEntropy
  bool entropy_converged = true;
};

/// Builds a profile. The weights of `alignment` are what they are for Weighting::None, what
/// Weighting::MaximumEntropy begins with, and are set.
/// `reference` is needed for Construction::Hand, and Weighting::Voronoi draws from `random`. Throws
/// std::invalid_argument for alignments that no profile can be made of.
BuildResult build_profile(TrainingAlignment& alignment, std::string_view reference, const ProfilePrior& prior,
                          const NullModel& null, const BuildOptions& options, RandomStream& random);

}  // namespace gpuhmm
