// Regions of batches of sequences on one OpenCL device.
#pragma once

#include <cstddef>
#include <vector>

#include "companion/segments/regions.hpp"
#include "companion/segments/working_device.hpp"
#include "gpuhmm/device.hpp"

namespace gpuhmm {

/// Shape of the kernels of cl/segments_batch.cl, and the lengths of sequences that decide where they are
/// searched.
struct BatchShape {
  unsigned group = 128;                              // work-items of a work-group, a power of two
  std::size_t most_of_item = 256;                    // residues; longer sequences get a work-group
  std::size_t most_of_group = std::size_t{1} << 16;  // residues; the host searches longer sequences
  std::size_t most_at_once = std::size_t{1} << 24;   // residues on the device at a time, below 2^30

  /// The shape for a device. On CPU devices work-items search whole sequences even if they are long, because
  /// a CPU runs the work-items of a group one after the other.
  static BatchShape suiting(const DeviceInfo& info);
};

/// Searches sequences by one work-item each, long ones by one work-group each. The host searches sequences
/// longer than any known protein. Not thread-safe. All calls throw EngineFailure.
class RegionDevice {
 public:
  /// `threads`: host threads that unpack the device's results and search very long sequences.
  RegionDevice(const DeviceInfo& info, const BatchShape& shape, unsigned threads);

  const DeviceInfo& info() const { return device_.info(); }
  /// Finds the regions of sequences [first, last) of `batch`, the same as find_regions, and stores them in
  /// `found[first]` up to `found[last - 1]`.
  void find(const SequenceBatch& batch, std::size_t first, std::size_t last, const ResidueScores& scores,
            const RegionFilter& filter, std::vector<std::vector<Region>>& found);

  /// Run times of the kernels of the last call of find(), from OpenCL's profiling events.
  const std::vector<WorkingDevice::KernelTime>& kernel_times() const { return device_.kernel_times(); }

 private:
  struct Layout;  // placement of sequences in the device's memory
  struct Loaded;  // buffers with the sequences and scores
  Layout lay_out(const SequenceBatch& batch, std::size_t first, std::size_t last) const;
  template <class Sum>
  void find_laid_out(const Layout& layout, const ResidueScores& scores, Sum bottom,
                     const RegionFilter& filter, std::vector<std::vector<Region>>& found);
  template <class Sum>
  Loaded load(const Layout& layout, const ResidueScores& scores, Sum bottom);
  template <class Sum>
  void find_best(const Layout& layout, const Loaded& loaded, Sum bottom,
                 std::vector<std::vector<Region>>& found);
  template <class Sum>
  void find_all(const Layout& layout, const Loaded& loaded, Sum bottom, const RegionFilter& filter,
                std::vector<std::vector<Region>>& found);
  template <class Sum, class... Arguments>
  void launch(const char* kernel, std::size_t groups, const Arguments&... arguments);

  WorkingDevice device_;
  BatchShape shape_;
  unsigned threads_;
};

}  // namespace gpuhmm
