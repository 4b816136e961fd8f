// Shares parts, regions and envelopes of all profiles among threads, and between them and devices.
#include "search/hmmer3_completion.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <future>
#include <tuple>
#include <vector>

#include "hmmer3/arithmetic.hpp"
#include "search/hmmer3_devices.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::hmmer3 {

namespace {

// Parts of comparisons, the largest first, whose steps all threads share.
class Completion {
 public:
  Completion(std::span<const std::unique_ptr<StagedComparison>> compared, unsigned threads,
             std::span<double> seconds, StageClock& clock)
      : compared_(compared), threads_(threads), seconds_(seconds), clock_(clock) {
    for (std::size_t place = 0; place < compared.size(); ++place)
      for (std::size_t part = 0; part < compared[place]->parts(); ++part)
        parts_.push_back({place, part, compared[place]->cells(part)});
    std::sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) {
      return std::tie(b.cells, a.place, a.part) < std::tie(a.cells, b.place, b.part);
    });
  }
  ~Completion() {
    for (const Part& part : parts_) seconds_[part.place] += part.seconds;
  }
  Completion(const Completion&) = delete;
  Completion& operator=(const Completion&) = delete;

  void run(void (StagedComparison::*step)(std::size_t)) {
    parallel_for(threads_, parts_.size(), 1, [&](std::size_t p, std::size_t) {
      const Stopwatch watch(parts_[p].seconds);
      const StageClock::Running running(clock_);
      (*compared_[parts_[p].place].*step)(parts_[p].part);
    });
  }

 private:
  struct Part {
    std::size_t place, part;
    double cells, seconds = 0;
  };

  std::span<const std::unique_ptr<StagedComparison>> compared_;
  unsigned threads_;
  std::span<double> seconds_;
  StageClock& clock_;
  std::vector<Part> parts_;
};

// Regions or envelopes of one profile that go side by side.
template <class Task>
struct Together {
  std::vector<Task*> tasks;  // the longest first
  std::size_t place = 0;     // of the comparison
  std::size_t residues = 0;
  double seconds = 0;
};

// The tasks of all comparisons that are wanted, the longest groups first. A long sequence goes alone, so that
// no thread is left with several.
template <class Task, class IsWanted>
std::vector<Together<Task>> grouped(const StagedComparisons& compared,
                                    std::span<Task> (StagedComparison::*tasks)(std::size_t),
                                    const IsWanted& is_wanted) {
  constexpr std::size_t kSideBySide = 4, kMostResidues = 4096;
  const auto length = [](const Task* task) { return task->sequence.size(); };
  std::vector<Together<Task>> groups;
  for (std::size_t place = 0; place < compared.size(); ++place) {
    std::vector<Task*> wanted;
    for (std::size_t part = 0; part < compared[place]->parts(); ++part) {
      for (Task& task : (*compared[place].*tasks)(part)) {
        if (is_wanted(task)) wanted.push_back(&task);
      }
    }
    std::ranges::stable_sort(wanted, std::ranges::greater(), length);
    for (std::size_t t = 0; t < wanted.size(); ++t) {
      const std::size_t residues = length(wanted[t]);
      if (t == 0 || groups.back().tasks.size() == kSideBySide ||
          groups.back().residues + residues > kMostResidues)
        groups.push_back({{}, place});
      groups.back().tasks.push_back(wanted[t]);
      groups.back().residues += residues;
    }
  }
  std::ranges::stable_sort(groups, std::ranges::greater(), &Together<Task>::residues);
  return groups;
}

// Calls run(comparison, tasks), with flush to zero, for all groups.
template <class Task, class Run>
void run_groups(const StagedComparisons& compared, std::vector<Together<Task>>&& groups, unsigned threads,
                std::span<double> seconds, StageClock& clock, const Run& run) {
  parallel_for(threads, groups.size(), 1, [&](std::size_t g, std::size_t) {
    const Stopwatch watch(groups[g].seconds);
    const StageClock::Running running(clock);
    const FlushToZero flush;
    try {
      run(*compared[groups[g].place], std::span<Task* const>(groups[g].tasks));
    } catch (const ImpossibleComparison&) {  // the comparison finds it again, and names the pair
    }
  });
  for (const Together<Task>& group : groups) seconds[group.place] += group.seconds;
}

const Alphabet& alphabet_of(const StagedComparison& comparison) {
  return Alphabet::get(comparison.profile().profile.alphabet);
}

// `helped`: without the regions that devices sample.
void sample_on_host(const StagedComparisons& compared, unsigned threads, bool helped,
                    std::span<double> seconds, StageClock& clock) {
  auto groups = grouped<RegionTask>(compared, &StagedComparison::regions, [&](const RegionTask& region) {
    return !helped || !StageDevices::is_for_devices(region);
  });
  run_groups(compared, std::move(groups), threads, seconds, clock,
             [](const StagedComparison& comparison, std::span<RegionTask* const> regions) {
               sample_regions(comparison.profile().floats, alphabet_of(comparison), regions,
                              comparison.seed());
             });
}

// The envelopes that no device has scored.
void score_on_host(const StagedComparisons& compared, unsigned threads, std::span<double> seconds,
                   StageClock& clock) {
  auto groups = grouped<EnvelopeTask>(compared, &StagedComparison::envelopes,
                                      [](const EnvelopeTask& envelope) { return !envelope.scored; });
  run_groups(compared, std::move(groups), threads, seconds, clock,
             [](const StagedComparison& comparison, std::span<EnvelopeTask* const> envelopes) {
               std::vector<EnvelopeTask> tasks;
               for (const EnvelopeTask* const envelope : envelopes) tasks.push_back(envelope->unscored());
               score_envelopes(comparison.profile().floats, alphabet_of(comparison), tasks);
               for (std::size_t t = 0; t < tasks.size(); ++t) {
                 tasks[t].forward = tasks[t].backward = {};  // nobody needs them any more
                 tasks[t].scored = true;
                 *envelopes[t] = std::move(tasks[t]);
               }
             });
}

// Runs the domain stage behind devices' filters as far as the scores of envelopes. If devices are faster than
// the threads, they sample the tracebacks of most regions and score the envelopes.
void find_envelopes(const StagedComparisons& compared, unsigned threads, StageDevices& devices,
                    std::span<double> seconds, StageClock& clock) {
  const bool helped = devices.outdo(threads);
  Completion completion(compared, threads, seconds, clock);
  completion.run(&StagedComparison::find_regions);
  std::future<void> sampling;
  if (helped) {
    sampling = std::async(std::launch::async, [&] {
      const StageClock::Running running(clock);
      devices.sample_tracebacks(compared);
    });
  }
  sample_on_host(compared, threads, helped, seconds, clock);
  if (helped) sampling.get();
  completion.run(&StagedComparison::find_envelopes);
  if (helped) {
    const StageClock::Running running(clock);
    devices.score_envelopes(compared);
  }
  score_on_host(compared, threads, seconds, clock);
}

}  // namespace

void complete(const StagedComparisons& compared, unsigned threads, StageDevices* devices,
              std::span<double> seconds, StageClock& clock) {
  if (devices != nullptr) find_envelopes(compared, threads, *devices, seconds, clock);
  Completion(compared, threads, seconds, clock).run(&StagedComparison::complete);
}

}  // namespace gpuhmm::hmmer3
