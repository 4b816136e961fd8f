// What the filters of HMMER3 leave: the later stages, on the host's threads and on devices.
#pragma once

#include <span>

#include "hmmer3/comparison.hpp"
#include "search/hmmer3_domain_stage.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm::hmmer3 {

/// Completes comparisons whose filters have run: all threads share the parts of all, the largest first.
/// `devices`, if there are any, do a part of the domain stage. Adds to seconds[place] as filtered(). Throws
/// WrongScore, and what `before` throws.
void complete(const StagedComparisons& compared, unsigned threads, StageDevices* devices,
              std::span<double> seconds, StageClock& clock, const BeforeWork& before,
              DomainSharing sharing = DomainSharing::ByNeed);

}  // namespace gpuhmm::hmmer3
