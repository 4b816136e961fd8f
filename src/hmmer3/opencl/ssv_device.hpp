// SSV, the first stage of HMMER3's filters, on a device: finds the sequences that may pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpuhmm/device.hpp"
#include "gpuhmm/sequence.hpp"
#include "hmmer3/opencl/ssv_batch.hpp"
#include "hmmer3/opencl/ssv_tables.hpp"
#include "hmmer3/opencl/ssv_variant.hpp"
#include "hmmer3/ssv_finder.hpp"
#include "opencl/growing_buffer.hpp"
#include "opencl/kernel_set.hpp"
#include "opencl/open_device.hpp"
#include "opencl/queue.hpp"

namespace gpuhmm::hmmer3 {

/// Not thread-safe. All calls throw EngineFailure.
class SsvDevice : public SsvFinder {
 public:
  /// Opens the device; `threads` host threads prepare its data. `variant`: none for choose_ssv_variant.
  /// `sources` must outlive it.
  SsvDevice(const DeviceInfo& device, unsigned threads, std::optional<SsvVariant> variant = std::nullopt,
            const KernelSources& sources = kernel_sources());

  std::string description() const override { return device_.description(); }
  double busy_seconds() const override { return busy_; }
  void load(const SequenceBatch& batch) override;
  std::vector<std::vector<SsvFinding>> find(std::span<const SsvQuery> queries) override;

 private:
  struct Launch;

  SsvBatch& batch_for(int nodes);
  void run(const Launch& launch, std::vector<std::vector<SsvFinding>>& found);
  void run_groups(const Launch& launch, std::size_t first, std::size_t count, std::size_t strip_steps,
                  std::vector<std::vector<SsvFinding>>& found);

  OpenDevice device_;
  SsvVariant variant_;
  unsigned threads_;
  KernelSet kernels_;
  Queue queue_;
  const SequenceBatch* sequences_ = nullptr;
  std::optional<LengthClasses> classes_;
  std::map<std::size_t, std::unique_ptr<SsvBatch>> batches_;  // by overlap
  GrowingBuffer gains_, pairs_, least_, edges_, count_, found_;
  std::size_t found_room_;  // findings that found_ has memory for
  double busy_ = 0;
};

}  // namespace gpuhmm::hmmer3
