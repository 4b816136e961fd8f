// Runs launches, turns their paths into traces, and compares a sample with the host's.
#include "align/opencl/device_paths.hpp"

#include <string>
#include <utility>

#include "align/opencl/path_words.hpp"
#include "opencl/open_device.hpp"

namespace gpuhmm {

DevicePaths::DevicePaths(PathDevices& devices, const Profile& profile, const ScoreModel& model,
                         std::span<const AlignmentTask> tasks)
    : devices_(devices),
      use_(devices),
      profile_(profile),
      model_(model, grid::kPathItems),
      tables_(model_),
      tasks_(tasks) {}

bool DevicePaths::can_align(std::size_t task) const {
  const std::size_t length = tasks_[task].residues.size();
  return devices_.can_align(length, tables_.steps) && model_.fits(length) &&
         tasks_[task].rule.full_allowed(static_cast<std::int64_t>(length));
}

std::vector<std::size_t> DevicePaths::align_some(TaskShares& shares,
                                                 std::vector<std::optional<AlignedSequence>>& aligned,
                                                 FullAligner& host) {
  const std::optional<PathDevices::Turn> turn = devices_.try_begin();
  if (!turn) return {};
  std::vector<std::size_t> launch = shares.take_launch(turn->variant(), [&](std::size_t t) {
    return tasks_[t].residues.size() * tables_.steps * grid::kPathItems;
  });
  if (launch.empty()) return launch;
  aligned.assign(launch.size(), std::nullopt);
  std::vector<grid::PathTask> tasks;
  for (const std::size_t t : launch) tasks.push_back({tasks_[t].residues, tasks_[t].lowest_traced});
  try {
    const std::vector<grid::FoundPath> found = turn->stream().run(tables_, tasks);
    for (std::size_t n = 0; n < launch.size(); ++n) aligned[n] = result(tasks_[launch[n]], found[n]);
  } catch (const EngineFailure& failure) {
    devices_.fail(*turn, failure);
    return launch;
  }
  verify(launch, aligned, host, turn->stream().device());
  return launch;
}

std::optional<AlignedSequence> DevicePaths::result(const AlignmentTask& task,
                                                   const grid::FoundPath& found) const {
  if (!model_.proves(found.score, task.residues.size())) return std::nullopt;
  AlignedSequence aligned{found.score, std::nullopt};
  if (found.score < task.lowest_traced) return aligned;
  if (!found.words) return std::nullopt;
  aligned.trace = grid::trace_of_words(*found.words, model_.scores, profile_, task.residues.size());
  if (!aligned.trace) return std::nullopt;
  return aligned;
}

void DevicePaths::verify(std::span<const std::size_t> launch,
                         std::span<const std::optional<AlignedSequence>> aligned, FullAligner& host,
                         const OpenDevice& device) const {
  std::vector<double> cells;
  for (const std::size_t t : launch) {
    cells.push_back(static_cast<double>(tasks_[t].residues.size()) * model_.scores.nodes);
  }
  for (const std::size_t n : devices_.to_verify(cells)) {
    if (!aligned[n]) continue;
    const AlignmentTask& task = tasks_[launch[n]];
    MatrixRule rule = task.rule;
    const AlignedSequence expected = align(task.residues, rule, task.lowest_traced, host);
    if (aligned[n]->score == expected.score && aligned[n]->trace == expected.trace) continue;
    throw WrongScore(device.description() + " gave a sequence of " + std::to_string(task.residues.size()) +
                     " residues and profile " + profile_.name + " a wrong score or path (score " +
                     std::to_string(aligned[n]->score) + ", should be " + std::to_string(expected.score) +
                     ", 1/1000 bit). Do not use this device");
  }
}

}  // namespace gpuhmm
