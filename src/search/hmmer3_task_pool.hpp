// Regions or envelopes that wait for a thread or a device.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <utility>
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
    const std::size_t place = task.part->place;
    const std::size_t before = longest_of(place);
    tasks_[place].emplace(task.length(), task);
    ++size_;
    rank(place, before);
  }

  /// The length of the longest one; 0: there is none.
  std::size_t longest() const { return longest_.empty() ? 0 : longest_.rbegin()->first; }

  /// Takes the longest one and others of its comparison that fill a thread's vectors. A long sequence is
  /// alone, so that no thread is left with several. There must be one.
  Tasks take_longest() {
    constexpr std::size_t kSideBySide = 4, kMostResidues = 4096;
    const auto [length, place] = *longest_.rbegin();
    Tasks taken;
    std::size_t residues = 0;
    auto& own = tasks_[place];
    while (!own.empty() && taken.size() < kSideBySide) {
      const auto last = std::prev(own.end());
      if (!taken.empty() && residues + last->first > kMostResidues) break;
      residues += last->first;
      taken.push_back(last->second);
      own.erase(last);
    }
    size_ -= taken.size();
    rank(place, length);
    return taken;
  }

  /// Takes that share of all, the shortest ones.
  Tasks take_shortest(double share) {
    std::vector<std::size_t> lengths;
    lengths.reserve(size_);
    for (const auto& own : tasks_)
      for (const auto& [length, task] : own) lengths.push_back(length);
    Tasks taken;
    const auto count =
        std::min(size_, static_cast<std::size_t>(std::ceil(share * static_cast<double>(size_))));
    if (count == 0) return taken;
    const auto last = lengths.begin() + static_cast<std::ptrdiff_t>(count - 1);
    std::ranges::nth_element(lengths, last);
    for (std::size_t place = 0; place < tasks_.size(); ++place) {
      const std::size_t before = longest_of(place);
      auto& own = tasks_[place];
      const auto end = own.upper_bound(*last);
      for (auto at = own.begin(); at != end; ++at) taken.push_back(at->second);
      own.erase(own.begin(), end);
      rank(place, before);
    }
    size_ -= taken.size();
    return taken;
  }

 private:
  std::size_t longest_of(std::size_t place) const {
    return tasks_[place].empty() ? 0 : tasks_[place].rbegin()->first;
  }
  // Ranks a comparison whose longest task had the length `before`.
  void rank(std::size_t place, std::size_t before) {
    const std::size_t now = longest_of(place);
    if (now == before) return;
    if (before > 0) longest_.erase({before, place});
    if (now > 0) longest_.emplace(now, place);
  }

  std::vector<std::multimap<std::size_t, PartTask<Task>>> tasks_;  // of each comparison, by length
  std::set<std::pair<std::size_t, std::size_t>> longest_;  // length of the longest of each, and its place
  std::size_t size_ = 0;
};

}  // namespace gpuhmm::hmmer3
