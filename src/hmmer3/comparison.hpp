// Comparisons of one profile with a batch of sequences: the filters, then domains and scores
// (docs/spec/hmmer3/pipeline.md, 3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "gpuhmm/hmmer3_hits.hpp"
#include "gpuhmm/sequence.hpp"
#include "hmmer3/envelope_task.hpp"
#include "hmmer3/first_impossible.hpp"
#include "hmmer3/first_stage_marks.hpp"
#include "hmmer3/regions.hpp"
#include "hmmer3/search_profile.hpp"
#include "hmmer3/traceback_ensemble.hpp"
#include "hmmer3/viterbi_limits.hpp"

namespace gpuhmm::hmmer3 {

/// The longest sequence that HMMER3 compares, in residues.
inline constexpr std::size_t kLongestSequence = 100'000;

/// How far a pair came.
enum class Stage : std::uint8_t { Nothing, Msv, Bias, Viterbi, Forward };

/// The stage that a pair needs next.
enum class Next : std::uint8_t { Bias, Msv, Viterbi, Forward, Domains };

/// What a batch gives.
struct Comparisons {
  std::vector<Stage> stages;                      ///< of each sequence
  std::vector<std::pair<std::size_t, Hit>> hits;  ///< place in the batch, rising, and the hit without names
};

/// The P-value that passes the first filter.
double first_threshold(const Options& options);

/// Compares a profile with all sequences of a batch, in steps, so that threads and devices can share what the
/// filters of many profiles leave. Query, batch, options and what `place` refers to must outlive the
/// comparison. Pairs that HMMER3 ends with an exception for, as those with a sequence above kLongestSequence,
/// go to place.impossible by their names; those behind them are not compared.
class StagedComparison {
 public:
  /// `found`, if there is one: the sequences that may pass SSV with marks for first_threshold, in the order
  /// of the batch; all others fail. `only_first`: filter() ends behind SSV.
  StagedComparison(const SearchProfile& query, const SequenceBatch& batch, const Options& options,
                   const ComparisonPlace& place, std::optional<std::vector<SsvFinding>> found = std::nullopt,
                   bool only_first = false);
  ~StagedComparison();

  /// Into how many parts the sequences are divided for the filters.
  std::size_t filter_parts() const;
  /// Runs the filters in front of Forward for a part: once for each, in any order, from any threads at a
  /// time.
  void filter(std::size_t part);
  /// Call once when filter() has returned for all parts, before what follows.
  void end_filters();

  const SearchProfile& profile() const;
  /// Of sampled tracebacks.
  std::uint32_t seed() const;
  /// The pairs that are left, the longest sequence first.
  std::size_t pairs() const;
  /// The sequence of pair `n`, by its number in the batch.
  std::size_t sequence(std::size_t n) const;
  /// The stage that pair `n` needs next; nothing if it has failed. Not while the pair takes a result.
  std::optional<Next> next(std::size_t n) const;
  /// Roughly the bias scores, nats, with which pair `n`, whose next stage is Bias, needs its Viterbi score
  /// next, and when that passes.
  ViterbiLimits needs_viterbi(std::size_t n) const;
  /// Take scores, nats, of a pair's next stage; true if it passes. Any thread may call these, and the next.
  bool take_bias(std::size_t n, float score);
  bool take_msv(std::size_t n, float score);
  bool take_viterbi(std::size_t n, float score);
  /// The same if the score is at least this; a pair that does not pass stays as it is.
  bool take_viterbi_bound(std::size_t n, float least);
  bool take_forward(std::size_t n, float score);
  /// Takes the regions of a pair that passes Forward.
  void take_regions(std::size_t n, Regions&& regions);
  /// Forgets the pairs that failed, which gives the others new numbers. Not while other calls run.
  void drop_failed();

  /// Into how many parts the sequences that are left are divided.
  std::size_t parts() const;
  /// The size of a part: nodes times residues.
  double cells(std::size_t part) const;
  /// The steps of a part in front of complete(), each once for each part if at all, in this order: what
  /// comes before domains, and their regions; of regions with several domains devices may sample tracebacks;
  /// then envelopes, which devices may score.
  void find_regions(std::size_t part);
  std::span<RegionTask> regions(std::size_t part);
  void find_envelopes(std::size_t part);
  std::span<EnvelopeTask> envelopes(std::size_t part);
  /// All that a part still needs: once for each, in any order, from any threads at a time.
  void complete(std::size_t part);
  /// The outcome after all parts; call once.
  Comparisons results();

 private:
  class State;
  std::unique_ptr<State> state_;
};

using StagedComparisons = std::vector<std::unique_ptr<StagedComparison>>;

/// What the first filter needs of a profile. What refers must outlive the comparison.
struct FirstFilter {
  std::string_view name;  ///< of the profile
  const Statistics& statistics;
  const StripedBytes& costs;
  /// Gives the whole profile, which must live until the comparison ends; called once by one thread if a
  /// sequence passes the filter.
  std::function<const SearchProfile&()> whole;
};

/// Compares a profile of which only a part is at hand with all sequences of the batch, over `threads`
/// threads; `place` as for StagedComparison. Throws what `query.whole` throws.
Comparisons compare(const FirstFilter& query, const SequenceBatch& batch, const Options& options,
                    const ComparisonPlace& place, unsigned threads);

}  // namespace gpuhmm::hmmer3
