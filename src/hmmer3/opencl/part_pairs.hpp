// Parts of sequences, as pairs of a query and a sequence of a batch of their own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "gpuhmm/sequence.hpp"
#include "hmmer3/pair_scorer.hpp"

namespace gpuhmm::hmmer3 {

/// Pairs that tasks make: Task has a `sequence`, and `lengths` of the target as a whole.
template <class Task>
struct PartPairs {
  SequenceBatch batch;
  std::vector<PairQuery> queries;
  std::vector<Task*> tasks;  ///< by sequence of the batch

  /// Adds a query with its tasks, which are put in order, the longest first.
  void add(const SearchProfile& profile, std::vector<Task*> of_query) {
    std::ranges::stable_sort(of_query, std::ranges::greater(),
                             [](const Task* task) { return task->sequence.size(); });
    PairQuery& query = queries.emplace_back(&profile, std::vector<std::size_t>());
    for (Task* const task : of_query) {
      query.sequences.push_back(tasks.size());
      tasks.push_back(task);
      batch.begin_sequence("", "", "");
      batch.append_residues(task->sequence);
    }
  }
};

}  // namespace gpuhmm::hmmer3
