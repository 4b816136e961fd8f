// Shares parts, regions and envelopes of all profiles among threads, and between them and devices.
#include "search/hmmer3_completion.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <future>
#include <limits>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "hmmer3/arithmetic.hpp"
#include "search/hmmer3_devices.hpp"
#include "util/parallel.hpp"
#include "util/priority.hpp"

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

  void run(
      void (StagedComparison::*step)(std::size_t), const BeforeWork& before = [] {}) {
    parallel_for(threads_, parts_.size(), 1, [&](std::size_t p, std::size_t) {
      before();
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

// Groups of tasks, the longest first. Threads take the first one, devices some of the last ones, so that none
// waits for another for long. Any thread may call.
template <class Task>
class TaskGroups {
 public:
  // Of all comparisons. A long sequence is alone, so that no thread is left with several.
  TaskGroups(const StagedComparisons& compared, std::span<Task> (StagedComparison::*tasks)(std::size_t))
      : compared_(compared) {
    constexpr std::size_t kSideBySide = 4, kMostResidues = 4096;
    for (std::size_t place = 0; place < compared.size(); ++place) {
      std::vector<Task*> own;
      for (std::size_t part = 0; part < compared[place]->parts(); ++part) {
        for (Task& task : (*compared[place].*tasks)(part)) own.push_back(&task);
      }
      std::ranges::stable_sort(own, std::ranges::greater(), length_of);
      for (std::size_t t = 0; t < own.size(); ++t) {
        const std::size_t residues = length_of(own[t]);
        if (t == 0 || groups_.back().tasks.size() == kSideBySide ||
            groups_.back().residues + residues > kMostResidues)
          groups_.push_back({{}, place});
        groups_.back().tasks.push_back(own[t]);
        groups_.back().residues += residues;
      }
    }
    std::ranges::stable_sort(groups_, std::ranges::greater(), &Together<Task>::residues);
    behind_ = groups_.size();
  }

  Together<Task>* next() {
    const std::lock_guard lock(mutex_);
    return first_ < behind_ ? &groups_[first_++] : nullptr;
  }

  // Half of what is left, if that is at least so many groups, without those with a task that is too
  // long.
  template <class Query>
  std::vector<Query> some_for_devices(std::size_t least, std::size_t most_residues,
                                      std::vector<Task*> Query::*tasks) {
    constexpr std::size_t kParts = 2;
    const std::lock_guard lock(mutex_);
    std::size_t count = (behind_ - first_ + kParts - 1) / kParts;
    if (count < least) return {};
    std::vector<Query> queries(compared_.size());
    for (std::size_t q = 0; q < queries.size(); ++q) queries[q].profile = &compared_[q]->profile();
    bool any = false;
    for (; count > 0 && length_of(groups_[behind_ - 1].tasks.front()) <= most_residues; --count, --behind_) {
      const Together<Task>& group = groups_[behind_ - 1];
      auto& of_profile = queries[group.place].*tasks;
      of_profile.insert(of_profile.begin(), group.tasks.begin(), group.tasks.end());
      any = true;
    }
    if (!any) queries.clear();
    return queries;
  }

  // Calls run(comparison, tasks), with flush to zero, for the groups that devices do not take.
  template <class Run>
  void run(unsigned threads, std::span<double> seconds, StageClock& clock, const Run& run) {
    parallel_for(threads, threads, 1, [&](std::size_t, std::size_t) {
      const StageClock::Running running(clock);
      const FlushToZero flush;
      while (Together<Task>* const group = next()) {
        const Stopwatch watch(group->seconds);
        try {
          run(*compared_[group->place], std::span<Task* const>(group->tasks));
        } catch (const ImpossibleComparison&) {  // the comparison finds it again, and names the pair
        }
      }
    });
    for (const Together<Task>& group : groups_) seconds[group.place] += group.seconds;
  }

 private:
  static std::size_t length_of(const Task* task) { return task->sequence.size(); }

  const StagedComparisons& compared_;
  std::vector<Together<Task>> groups_;
  std::mutex mutex_;  // of what follows
  std::size_t first_ = 0, behind_ = 0;
};

const Alphabet& alphabet_of(const StagedComparison& comparison) {
  return Alphabet::get(comparison.profile().profile.alphabet);
}

void sample_on_host(const StagedComparison& comparison, std::span<RegionTask* const> regions) {
  sample_regions(comparison.profile().floats, alphabet_of(comparison), regions, comparison.seed());
}

void score_on_host(const StagedComparison& comparison, std::span<EnvelopeTask* const> envelopes) {
  std::vector<EnvelopeTask> tasks;
  for (const EnvelopeTask* const envelope : envelopes) tasks.push_back(envelope->unscored());
  score_envelopes(comparison.profile().floats, alphabet_of(comparison), tasks);
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    tasks[t].forward = tasks[t].backward = {};  // nobody needs them any more
    tasks[t].scored = true;
    *envelopes[t] = std::move(tasks[t]);
  }
}

// Runs the domain stage as far as the scores of envelopes. The host's part gives way to what feeds devices.
class DomainStage {
 public:
  DomainStage(const StagedComparisons& compared, unsigned threads, StageDevices& devices,
              DomainSharing sharing, std::span<double> seconds, StageClock& clock)
      : compared_(compared),
        threads_(threads),
        devices_(devices),
        sharing_(sharing),
        seconds_(seconds),
        clock_(clock) {}

  void run() {
    if (compared_.empty()) return;
    Completion completion(compared_, threads_, seconds_, clock_);
    run_giving_way(Niceness::Computes, [&] { completion.run(&StagedComparison::find_regions); });
    // Of longer regions a processor draws tracebacks, one after the other, much faster than a device.
    constexpr std::size_t kMostResidues = 512;
    TaskGroups<RegionTask> regions(compared_, &StagedComparison::regions);
    share(
        regions, sample_on_host,
        [&](const auto& next) { devices_.sample_tracebacks(next, compared_.front()->seed()); }, kMostResidues,
        &RegionQuery::regions);
    run_giving_way(Niceness::Computes, [&] { completion.run(&StagedComparison::find_envelopes); });
    TaskGroups<EnvelopeTask> envelopes(compared_, &StagedComparison::envelopes);
    share(
        envelopes, score_on_host, [&](const auto& next) { devices_.score_envelopes(next); },
        std::numeric_limits<std::size_t>::max(), &EnvelopeQuery::envelopes);
  }

 private:
  template <class Task, class OnHost, class OnDevices, class Query>
  void share(TaskGroups<Task>& groups, const OnHost& on_host, const OnDevices& on_devices,
             std::size_t most_residues, std::vector<Task*> Query::*tasks) {
    // A thread does a few groups in the time in which a device does any number.
    constexpr std::size_t kGroupsOfThread = 4;
    const std::size_t least = sharing_ == DomainSharing::ByNeed ? kGroupsOfThread * threads_ : 1;
    std::future<void> device_work = std::async(std::launch::async, [&] {
      const StageClock::Running running(clock_);
      on_devices([&] { return groups.some_for_devices(least, most_residues, tasks); });
    });
    if (sharing_ == DomainSharing::DevicesFirst) device_work.wait();
    run_giving_way(Niceness::Computes, [&] { groups.run(threads_, seconds_, clock_, on_host); });
    device_work.get();
  }

  const StagedComparisons& compared_;
  unsigned threads_;
  StageDevices& devices_;
  DomainSharing sharing_;
  std::span<double> seconds_;
  StageClock& clock_;
};

}  // namespace

void complete(const StagedComparisons& compared, unsigned threads, StageDevices* devices,
              std::span<double> seconds, StageClock& clock, const BeforeWork& before, DomainSharing sharing) {
  const auto complete_rest = [&] {
    Completion(compared, threads, seconds, clock).run(&StagedComparison::complete, before);
  };
  if (devices == nullptr) return complete_rest();
  DomainStage(compared, threads, *devices, sharing, seconds, clock).run();
  run_giving_way(Niceness::Computes, complete_rest);
}

}  // namespace gpuhmm::hmmer3
