// Parts of sequences, as pairs of a query and a sequence of a batch of their own.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "gpuhmm/sequence.hpp"
#include "hmmer3/opencl/pair_launches.hpp"
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
    PairQuery& query = queries.emplace_back(&profile, std::vector<std::uint32_t>());
    for (Task* const task : of_query) {
      query.sequences.push_back(static_cast<std::uint32_t>(tasks.size()));
      tasks.push_back(task);
      batch.begin_sequence("", "", "");
      batch.append_residues(task->sequence);
    }
  }
};

/// Pairs of a launch as kernels read them: first residue, residues, first row, first cell; and move and loop
/// of their targets.
struct PartPlaces {
  /// In place of the first cell of a pair whose cells need not stay; as in cl/hmmer3_sweeps.cl.
  static constexpr cl_uint kNotKept = 0xffffffff;

  /// Cells stay of the tasks for which keeps(task).
  template <class Task, class Keeps>
  PartPlaces(const PairLaunch& launch, const PartPairs<Task>& parts, const Keeps& keeps)
      : pairs(pair_places(launch.pairs, parts.batch, 0)) {
    for (const PairQuery& query : parts.queries) sizes.push_back(query.profile->floats.steps());
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const Pair& pair = launch.pairs[p];
      pairs[p][2] = rows;
      rows += pair.length + 1;
      const Task& task = *parts.tasks[pair.sequence];
      lengths.push_back({task.lengths.move, task.lengths.loop});
      pairs[p][3] = keeps(task) ? cells : kNotKept;
      if (keeps(task)) cells += pair.length * static_cast<cl_uint>(sizes[pair.query] * kStripes);
    }
  }

  std::vector<std::size_t> sizes;  ///< steps of the queries' models
  std::vector<Four> pairs;
  std::vector<std::array<float, 2>> lengths;
  cl_uint rows = 0, cells = 0;  ///< of all pairs, those that stay
};

}  // namespace gpuhmm::hmmer3
