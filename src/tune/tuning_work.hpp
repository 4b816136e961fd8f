// The synthetic models and sequences with which kernel settings are tried.
#pragma once

#include <cstddef>
#include <vector>

#include "gpuhmm/sequence.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {

/// All models are scored with all sequences.
struct TuningWork {
  SequenceBatch sequences;
  std::vector<ScoreModel> models;
};

/// Random proteins with about the lengths of Swiss-Prot (the longest has 35,213 residues if there are more
/// than 10,000) and random models, local and glocal, of 40 to 500 nodes. The result depends only on
/// `sequences`.
TuningWork synthetic_work(std::size_t sequences);

}  // namespace gpuhmm
