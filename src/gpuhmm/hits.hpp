// The results of a search: hits of whole sequences, of their domains, and their alignments; the selection and
// order of hits in a report (docs/spec/postprocessing-statistics.md, 5.7, 5.8). Plain data.
#pragma once

#include <cfloat>
#include <climits>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gpuhmm {

/// The rows of one domain's alignment, one character per column, all of the same length
/// (docs/spec/reports.md, 6.6). The first and last three columns are the special states.
struct DomainAlignment {
  std::string cs;        ///< consensus structure; empty if the profile has none
  std::string rf;        ///< reference annotation; empty if the profile has none
  std::string model;     ///< consensus of the profile
  std::string middle;    ///< identities and positive scores
  std::string sequence;  ///< aligned residues, `-` for deletions
};

/// One domain of one (sequence, profile) pair. Positions and nodes count from 1, inclusive.
struct DomainHit {
  float score = 0;              ///< bits, null2 correction subtracted
  double p_value = 1;           ///< of `score`
  float sequence_score = 0;     ///< bits of the whole sequence
  double sequence_p_value = 1;  ///< of `sequence_score`
  std::int64_t sequence_from = 0, sequence_to = 0, sequence_length = 0;
  int profile_from = 0, profile_to = 0, profile_length = 0;
  int number = 0, count = 0;                 ///< domain `number` of `count` in its sequence
  float bias = 0;                            ///< null2 correction that was subtracted, bits
  std::string name, accession, description;  ///< of the target: the sequence (search) or the profile (scan)
  std::string query_name;                    ///< of the query: the profile (search) or the sequence (scan)
  DomainAlignment alignment;                 ///< empty rows if alignments are off
  std::size_t trace_columns = 0;             ///< columns of the alignment, even if its rows are empty
  std::uint64_t target_index = 0;            ///< of the target in input order, as in its SequenceHit
};

/// One (sequence, profile) pair that passed the thresholds.
struct SequenceHit {
  float score = 0;     ///< bits, sum of the domains kept
  double p_value = 1;  ///< of `score`
  int domain_count = 0;
  std::int64_t sequence_length = 0;
  std::string name, accession, description;  ///< of the target
  std::uint64_t target_index = 0;            ///< of the target in input order; distinguishes equal names
};

/// Hits in registration order: targets as in their file, domains in sequence order.
struct RegisteredHits {
  std::vector<SequenceHit> sequences;
  std::vector<DomainHit> domains;
};

/// Which score cut-offs of a profile serve as thresholds.
enum class CutoffKind { None, Gathering, Noise, Trusted };

/// Reporting thresholds and the options that change scores (docs/spec/postprocessing-statistics.md, 5.7;
/// docs/spec/options.md, 8.2). As in HMMER, extreme numbers stand for "no threshold".
struct Thresholds {
  double sequence_e = 10;       ///< globE; DBL_MAX or FLT_MAX = none
  float sequence_t = -FLT_MAX;  ///< globT, bits
  double domain_e = FLT_MAX;    ///< domE
  float domain_t = -FLT_MAX;    ///< domT, bits
  CutoffKind cutoff = CutoffKind::None;
  std::optional<double> database_size;  ///< -Z; 0: the number of targets
  bool null2 = true;                    ///< biased-composition correction
  bool xnu = false;                     ///< mask repeats
  bool forward = false;                 ///< Forward score for whole sequences
};

/// The values that stand for "no threshold".
inline constexpr double kNoEvalue = FLT_MAX;
inline constexpr float kNoScore = -FLT_MAX;

/// The two kinds of runs. Search: one profile against many sequences, the targets are sequences (hmmsearch).
/// Scan: one sequence against many profiles, the targets are profiles (hmmpfam).
enum class ReportKind { Search, Scan };

/// Hits in list order. The pointers refer to the vectors that the lists were made from.
struct HitLists {
  std::vector<const SequenceHit*> sequences;
  std::vector<const DomainHit*> domains;
};

/// Sorts all hits as HMMER 2.3.2's lists do. Search: best score first. Scan: profiles by P-value, domains by
/// start position in the sequence. Ties keep the order of the arguments, which is registration order.
HitLists rank_hits(std::span<const SequenceHit> sequences, std::span<const DomainHit> domains,
                   ReportKind kind);

/// Selects the hits of `ranked` that a report shows, in the same order; all writers print exactly these.
/// `database_size` is Z, the factor from P-values to E-values.
HitLists reported_hits(const HitLists& ranked, const Thresholds& thresholds, double database_size);

/// Thresholds of the final report of one hmmpfam query. With model-specific cutoffs, hits are filtered by
/// each profile's own when they are registered, and the report itself applies none. Exception: if no profile
/// was registered at all, HMMER's serial loop still holds the values of the last profile, `last_profile`.
Thresholds scan_report_thresholds(const Thresholds& last_profile, bool any_profile_registered);

}  // namespace gpuhmm
