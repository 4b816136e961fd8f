// Shares parts of all profiles among threads, the largest first.
#include "search/hmmer3_completion.hpp"

#include <cstddef>
#include <vector>

#include "util/parallel.hpp"

namespace gpuhmm::hmmer3 {

void complete(const StagedComparisons& compared, unsigned threads, StageDevices* devices,
              std::span<double> seconds, StageClock& clock, const BeforeWork& before, DomainSharing sharing) {
  if (devices != nullptr)
    return complete_with_devices(compared, threads, *devices, sharing, seconds, clock, before);
  const std::vector<StagePart> parts = stage_parts(compared);
  std::vector<double> of_part(parts.size());
  parallel_for(threads, parts.size(), 1, [&](std::size_t p, std::size_t) {
    before();
    const Stopwatch watch(of_part[p]);
    const StageClock::Running running(clock);
    compared[parts[p].place]->complete(parts[p].part);
  });
  for (std::size_t p = 0; p < parts.size(); ++p) seconds[parts[p].place] += of_part[p];
}

}  // namespace gpuhmm::hmmer3
