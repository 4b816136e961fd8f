// Aligns sequences to one profile on devices.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "align/batch_aligner.hpp"
#include "align/grid_model.hpp"
#include "align/opencl/path_devices.hpp"
#include "align/opencl/path_model.hpp"
#include "align/task_shares.hpp"
#include "plan7/aligner.hpp"

namespace gpuhmm {

/// Any number of threads may call.
class DevicePaths {
 public:
  /// `model` was made from `profile`. All arguments must outlive this.
  DevicePaths(PathDevices& devices, const Profile& profile, const ScoreModel& model,
              std::span<const AlignmentTask> tasks);

  /// Whether every device can align a task: HMMER would use the full matrix, and a launch need not wait for
  /// it.
  bool can_align(std::size_t task) const;

  /// Aligns tasks that it takes from `shares`, and returns them; none if no device has time or there is
  /// nothing for it. aligned[n] becomes the result of task n of those, as align() gives it; nothing where the
  /// device could not find or prove it. `host` recomputes a sample. Throws WrongScore.
  std::vector<std::size_t> align_some(TaskShares& shares,
                                      std::vector<std::optional<AlignedSequence>>& aligned,
                                      FullAligner& host);

 private:
  std::optional<AlignedSequence> result(const AlignmentTask& task, const grid::FoundPath& found) const;
  void verify(std::span<const std::size_t> launch, std::span<const std::optional<AlignedSequence>> aligned,
              FullAligner& host, const OpenDevice& device) const;

  PathDevices& devices_;
  PathDevices::Use use_;
  const Profile& profile_;
  grid::GridModel model_;
  grid::PathModel tables_;
  std::span<const AlignmentTask> tasks_;
};

}  // namespace gpuhmm
