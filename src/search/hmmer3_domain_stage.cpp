// Parts go from step to step as soon as all their tasks are done; who is free takes a part or some tasks.
#include "search/hmmer3_domain_stage.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <future>
#include <limits>
#include <mutex>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hmmer3/arithmetic.hpp"
#include "search/hmmer3_task_pool.hpp"
#include "util/parallel.hpp"
#include "util/priority.hpp"

namespace gpuhmm::hmmer3 {

namespace {

const Alphabet& alphabet_of(const StagedComparison& comparison) {
  return Alphabet::get(comparison.profile().profile.alphabet);
}

void run_on_host(const StagedComparison& comparison, std::span<RegionTask* const> regions) {
  sample_regions(comparison.profile().floats, alphabet_of(comparison), regions, comparison.seed());
}

void run_on_host(const StagedComparison& comparison, std::span<EnvelopeTask* const> envelopes) {
  std::vector<EnvelopeTask> tasks;
  for (const EnvelopeTask* const envelope : envelopes) tasks.push_back(envelope->unscored());
  score_envelopes(comparison.profile().floats, alphabet_of(comparison), tasks);
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    tasks[t].forward = tasks[t].backward = {};  // nobody needs them any more
    tasks[t].scored = true;
    *envelopes[t] = std::move(tasks[t]);
  }
}

std::vector<RegionTask*>& tasks_of(RegionQuery& query) { return query.regions; }
std::vector<EnvelopeTask*>& tasks_of(EnvelopeQuery& query) { return query.envelopes; }

// The tasks of one step of all parts.
template <class Task>
struct StepTasks {
  explicit StepTasks(std::size_t comparisons) : shared(comparisons), hosts(comparisons) {}

  TaskPool<Task> shared, hosts;  // for threads and devices; for threads
  // The parts of those that devices have, by the queries, and in their order.
  std::unordered_map<const void*, std::vector<StagePart*>> at_devices;
  bool devices_take = true;  // devices may still come for some
  double came = 0;           // when one came last, or the first task, by seconds_now()
};

class DomainStage {
 public:
  DomainStage(const StagedComparisons& compared, unsigned threads, StageDevices& devices,
              DomainSharing sharing, std::span<double> seconds, StageClock& clock, const BeforeWork& before)
      : compared_(compared),
        threads_(threads),
        devices_(devices),
        sharing_(sharing),
        seconds_(seconds),
        clock_(clock),
        before_(before),
        parts_(stage_parts(compared)),
        regions_(compared.size()),
        envelopes_(compared.size()) {
    behind_ = finding_ = without_envelopes_ = parts_.size();
  }

  void run() {
    if (parts_.empty()) return;
    const std::uint32_t seed = compared_.front()->seed();
    std::future<void> sampling =
        fed(regions_, [&](const auto& work) { devices_.sample_tracebacks(work, seed); });
    std::future<void> scoring = fed(envelopes_, [&](const auto& work) { devices_.score_envelopes(work); });
    run_giving_way(Niceness::Computes, [&] {
      parallel_for(threads_, threads_, 1, [&](std::size_t thread, std::size_t) {
        const StageClock::Running running(clock_);
        guarded([&] { compute(thread % 2 == 1); });
      });
    });
    sampling.get();
    scoring.get();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  using Lock = std::unique_lock<std::mutex>;

  // Keeps the first exception of any thread, which ends all.
  template <class Work>
  void guarded(const Work& work) {
    try {
      work();
    } catch (...) {
      keep_exception();
    }
  }
  void keep_exception() {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    changed_.notify_all();
  }

  bool ended() const { return failure_ || completed_ == parts_.size(); }

  // A thread's work, and that of all of them: half of them begin with the parts that take longest, half with
  // those that give devices work at once.
  void compute(bool from_behind) {
    Lock lock(mutex_);
    while (!ended()) {
      if (!find_envelopes(lock) && !find_regions(lock, from_behind) && !take_tasks(regions_, lock) &&
          !take_tasks(envelopes_, lock) && !complete_parts(lock))
        changed_.wait_for(lock, kPatience);
    }
  }

  using Parts = std::vector<StagePart*>;

  // Runs a step of parts without the lock.
  template <class Step>
  void run_step(std::span<StagePart* const> parts, Lock& lock, const Step& step) {
    lock.unlock();
    std::vector<double> taken(parts.size());
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const Stopwatch watch(taken[p]);
      before_();
      step(*parts[p], *compared_[parts[p]->place]);
    }
    lock.lock();
    for (std::size_t p = 0; p < parts.size(); ++p) seconds_[parts[p]->place] += taken[p];
  }

  // How many of the parts that wait a thread takes at a time: most take so little time that threads would
  // wait for the lock, but all threads should have some.
  std::size_t together(std::size_t waiting) const {
    constexpr std::size_t kMost = 16;
    return std::clamp<std::size_t>(waiting / (2 * std::size_t{threads_}), 1, kMost);
  }

