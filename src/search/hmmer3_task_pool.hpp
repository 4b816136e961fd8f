// Regions or envelopes that wait for a thread or a device.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace gpuhmm::hmmer3 {

/// A part of a comparison on its way through the domain stage.
struct StagePart {
  std::size_t place = 0, part = 0;  ///< of the comparison, and its own
  double cells = 0;
  std::size_t left = 0;  ///< tasks of the step that it is at
};

/// A task, a region or an envelope, and its part.
template <class Task>
struct PartTask {
  Task* task;
  StagePart* part;

  std::size_t length() const { return task->sequence.size(); }
};

/// Tasks of many comparisons by length. One thread at a time may call.
template <class Task>
class TaskPool {
 public:
  using Tasks = std::vector<PartTask<Task>>;

  explicit TaskPool(std::size_t comparisons) : tasks_(comparisons) {}

  std::size_t size() const { return size_; }

  void add(PartTask<Task> task) {
    const std::size_t length = task.length(), place = task.part->place;
    Own& own = tasks_[place];
    own.tasks.push_back({length, task});
    own.in_order = false;
    own.longest = std::max(own.longest, length);
    ++size_;
    if (length > longest_) {
      longest_ = length;
      place_of_longest_ = place;
    }
  }

  /// The length of the longest one; 0: there is none.
  std::size_t longest() const { return longest_; }

  /// Takes the longest one and others of its comparison that fill a thread's vectors. A long sequence is
  /// alone, so that no thread is left with several. There must be one.
  Tasks take_longest() {
    constexpr std::size_t kSideBySide = 4, kMostResidues = 4096;
    Own& own = tasks_[place_of_longest_];
    if (!own.in_order) std::ranges::sort(own.tasks, {}, &Waiting::length);
    own.in_order = true;
    Tasks taken;
    std::size_t residues = 0;
    while (!own.tasks.empty() && taken.size() < kSideBySide) {
      const Waiting& last = own.tasks.back();
      if (!taken.empty() && residues + last.length > kMostResidues) break;
      residues += last.length;
      taken.push_back(last.task);
      own.tasks.pop_back();
    }
    own.longest = own.tasks.empty() ? 0 : own.tasks.back().length;
    size_ -= taken.size();
    find_longest();
    return taken;
  }

  /// Takes that share of all, the shortest ones.
  Tasks take_shortest(double share) {
    std::vector<std::size_t> lengths;
    lengths.reserve(size_);
    for (const Own& own : tasks_)
      for (const Waiting& waiting : own.tasks) lengths.push_back(waiting.length);
    Tasks taken;
    const auto count =
        std::min(size_, static_cast<std::size_t>(std::ceil(share * static_cast<double>(size_))));
    if (count == 0) return taken;
    const auto last = lengths.begin() + static_cast<std::ptrdiff_t>(count - 1);
    std::ranges::nth_element(lengths, last);
    taken.reserve(count);
    for (Own& own : tasks_) {
      auto kept = own.tasks.begin();
      for (const Waiting& waiting : own.tasks) {
        if (waiting.length <= *last) {
          taken.push_back(waiting.task);
        } else {
          *kept++ = waiting;
        }
      }
      own.tasks.erase(kept, own.tasks.end());
      if (own.tasks.empty()) own.longest = 0;
    }
    size_ -= taken.size();
    find_longest();
    return taken;
  }

 private:
  struct Waiting {
    std::size_t length;
    PartTask<Task> task;
  };
  // Tasks of a comparison.
  struct Own {
    std::vector<Waiting> tasks;
    bool in_order = true;  // the longest is the last
    std::size_t longest = 0;
  };

  void find_longest() {
    const auto own = std::ranges::max_element(tasks_, {}, &Own::longest);
    longest_ = own->longest;
    place_of_longest_ = static_cast<std::size_t>(own - tasks_.begin());
  }

  std::vector<Own> tasks_;  // of each comparison
  std::size_t longest_ = 0, place_of_longest_ = 0;
  std::size_t size_ = 0;
};

}  // namespace gpuhmm::hmmer3
