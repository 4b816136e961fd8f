// The alignment of one domain in HMMER3's reports. Internal to the report writers.
#pragma once

#include <optional>
#include <string_view>

#include "gpuhmm/hmmer3_hits.hpp"
#include "gpuhmm/output.hpp"

namespace gpuhmm::hmmer3 {

/// Writes the domain's rows in pieces that fit lines of `width` bytes, or in one piece
/// (docs/spec/hmmer3/reports.md, 5.1). The names are as they are to be shown.
void write_alignment_block(const TextSink& out, const Domain& domain, std::string_view model_name,
                           std::string_view sequence_name, std::optional<int> width);

}  // namespace gpuhmm::hmmer3
