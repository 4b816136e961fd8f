// Forward and Backward of many pairs on a device.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hmmer3/opencl/sweep_groups.hpp"
#include "hmmer3/opencl/sweep_stream.hpp"
#include "hmmer3/pair_sweeper.hpp"
#include "opencl/busy_time.hpp"
#include "opencl/open_device.hpp"

namespace gpuhmm::hmmer3 {

/// Not thread-safe. All calls throw EngineFailure.
class SweepDevice : public PairSweeper {
 public:
  /// `device` must outlive it; `threads` host threads use what it finds. Gives nothing, and the host has to
  /// do all, on a device whose arithmetic is not that of HMMER3 (usable()). `room`: none for sweep_room().
  SweepDevice(const OpenDevice& device, unsigned threads, std::optional<SweepRoom> room = std::nullopt);

  /// Whether the device's arithmetic has passed a test.
  bool usable() const { return options_.has_value(); }

  std::string description() const override { return device_.description(); }
  double busy_seconds() const override { return busy_.seconds(); }
  void load(const SequenceBatch& batch) override;
  void sweep(std::span<const SweepQuery> queries, const SweepUser& user) override;

 private:
  static constexpr unsigned kStreams = 2;

  const OpenDevice& device_;
  SweepRoom room_;
  std::optional<std::string> options_;  // of the program; nothing: no options give HMMER3's arithmetic
  Queue queue_;
  const SequenceBatch* batch_ = nullptr;
  cl::Buffer residues_;
  bool loaded_ = false;  // residues_ are those of batch_
  std::vector<std::unique_ptr<SweepStream>> streams_;
  BusyTime busy_;
};

/// Build options to try, one after the other, until the device's arithmetic is that of HMMER3.
std::vector<std::string> sweep_build_options(const OpenDevice& device);

/// The room that a device has.
SweepRoom sweep_room(const DeviceInfo& device);

}  // namespace gpuhmm::hmmer3
