// Times HMMER3's SSV with settings of its kernel.
#pragma once

#include <deque>
#include <vector>

#include "gpuhmm/device.hpp"
#include "gpuhmm/sequence.hpp"
#include "hmmer3/filter_model.hpp"
#include "hmmer3/ssv_finder.hpp"

namespace gpuhmm {

/// Compares random profiles with sequences on a GPU. Not thread-safe.
class SsvTuner {
 public:
  /// `device` and `sequences`, of proteins, must outlive it; `threads` host threads prepare data.
  SsvTuner(const DeviceInfo& device, const SequenceBatch& sequences, unsigned threads);

  /// Cells a second of the kernels. Throws std::invalid_argument for settings that GPUs do not have, and
  /// EngineFailure if the device fails, or finds other sequences than in the first call.
  double measure(const DeviceSettings& settings);

  /// What the first call has found, by model; empty before.
  const std::vector<std::vector<hmmer3::SsvFinding>>& found() const { return found_; }

 private:
  const DeviceInfo& device_;
  const SequenceBatch& sequences_;
  unsigned threads_;
  std::deque<hmmer3::ByteModel> models_;
  std::vector<hmmer3::SsvQuery> queries_;
  double cells_ = 0;
  std::vector<std::vector<hmmer3::SsvFinding>> found_;
};

}  // namespace gpuhmm
