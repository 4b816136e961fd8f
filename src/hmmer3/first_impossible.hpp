// Which pair ends a run: the first one, in HMMER3's order, that cannot be compared.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

#include "gpuhmm/hmmer3_hits.hpp"

namespace gpuhmm::hmmer3 {

/// The first impossible pair of many comparisons that run in any order. Thread-safe.
class FirstImpossible {
 public:
  /// Whether all sequences come before the next profile, or all profiles before the next sequence.
  enum class Order { Search, Scan };

  explicit FirstImpossible(Order order) : order_(order) {}

  /// Whether there is one before this pair, which then need not be compared.
  bool precedes(std::uint64_t profile, std::uint64_t sequence) const;
  /// Takes an impossible pair; the first one stays.
  void add(std::uint64_t profile, std::uint64_t sequence, const ImpossibleComparison& error);

  /// Throws the error of the first one, if there is any.
  void rethrow() const;

 private:
  using Place = std::pair<std::uint64_t, std::uint64_t>;
  Place place(std::uint64_t profile, std::uint64_t sequence) const {
    return order_ == Order::Search ? Place(profile, sequence) : Place(sequence, profile);
  }

  const Order order_;
  std::atomic<bool> any_ = false;
  mutable std::mutex mutex_;  // of all below
  Place first_;
  std::optional<ImpossibleComparison> error_;
};

/// Where a batch and a profile stand in a run.
struct ComparisonPlace {
  FirstImpossible& impossible;
  std::uint64_t profile;           ///< number of the profile
  std::uint64_t sequences_before;  ///< number of the batch's first sequence

  bool is_behind_impossible(std::size_t sequence) const {
    return impossible.precedes(profile, sequences_before + sequence);
  }
  void add_impossible(std::size_t sequence, const ImpossibleComparison& error) const {
    impossible.add(profile, sequences_before + sequence, error);
  }
};

}  // namespace gpuhmm::hmmer3
