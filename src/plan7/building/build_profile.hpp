// A profile from an alignment, as hmmbuild of HMMER 2.3.2 makes it (docs/spec/building.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan7/building/profile_prior.hpp"
#include "plan7/profile.hpp"
#include "plan7/random.hpp"
#include "plan7/trace.hpp"

namespace gpuhmm {

/// Rows of the same length with their weights. Letters are in upper case.
struct TrainingAlignment {
  AlphabetKind alphabet = AlphabetKind::Amino;
  std::vector<std::string> rows;  ///< residues and gaps
  std::vector<float> weights;     ///< one a row

  std::size_t columns() const { return rows.front().size(); }
  /// The residues of a row as codes, gaps left out.
  std::vector<std::uint8_t> residues(std::size_t row) const;
  const Alphabet& letters() const { return Alphabet::get(alphabet); }
};

/// HMMER 2's styles of search.
enum class SearchStyle {
  Glocal,        ///< ls: several domains, each whole
  Local,         ///< fs: several domains or parts of them
  GlocalSingle,  ///< g: one whole domain
  LocalSingle,   ///< s: one domain or a part of it
};

/// Probabilities of local styles that a domain begins behind its first node, and ends before its last.
struct LocalEnds {
  float entry = 0.5F;
  float exit = 0.5F;
};

/// A flag for each column of an alignment: whether it becomes a match state.
using MatchColumns = std::vector<bool>;

/// Null model: the probability of a residue after a residue, and the residues' frequencies.
struct NullModel {
  float loop = 0;
  std::vector<float> emission;

  /// That of HMMER 2.3.2.
  static NullModel standard(AlphabetKind alphabet);
};

/// How the most probable architecture is found.
struct MapOptions {
  float column_prior = 0.85F;  ///< probability a priori of one more match column
  float largest_gap_part = 0.5F;
  GammaFunction gamma = GammaFunction::Debian;
};

/// One iteration of maximum entropy weighting. Scores are in bits.
struct EntropyStep {
  float average_score = 0, least_score = 0, largest_score = 0;
  float least_weight = 0, largest_weight = 0;
  int positive_weights = 0, weights_above_one = 0;
  float entropy = 0;                 ///< weighted mean of the scores: the relative entropy
  std::optional<float> convergence;  ///< the part of it that it changed by; none at the start
};

/// How rows are weighted.
enum class Weighting { Tree, Clusters, PositionBased, Voronoi, MaximumEntropy, None };
/// How match columns are chosen.
enum class Construction { MostProbable, Fast, Hand };

/// How a profile is built.
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
