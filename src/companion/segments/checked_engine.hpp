// Looks at the segments that devices find before they are believed, with the host behind them.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "companion/segments/engine.hpp"
#include "companion/segments/regions.hpp"

namespace gpuhmm {

/// An engine that asks `devices` and gives their answers if each segment lies in the vector, in order, with
/// the sum of its elements, and no sum in some parts of the vector is larger. After a wrong answer, reported
/// once through `warn`, `host` gives this answer and all later ones.
std::unique_ptr<SegmentEngine> make_checked_segment_engine(std::unique_ptr<SegmentEngine> devices,
                                                           std::unique_ptr<SegmentEngine> host,
                                                           std::function<void(const std::string&)> warn);

/// Throws WrongDeviceResult unless the regions of each sequence lie in it, in order, with the scores of their
/// residues, and those of some sequences are what find_regions gives.
void check_regions(const SequenceBatch& batch, const ResidueScores& scores, const RegionFilter& filter,
                   const std::vector<std::vector<Region>>& found, unsigned threads);

}  // namespace gpuhmm
