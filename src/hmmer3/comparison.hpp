// Comparisons of one profile with a batch of sequences: the filters, then domains and scores
// (docs/spec/hmmer3/pipeline.md, 3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "gpuhmm/hmmer3_hits.hpp"
#include "gpuhmm/sequence.hpp"
#include "hmmer3/first_stage_marks.hpp"
#include "hmmer3/forward_backward.hpp"
#include "hmmer3/search_profile.hpp"

namespace gpuhmm::hmmer3 {

/// The longest sequence that HMMER3 compares, in residues.
inline constexpr std::size_t kLongestSequence = 100'000;

/// How far a pair came.
enum class Stage : std::uint8_t { Nothing, Msv, Bias, Viterbi, Forward };

/// What a batch gives.
struct Comparisons {
  std::vector<Stage> stages;                      ///< of each sequence
  std::vector<std::pair<std::size_t, Hit>> hits;  ///< place in the batch, rising, and the hit without names
};

/// The P-value that passes the first filter.
double first_threshold(const Options& options);

/// Compares a profile with all sequences of a batch, in steps, so that threads and devices can share what the
/// filters of many profiles leave. Query, batch and options must outlive the comparison.
class StagedComparison {
 public:
  /// `found`, if there is one: the sequences that may pass SSV with marks for first_threshold, in the order
  /// of the batch; all others fail.
  StagedComparison(const SearchProfile& query, const SequenceBatch& batch, const Options& options,
                   std::optional<std::vector<SsvFinding>> found = std::nullopt);
  ~StagedComparison();

  /// Into how many parts the sequences are divided for the filters.
  std::size_t filter_parts() const;
  /// Runs the filters in front of Forward for a part: once for each, in any order, from any threads at a
  /// time. Throws ImpossibleComparison, whose text names the pair, for one that HMMER3 ends with an exception
  /// for, and for a sequence above kLongestSequence.
  void filter(std::size_t part);
  /// Call once when filter() has returned for all parts, before what follows.
  void end_filters();

  const SearchProfile& profile() const;
  /// The sequences that are left, by their numbers in the batch, the longest first.
  std::vector<std::size_t> left() const;
  /// Takes the Forward score, nats, of number `n` of those that are left; true if it passes. Any thread may
  /// call this and the next.
  bool take_forward(std::size_t n, float score);
  /// Takes the rows of one that passes: complete() need not run Forward and Backward.
  void take_rows(std::size_t n, const SweptRows& rows);

  /// Into how many parts the sequences that are left are divided.
  std::size_t parts() const;
  /// The size of a part: nodes times residues.
  double cells(std::size_t part) const;
  /// Forward, if it is not known, and all that follows for a part: once for each, in any order, from any
  /// threads at a time. Throws as filter().
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
/// threads. Throws as StagedComparison, and what `query.whole` throws.
Comparisons compare(const FirstFilter& query, const SequenceBatch& batch, const Options& options,
                    unsigned threads);

}  // namespace gpuhmm::hmmer3