  Parts take_first(std::deque<StagePart*>& waiting) const {
    const auto end = waiting.begin() + static_cast<std::ptrdiff_t>(together(waiting.size()));
    const Parts parts(waiting.begin(), end);
    waiting.erase(waiting.begin(), end);
    return parts;
  }

  bool find_envelopes(Lock& lock) {
    if (sampled_.empty()) return false;
    const Parts parts = take_first(sampled_);
    run_step(parts, lock, [](const StagePart& part, StagedComparison& comparison) {
      comparison.find_envelopes(part.part);
    });
    without_envelopes_ -= parts.size();
    for (StagePart* const part : parts)
      add(envelopes_, compared_[part->place]->envelopes(part->part), *part, scored_, kAnyLength);
    changed_.notify_all();
    return true;
  }

  // The parts that take longest are taken one by one.
  bool find_regions(Lock& lock, bool from_behind) {
    if (first_ == behind_) return false;
    Parts parts(from_behind ? together(behind_ - first_) : 1);
    for (StagePart*& part : parts) part = from_behind ? &parts_[--behind_] : &parts_[first_++];
    run_step(parts, lock,
             [](const StagePart& part, StagedComparison& comparison) { comparison.find_regions(part.part); });
    finding_ -= parts.size();
    // Of longer regions a processor draws tracebacks, one after the other, much faster than a device.
    constexpr std::size_t kMostResidues = 2048;
    for (StagePart* const part : parts)
      add(regions_, compared_[part->place]->regions(part->part), *part, sampled_, kMostResidues);
    changed_.notify_all();
    return true;
  }

  bool complete_parts(Lock& lock) {
    if (scored_.empty()) return false;
    const Parts parts = take_first(scored_);
    run_step(parts, lock,
             [](const StagePart& part, StagedComparison& comparison) { comparison.complete(part.part); });
    completed_ += parts.size();
    if (completed_ == parts_.size()) changed_.notify_all();
    return true;
  }

  template <class Task>
  void add(StepTasks<Task>& step, std::span<Task> tasks, StagePart& part, std::deque<StagePart*>& next,
           std::size_t most_residues) {
    if (step.shared.size() == 0) step.came = seconds_now();
    part.left = tasks.size();
    if (tasks.empty()) next.push_back(&part);
    for (Task& task : tasks)
      (task.sequence.size() <= most_residues ? step.shared : step.hosts).add({&task, &part});
  }

  // A task of the part is done.
  static void count(StagePart& part, std::deque<StagePart*>& next) {
    if (--part.left == 0) next.push_back(&part);
  }
  std::deque<StagePart*>& behind(const StepTasks<RegionTask>&) { return sampled_; }
  std::deque<StagePart*>& behind(const StepTasks<EnvelopeTask>&) { return scored_; }

  // So few are done by threads in the time in which a device does any number.
  std::size_t few_tasks() const {
    constexpr std::size_t kOfThread = 16;
    return sharing_ == DomainSharing::ByNeed ? kOfThread * threads_ : 1;
  }

  // Whether threads do tasks that devices can do, too.
  template <class Task>
  bool threads_share(const StepTasks<Task>& step) const {
    if (!step.devices_take || step.shared.size() < few_tasks()) return true;
    return sharing_ == DomainSharing::ByNeed &&
           seconds_now() - step.came > std::chrono::duration<double>(kPatience).count();
  }

  template <class Task>
  bool take_tasks(StepTasks<Task>& step, Lock& lock) {
    const bool shares = threads_share(step);
    const std::size_t shared = shares ? step.shared.longest() : 0, own = step.hosts.longest();
    if (std::max(shared, own) == 0) return false;
    const auto taken = (shared > own ? step.shared : step.hosts).take_longest();
    std::vector<Task*> tasks;
    for (const auto& task : taken) tasks.push_back(task.task);
    StagePart* const part = taken.front().part;
    run_step({&part, 1}, lock, [&](const StagePart&, const StagedComparison& comparison) {
      const FlushToZero flush;
      try {
        run_on_host(comparison, tasks);
      } catch (const ImpossibleComparison&) {  // the comparison finds it again, and names the pair
      }
    });
    for (const auto& task : taken) count(*task.part, behind(step));
    changed_.notify_all();
    return true;
  }

  // Has devices do tasks of a step, in other threads.
  template <class Task, class OnDevices>
  std::future<void> fed(StepTasks<Task>& step, const OnDevices& on_devices) {
    return std::async(std::launch::async, [this, &step, on_devices] {
      using Query = std::conditional_t<std::is_same_v<Task, RegionTask>, RegionQuery, EnvelopeQuery>;
      guarded([&] {
        on_devices(
            DomainWork<Query>{[&] { return next<Query>(step); },
                              [&](std::vector<Query>& queries, bool failed) { end(step, queries, failed); },
                              [&] { keep_exception(); }});
      });
      const std::lock_guard lock(mutex_);
      step.devices_take = false;
      changed_.notify_all();
    });
  }

