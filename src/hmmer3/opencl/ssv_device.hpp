// SSV, the first stage of HMMER3's filters, on a device: finds the sequences that may pass.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpuhmm/device.hpp"
#include "gpuhmm/sequence.hpp"
#include "hmmer3/opencl/device_residues.hpp"
#include "hmmer3/opencl/resident_residues.hpp"
#include "hmmer3/opencl/ssv_batch.hpp"
#include "hmmer3/opencl/ssv_stream.hpp"
#include "hmmer3/opencl/ssv_variant.hpp"
#include "hmmer3/ssv_finder.hpp"
#include "opencl/busy_time.hpp"
#include "opencl/open_device.hpp"

namespace gpuhmm::hmmer3 {

/// Not thread-safe. All calls throw EngineFailure.
class SsvDevice : public SsvFinder {
 public:
  /// Opens the device; `threads` host threads prepare its data. `variant`: none for choose_ssv_variant.
  /// `sources` must outlive it.
  SsvDevice(const DeviceInfo& device, unsigned threads, std::optional<SsvVariant> variant = std::nullopt,
            const KernelSources& sources = kernel_sources());

  const OpenDevice& device() const { return device_; }
  /// The residues that stay on the device.
  ResidentResidues& resident() { return resident_; }
  std::string description() const override { return device_.description(); }
  double busy_seconds() const override { return busy_.seconds(); }
  DeviceCosts device_costs() const override { return device_.costs(description()); }
  void load(const SequenceBatch& batch) override;
  std::vector<std::vector<SsvFinding>> find(std::span<const SsvQuery> queries) override;

 private:
  static constexpr unsigned kStreams = 2;
  class Borrowed;

  const SsvBatch& batch_for(int nodes);
  std::vector<SsvLaunch> launches_of(std::span<const SsvQuery> queries,
                                     std::vector<std::vector<SsvFinding>>& found);

  OpenDevice device_;
  SsvVariant variant_;
  unsigned threads_;
  const SequenceBatch* sequences_ = nullptr;
  std::optional<LengthClasses> classes_;
  SsvPacker packer_;
  ResidentResidues resident_;
  DeviceResidues residues_{&resident_};
  std::map<std::size_t, SsvPacker::Memory> memory_;           // of batches, by overlap
  std::map<std::size_t, std::unique_ptr<SsvBatch>> batches_;  // likewise
  std::mutex mutex_;                                          // of streams_
  std::vector<std::unique_ptr<SsvStream>> streams_;           // that are free
  BusyTime busy_;
};

}  // namespace gpuhmm::hmmer3
