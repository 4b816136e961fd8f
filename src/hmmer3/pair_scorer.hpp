// The stages behind SSV for many pairs of a model and a sequence, as a device computes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gpuhmm/sequence.hpp"
#include "hmmer3/regions.hpp"
#include "hmmer3/search_profile.hpp"
#include "hmmer3/viterbi_limits.hpp"

namespace gpuhmm::hmmer3 {

/// A profile and the sequences that it is compared with, by their numbers in the batch, the longest first.
/// `profile` must outlive it.
struct PairQuery {
  const SearchProfile* profile;
  std::vector<std::uint32_t> sequences;
};

/// Takes the score, nats, of the pair of a query and its sequence number `n`. Called in any order, from
/// several threads at a time. Pairs that are never named are left to the host.
using TakeScore = std::function<void(std::size_t query, std::size_t n, float score)>;

/// Takes a Viterbi score, nats, in the same way. If it is not exact, the pair's score is at least that, and
/// the exact one follows unless the pair passes already. True: it passes.
using TakeViterbi = std::function<bool(std::size_t query, std::size_t n, float score, bool is_exact)>;

/// Takes what the bias filter gives, in the same way.
struct BiasUser {
  TakeScore take;
  /// The bias scores, nats, with which a pair needs its Viterbi score next, roughly: the device computes it
  /// at once for pairs whose bias score is among these and that it has room for. May be empty, then for none.
  std::function<ViterbiLimits(std::size_t query, std::size_t n)> needs_viterbi;
  /// Takes that score, when `take` has returned for the pair. True also if the pair does not need it.
  TakeViterbi take_viterbi;
};

/// Takes what a sweep gives, in the same way.
struct SweepUser {
  /// A pair has this Forward score, nats. True: it passes, and its regions are wanted.
  std::function<bool(std::size_t query, std::size_t n, float score)> passes;
  /// The regions of a pair that passes.
  std::function<void(std::size_t query, std::size_t n, Regions&& regions)> use;
};

/// Not thread-safe. Calls throw EngineFailure. Each gives the same bits as the host, and leaves out pairs
/// that the device has no room or no precision for.
class PairScorer {
 public:
  virtual ~PairScorer() = default;

  /// One line of text that names the device.
  virtual std::string description() const = 0;
  /// Seconds for which the device has computed.
  virtual double busy_seconds() const = 0;

  /// Begins to prepare for profiles that will come, in other threads. Any thread may call.
  virtual void expect(std::span<const SearchProfile* const> /*profiles*/) {}

  /// Takes `batch`, which must live and stay as it is until the next call, in place of the one before.
  virtual void load(const SequenceBatch& batch) = 0;

  /// Scores of MSV (fast_msv_result).
  virtual void msv(std::span<const PairQuery> queries, const TakeScore& take) = 0;
  /// Scores of the null model with biased composition (fast_bias_scores), and Viterbi scores of pairs that
  /// need them next.
  virtual void bias(std::span<const PairQuery> queries, const BiasUser& user) = 0;
  /// Viterbi scores (fast_viterbi_score).
  virtual void viterbi(std::span<const PairQuery> queries, const TakeViterbi& take) = 0;
  /// Forward, and Backward and regions of pairs that pass, with multihit length models (run_forward,
  /// run_backward, find_regions). Pairs that those fail for, or that HMMER3 drops, are left out.
  virtual void sweep(std::span<const PairQuery> queries, const SweepUser& user) = 0;
};

}  // namespace gpuhmm::hmmer3
