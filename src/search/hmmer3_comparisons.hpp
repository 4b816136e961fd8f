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

/// The cut-off of the profile; nothing if none is asked for. Throws MissingCutoff.
std::optional<Cutoff> required_cutoff(const Profile& profile, CutoffKind kind);

/// Counts one comparison that came so far.
void count_stage(Counters& counters, Stage stage);

/// The profile as the query of a search, the sequence as that of a scan.
Query query_of(const Profile& profile);
Query query_of(const SequenceView& sequence);

}  // namespace gpuhmm::hmmer3
