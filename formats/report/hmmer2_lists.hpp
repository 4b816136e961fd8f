// The parts that hmmsearch's and hmmpfam's reports share: hit lists and alignments (docs/spec/reports.md, 6.3
// to 6.6). Internal to the report writers.
#pragma once

#include <string_view>

#include "gpuhmm/report.hpp"

namespace gpuhmm {

/// Writes the list of targets, the list of domains and the alignments. `ranked` are the hits of `report` in
/// list order. With `show_accessions`, lists show the accession of a target instead of its name if it has
/// one. `threads` threads format the lines.
void write_hit_lists(const TextSink& out, const HitReport& report, ReportKind kind, const HitLists& ranked,
                     bool show_accessions, unsigned threads);

}  // namespace gpuhmm
