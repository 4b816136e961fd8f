// What a device scores while its kernel settings are tried.
#pragma once

#include <cstddef>
#include <vector>

#include "gpuhmm/sequence.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {

/// What is scored with every choice of settings.
struct TuningWork {
  SequenceBatch sequences;
  std::vector<ScoreModel> models;
};

/// Random proteins with about the lengths of Swiss-Prot (the longest has 35,213 residues if there are more
/// than 10,000) and random models, local and glocal, of 40 to 500 nodes. The same for the same number.
TuningWork synthetic_work(std::size_t sequences);

}  // namespace gpuhmm
