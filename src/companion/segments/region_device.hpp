// Regions of batches of sequences on one OpenCL device.
#pragma once

#include <cstddef>
#include <vector>

#include "companion/segments/regions.hpp"
#include "companion/segments/working_device.hpp"
#include "gpuhmm/device.hpp"

namespace gpuhmm {

/// Shape of the kernels of cl/segments_batch.cl, and who takes which sequences.
struct BatchShape {
  unsigned group = 128;                              // work-items of a work-group, a power of two
  std::size_t most_of_item = 256;                    // residues: longer sequences get a work-group
  std::size_t most_of_group = std::size_t{1} << 16;  // residues: longer sequences are left to the host
  std::size_t most_at_once = std::size_t{1} << 24;   // residues on the device at a time, below 2^30

  /// What suits a device. A CPU runs the work-items of a group one after the other: all get whole sequences.
  static BatchShape suiting(const DeviceInfo& info);
};

/// Sequences get a work-item each, long ones a work-group each; very long ones, longer than any known
/// protein, are searched by the host. Not thread-safe. Calls throw EngineFailure.
class RegionDevice {
 public:
  /// `threads` of the host take answers apart.
  RegionDevice(const DeviceInfo& info, const BatchShape& shape, unsigned threads);

  const DeviceInfo& info() const { return device_.info(); }
  /// The regions of sequences [first, last), put to their places in `found`: those of all_regions and
  /// filter_regions.
  void find(const SequenceBatch& batch, std::size_t first, std::size_t last, const ResidueScores& scores,
            const RegionFilter& filter, std::vector<std::vector<Region>>& found);

  /// What the kernels of the last call of find() took on the device, by their events.
  const std::vector<WorkingDevice::KernelTime>& kernel_times() const { return device_.kernel_times(); }

 private:
  struct Layout;  // of sequences in the device's memory
  struct Loaded;  // that memory
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