  // Whether a step will get more tasks.
  bool has_more(const StepTasks<RegionTask>&) const { return finding_ > 0; }
  bool has_more(const StepTasks<EnvelopeTask>&) const { return without_envelopes_ > 0; }

  template <class Query, class Task>
  std::vector<Query> next(StepTasks<Task>& step) {
    // While others may come, a device waits for many.
    constexpr std::size_t kMany = 2048;
    const double share = devices_.are_several() ? 0.5 : 0.9;
    const std::size_t few = few_tasks();
    const auto enough = [&] { return step.shared.size() >= (has_more(step) ? std::max(few, kMany) : few); };
    // What another device has may come back.
    const auto has_all = [&] { return !has_more(step) && step.at_devices.empty(); };
    Lock lock(mutex_);
    changed_.wait(lock, [&] { return ended() || enough() || has_all(); });
    if (ended() || !enough()) return {};
    const auto taken = step.shared.take_shortest(share);
    step.came = seconds_now();
    changed_.notify_all();  // few may be left, for threads
    lock.unlock();
    std::vector<Query> queries(compared_.size());
    for (std::size_t q = 0; q < queries.size(); ++q) queries[q].profile = &compared_[q]->profile();
    std::vector<StagePart*> parts;
    for (const auto& [task, part] : taken) {  // by comparisons
      tasks_of(queries[part->place]).push_back(task);
      parts.push_back(part);
    }
    lock.lock();
    step.at_devices.emplace(queries.data(), std::move(parts));
    return queries;
  }

  static bool is_done(const RegionTask& task) { return task.ensemble.has_value(); }
  static bool is_done(const EnvelopeTask& task) { return task.scored; }

  // Takes tasks back from a device: what it has left out is left to the threads.
  template <class Task, class Query>
  void end(StepTasks<Task>& step, std::vector<Query>& queries, bool failed) {
    if (queries.empty()) return;  // taken back before
    Lock lock(mutex_);
    const std::vector<StagePart*>& parts = step.at_devices.at(queries.data());
    lock.unlock();
    auto part = parts.begin();
    std::vector<StagePart*> done;
    std::vector<PartTask<Task>> left;
    for (Query& query : queries) {
      for (Task* const task : tasks_of(query)) {
        if (is_done(*task)) {
          done.push_back(*part++);
        } else {
          left.push_back({task, *part++});
        }
      }
    }
    lock.lock();
    for (StagePart* const of_task : done) count(*of_task, behind(step));
    for (const auto& task : left) (failed ? step.shared : step.hosts).add(task);
    step.at_devices.erase(queries.data());
    changed_.notify_all();
  }

  // Threads leave to devices what these can do, as they have other work and a GPU is faster. But if none
  // comes for so long, it is slow or has much to do.
  static constexpr std::chrono::milliseconds kPatience{500};
  static constexpr std::size_t kAnyLength = std::numeric_limits<std::size_t>::max();

  const StagedComparisons& compared_;
  unsigned threads_;
  StageDevices& devices_;
  DomainSharing sharing_;
  std::span<double> seconds_;
  StageClock& clock_;
  const BeforeWork& before_;
  std::mutex mutex_;  // of all below
  std::condition_variable changed_;
  std::vector<StagePart> parts_;             // the largest first
  std::size_t first_ = 0, behind_ = 0;       // those that nobody has taken
  std::size_t finding_, without_envelopes_;  // parts whose regions, and whose envelopes, are not known
  StepTasks<RegionTask> regions_;
  std::deque<StagePart*> sampled_;  // whose regions have tracebacks
  StepTasks<EnvelopeTask> envelopes_;
  std::deque<StagePart*> scored_;  // whose envelopes have scores
  std::size_t completed_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

std::vector<StagePart> stage_parts(const StagedComparisons& compared) {
  std::vector<StagePart> parts;
  for (std::size_t place = 0; place < compared.size(); ++place)
    for (std::size_t part = 0; part < compared[place]->parts(); ++part)
      parts.push_back({place, part, compared[place]->cells(part)});
  std::ranges::stable_sort(parts, std::ranges::greater(), &StagePart::cells);
  return parts;
}

void complete_with_devices(const StagedComparisons& compared, unsigned threads, StageDevices& devices,
                           DomainSharing sharing, std::span<double> seconds, StageClock& clock,
                           const BeforeWork& before) {
  DomainStage(compared, threads, devices, sharing, seconds, clock, before).run();
}

}  // namespace gpuhmm::hmmer3
