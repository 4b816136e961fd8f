// How long aligning takes.
#pragma once

namespace gpuhmm {

/// Seconds that threads spent aligning, summed over them.
struct AlignmentTimes {
  double fill = 0;       ///< scores of the cells
  double traceback = 0;  ///< paths, and what is made of them
};

}  // namespace gpuhmm
