// Which of the registered hits a report shows, and in which order (docs/spec/postprocessing-statistics.md,
// 5.7, 5.8).
#pragma once

#include <span>
#include <vector>

#include "plan7/hits.hpp"

namespace gpuhmm {

/// The two kinds of runs. Search: one profile against many sequences, the targets are sequences (hmmsearch).
/// Scan: one sequence against many profiles, the targets are profiles (hmmpfam).
enum class ReportKind { Search, Scan };

/// Hits in list order. The pointers go into the vectors the lists were made from.
struct HitLists {
  std::vector<const SequenceHit*> sequences;
  std::vector<const DomainHit*> domains;
};

/// All hits in the order of HMMER 2.3.2's lists. Search: best score first. Scan: profiles by P-value, domains
/// by start position in the sequence. Ties keep the order of the arguments, which is that of registration.
HitLists rank_hits(std::span<const SequenceHit> sequences, std::span<const DomainHit> domains,
                   ReportKind kind);

/// The hits of `ranked` that a report shows, in the same order: all writers print exactly these.
/// `database_size` is Z, the factor from P-values to E-values.
HitLists reported_hits(const HitLists& ranked, const Thresholds& thresholds, double database_size);

/// Thresholds of the final report of one hmmpfam query. With model-specific cutoffs those of single profiles
/// apply when hits are registered, and the report itself uses none, unless no profile was registered at all:
/// then HMMER's serial loop still holds the values of the last profile, which are `last_profile`.
Thresholds scan_report_thresholds(const Thresholds& last_profile, bool any_profile_registered);

}  // namespace gpuhmm
