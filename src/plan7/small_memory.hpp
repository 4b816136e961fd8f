// Alignment without the full matrix: a two-row pass that finds where domains begin and end, and
// divide-and-conquer alignment of one domain (docs/spec/viterbi-and-traceback.md, 4.5, 4.6). Among equally
// good paths they choose others than the full matrix does, so an exact result depends on when they are used.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gpuhmm/profile.hpp"
#include "gpuhmm/trace.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {

/// Residues of one domain: begin + 1 .. end, counted from 1.
struct DomainSpan {
  std::int32_t begin = 0;
  std::int32_t end = 0;

  /// These residues of a sequence.
  std::span<const std::uint8_t> of(std::span<const std::uint8_t> residues) const {
    return residues.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  }

  friend bool operator==(const DomainSpan&, const DomainSpan&) = default;
};

/// Optimal score (1/1000 bit, that of viterbi_score for any sequence that has a path) and the segments of the
/// path, in sequence order; no segments if there is no path.
struct SegmentParse {
  std::int32_t score = 0;
  std::vector<DomainSpan> segments;
};

/// The two-row pass over a whole sequence: O(L M) time, O(L + M) memory.
SegmentParse parse_segments(const ScoreModel& model, std::span<const std::uint8_t> residues);

/// Optimal path of a sequence with exactly one domain by divide and conquer: O(L M) time, O(L + M) memory.
/// Nothing if no path exists. Positions count from the first of `residues`.
std::optional<Trace> align_segment(const ScoreModel& model, const Profile& profile,
                                   std::span<const std::uint8_t> residues);

}  // namespace gpuhmm
