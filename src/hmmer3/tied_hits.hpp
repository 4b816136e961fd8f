// The order of hits that only their alignments decide, for a search that does not align
// (AlignmentDetail::None).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpuhmm/hmmer3_hits.hpp"
#include "hmmer3/search_profile.hpp"

namespace gpuhmm::hmmer3 {

/// Sets the ends of the alignments of the first domains of hits with the same name and score, as far as
/// finish_hits() needs them for their order. `envelopes`: of each hit the residues of its first domain's
/// envelope.
void align_tied_hits(const SearchProfile& query, const Options& options, std::span<Hit> hits,
                     std::span<const std::vector<std::uint8_t>> envelopes);

}  // namespace gpuhmm::hmmer3
