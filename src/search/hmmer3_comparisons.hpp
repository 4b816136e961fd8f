// What a search and a scan with HMMER3 profiles have in common.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gpuhmm/hmmer3_run.hpp"
#include "hmmer3/comparison.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm::hmmer3 {

/// How `count` profiles share the threads: side by side, or one after the other with all of them each.
struct Sharing {
  Sharing(unsigned threads, std::size_t count)
      : side_by_side(count >= 2 * static_cast<std::size_t>(threads) ? threads : 1),
        threads_each(side_by_side > 1 ? 1 : threads) {}

  unsigned side_by_side, threads_each;
};

/// Makes `count` comparisons and runs their filters: all threads share the parts of all. `make(place)` gives
/// a comparison, and may wait for a device; the places are taken in order, by any thread. Adds to
/// seconds[place] those that its parts took, summed over the threads; `clock` runs meanwhile. Throws what
/// `make` throws.
StagedComparisons filtered(std::size_t count, unsigned threads,
                           const std::function<std::unique_ptr<StagedComparison>(std::size_t)>& make,
                           std::span<double> seconds, StageClock& clock);

/// Profiles whose filters run before what they leave is completed.
std::size_t profiles_at_once(unsigned threads);

/// Sequences and residues of a block.
std::size_t block_sequences(const gpuhmm::RunOptions& options);
std::size_t block_residues(const SearchOptions& options);

/// The most residues of a block of a search with so many teams of devices.
std::size_t most_block_residues(const SearchOptions& options, std::size_t teams);

/// Residues of the blocks of a search. The first ones for devices are small, so that the host need not wait
/// for long.
class BlockResidues {
 public:
  explicit BlockResidues(const SearchOptions& options) : options_(options) {}
  /// Of the next block, with so many teams of devices from now on.
  std::size_t next(std::size_t teams);

 private:
  const SearchOptions& options_;
  std::size_t for_devices_ = std::size_t{16} << 20;
};

/// The cut-off of the profile; nothing if none is asked for. Throws MissingCutoff.
std::optional<Cutoff> required_cutoff(const Profile& profile, CutoffKind kind);

/// Counts one comparison that came so far.
void count_stage(Counters& counters, Stage stage);

/// The profile as the query of a search, the sequence as that of a scan.
Query query_of(const Profile& profile);
Query query_of(const SequenceView& sequence);

}  // namespace gpuhmm::hmmer3
