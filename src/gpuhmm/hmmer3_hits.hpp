// What a search or scan with HMMER3 profiles finds (docs/spec/hmmer3/scores-and-hits.md). Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace gpuhmm::hmmer3 {

/// A comparison that HMMER 3.3.2 ends with an exception: its score is no finite number, or the sequence is
/// too long.
class ImpossibleComparison : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The rows of one domain's alignment, one character a column, all of the same length; rf and cs are empty if
/// the profile has none.
struct AlignmentRows {
  std::string cs, rf, model, middle, sequence, posterior;
};

/// How much of the alignments of domains is found out. Nothing else depends on it.
enum class AlignmentDetail : std::uint8_t {
  None,  ///< nothing: Domain's accuracy and the ends of its alignment are not defined, and it has no rows
  Ends,  ///< all but the rows
  Rows,  ///< all
};

/// One domain. Positions and nodes count from 1, inclusive.
struct Domain {
  std::int64_t envelope_from = 0, envelope_to = 0;
  std::int64_t alignment_from = 0, alignment_to = 0;
  int model_from = 0, model_to = 0;
  float envelope_score = 0;  ///< nats, before corrections
  float correction = 0;      ///< sum of null2 scores over the envelope, nats
  float accuracy = 0;        ///< expected number of correctly aligned residues
  float bits = 0;            ///< bit score
  float bias = 0;            ///< null2 correction taken off, nats
  double log_p = 0;          ///< natural logarithm of the P-value
  bool reported = false, included = false;
  AlignmentRows rows;

  /// Mean posterior probability of the aligned residues, as reports show it.
  double mean_accuracy() const {
    const std::int64_t last = envelope_to - envelope_from;
    return static_cast<double>(accuracy) / (1.0 + static_cast<double>(last < 0 ? -last : last));
  }
};

/// One (sequence, profile) pair. The target is the sequence in a search and the profile in a scan.
struct Hit {
  std::string name, accession, description;  ///< of the target; empty if absent
  std::int64_t length = 0;                   ///< of the target: residues or nodes
  std::uint64_t arrival = 0;                 ///< place of the target in its file, from 0
  float score = 0;                           ///< bits
  float score_before_bias = 0;               ///< bits, without the null2 correction
  double log_p = 0;                          ///< natural logarithm of the P-value
  float expected_domains = 0;                ///< posterior expectation of the number of domains
  int regions = 0, clustered = 0, overlaps = 0, envelopes = 0;
  std::vector<Domain> domains;  ///< in the order in which they were found
  std::size_t best = 0;         ///< place of the domain with the largest score
  bool reported = false, included = false;
  int reported_domains = 0, included_domains = 0;

  float bias() const { return score_before_bias - score; }
};

/// How many comparisons there were and how many passed each filter.
struct Counters {
  std::int64_t models = 0, nodes = 0;
  std::int64_t sequences = 0, residues = 0;
  std::int64_t past_msv = 0, past_bias = 0, past_viterbi = 0, past_forward = 0;

  /// Adds the comparisons of others; not models, nodes, sequences and residues.
  void add_passed(const Counters& other) {
    past_msv += other.past_msv;
    past_bias += other.past_bias;
    past_viterbi += other.past_viterbi;
    past_forward += other.past_forward;
  }
};

/// Thresholds of the model's curators that replace all others.
enum class CutoffKind : std::uint8_t { None, Gathering, Noise, Trusted };

/// A threshold by E-value or, if `bits` is set, by score.
struct Threshold {
  double e_value;
  std::optional<double> bits = std::nullopt;
};

/// Which hits are reported and included, and the filters (docs/spec/hmmer3/pipeline.md, 4).
struct Options {
  Threshold report{10.0}, report_domain{10.0}, include{0.01}, include_domain{0.01};
  CutoffKind cutoff = CutoffKind::None;
  std::optional<double> targets;           ///< -Z: number of comparisons for E-values
  std::optional<double> domain_targets;    ///< --domZ
  double f1 = 0.02, f2 = 1e-3, f3 = 1e-5;  ///< P-values that pass the filters
  bool max = false;                        ///< all filters off
  bool bias_filter = true;
  bool null2 = true;        ///< biased-composition correction of scores
  std::uint32_t seed = 42;  ///< of stochastic tracebacks
  /// Ends at least in scan(), which raises it, and for results that are to be joined (gpuhmm/parts.hpp).
  AlignmentDetail alignments = AlignmentDetail::Rows;

  bool includes_by_score() const { return cutoff != CutoffKind::None || include.bits.has_value(); }
};

/// All that is reported for one query.
struct QueryResult {
  std::vector<Hit> hits;  ///< all that were stored, in list order; the columns' widths depend on all of them
  Counters counters;
  double targets = 0;         ///< Z
  double domain_targets = 0;  ///< domZ
  std::int64_t reported = 0;  ///< hits reported

  /// E-values of a P-value's logarithm: of sequences and domains by Z, conditional ones of domains by domZ.
  double e_value(double log_p) const;
  double conditional_e_value(double log_p) const;
};

}  // namespace gpuhmm::hmmer3
