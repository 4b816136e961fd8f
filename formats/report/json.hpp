// Hits as JSON, one object a line. The keys are described in docs/json.md.
#pragma once

#include <cstdint>
#include <string>

#include "formats/report/text_sink.hpp"
#include "plan7/hits.hpp"
#include "plan7/reporting.hpp"

namespace gpuhmm {

/// What the objects say about the query.
struct JsonQuery {
  std::string name, accession, description;  ///< of the profile (search) or the sequence (scan); empty = none
  std::int64_t length = 0;                   ///< nodes or residues
};

/// Writes one line for each target in `reported`, in its order, with the reported domains of that target.
/// Bytes that are not valid UTF-8 are replaced. Throws std::logic_error if two targets have the same
/// target_index.
void write_json_hits(const TextSink& out, ReportKind kind, const JsonQuery& query, const HitLists& reported,
                     double database_size);

}  // namespace gpuhmm
