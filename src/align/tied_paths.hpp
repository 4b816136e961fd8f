// All best paths of one segment, read from the record of a sweep, and HMMER's choice among them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "align/grid_model.hpp"
#include "align/predecessors.hpp"
#include "align/tile_cells.hpp"
#include "plan7/segment_path.hpp"
#include "plan7/small_memory.hpp"

namespace gpuhmm::grid {

/// The record of a sequence whose score is proven. All members but the segment outlive their users.
struct RecordedSegment {
  const ScoreModel& model;
  TileCells& cells;                        ///< of the whole record
  std::span<const std::uint8_t> residues;  ///< of the whole record
  DomainSpan span;                         ///< a segment as parse_segments() finds it
};

/// The emissions (index 0 unused) that align_segment() gives the segment; nothing if the record does not
/// prove them: if N, J and C loops differ or if there are too many best paths.
std::optional<std::vector<Emission>> small_memory_emissions(const RecordedSegment& segment);

/// The emissions that the traceback through the segment's full matrix gives; nothing if the loops differ or
/// if the traceback leaves the segment or its only domain.
std::optional<std::vector<Emission>> full_matrix_emissions(const RecordedSegment& segment);

}  // namespace gpuhmm::grid
