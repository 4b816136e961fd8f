// The domain stage of many comparisons, which threads and devices share.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "hmmer3/comparison.hpp"
#include "search/hmmer3_devices.hpp"
#include "search/hmmer3_task_pool.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm::hmmer3 {

/// How threads and devices share regions and envelopes: the devices take what they can, and the threads some
/// of it where no device comes for a while; or the devices take all that they can, then the threads (in
/// tests).
enum class DomainSharing : bool { ByNeed, DevicesFirst };

/// Called before each piece of work, by any thread; may throw, which ends all.
using BeforeWork = std::function<void()>;

/// The parts of all comparisons, the largest first.
std::vector<StagePart> stage_parts(const StagedComparisons& compared);

/// Completes comparisons whose filters have run, with devices. Each part goes through the steps by itself, so
/// that devices have regions while threads still sweep long sequences, and envelopes while they sample. Adds
/// the threads' seconds to seconds[place]. Throws WrongScore, and what `before` throws.
void complete_with_devices(const StagedComparisons& compared, unsigned threads, StageDevices& devices,
                           DomainSharing sharing, std::span<double> seconds, StageClock& clock,
                           const BeforeWork& before);

}  // namespace gpuhmm::hmmer3
