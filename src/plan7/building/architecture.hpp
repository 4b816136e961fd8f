// Which columns of an alignment become match states (docs/spec/building.md, 9.6).
#pragma once

#include <string_view>
#include <vector>

#include "plan7/building/profile_prior.hpp"
#include "plan7/building/training_alignment.hpp"

namespace gpuhmm {

/// A flag for each column. Functions throw std::invalid_argument if no column qualifies.
using MatchColumns = std::vector<bool>;

/// Columns in which at most the part `largest_gap_part` of the rows' weight are gaps.
MatchColumns columns_without_many_gaps(const TrainingAlignment& alignment, float largest_gap_part);

/// Columns that have no gap in the reference annotation.
MatchColumns columns_by_hand(std::string_view reference);

/// Null model: the probability of a residue after a residue, and the residues' frequencies.
struct NullModel {
  float loop = 0;
  std::vector<float> emission;

  /// That of HMMER 2.3.2.
  static NullModel standard(AlphabetKind alphabet);
};

struct MapOptions {
  float column_prior = 0.85F;  ///< probability a priori of one more match column
  float largest_gap_part = 0.5F;
  GammaFunction gamma = GammaFunction::Debian;
};

/// The most probable architecture a posteriori (Durbin et al., Biological Sequence Analysis, 5.7).
MatchColumns most_probable_columns(const TrainingAlignment& alignment, const ProfilePrior& prior,
                                   const NullModel& null, const MapOptions& options);

}  // namespace gpuhmm
