// SSV of several models and a batch of sequences, as a device computes it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpuhmm/sequence.hpp"
#include "hmmer3/first_stage_marks.hpp"

namespace gpuhmm {
struct DeviceCosts;
}

namespace gpuhmm::hmmer3 {

/// A model and what may pass the first stage with it. `model` must outlive it.
struct SsvQuery {
  const ByteModel* model;
  FirstStageMarks marks;
};

/// Not thread-safe. Calls throw EngineFailure.
class SsvFinder {
 public:
  virtual ~SsvFinder() = default;

  /// One line of text that names the device.
  virtual std::string description() const = 0;
  /// Seconds for which the device has computed.
  virtual double busy_seconds() const = 0;
  /// What was taken of the device, also by what shares it.
  virtual DeviceCosts device_costs() const = 0;

  /// Takes `batch`, which must live and stay as it is until the next call, in place of the one before.
  virtual void load(const SequenceBatch& batch) = 0;

  /// Compares the batch with the models: for each the sequences that its marks let pass, in the order of the
  /// batch. Sequences without residues are never among them.
  virtual std::vector<std::vector<SsvFinding>> find(std::span<const SsvQuery> queries) = 0;
};

}  // namespace gpuhmm::hmmer3
