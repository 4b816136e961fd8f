// Checks the segments that devices find, and repeats the search on the host if they are wrong.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "companion/segments/engine.hpp"
#include "companion/segments/regions.hpp"

namespace gpuhmm {

/// An engine that returns the answers of `devices` after checking them: every segment lies in the vector, in
/// order, its score is the sum of its elements, and no segment in a sample of the vector has a larger sum.
/// After a wrong answer, which is reported once through `warn`, `host` computes this answer and all later
/// ones.
std::unique_ptr<SegmentEngine> make_checked_segment_engine(std::unique_ptr<SegmentEngine> devices,
                                                           std::unique_ptr<SegmentEngine> host,
                                                           std::function<void(const std::string&)> warn);

/// Checks the regions that devices found in a batch, one list per sequence, on `threads` threads. Throws
/// WrongDeviceResult unless all regions lie in their sequences, in order, with the score of their residues,
/// and those of a sample of the sequences equal the result of find_regions.
void check_regions(const SequenceBatch& batch, const ResidueScores& scores, const RegionFilter& filter,
                   const std::vector<std::vector<Region>>& found, unsigned threads);

}  // namespace gpuhmm
