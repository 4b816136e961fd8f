// What sorting on a device is made of: scans, and passes over 64-bit keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "opencl/command_log.hpp"
#include "opencl/kernel_set.hpp"
#include "opencl/queue.hpp"

namespace gpuhmm {

/// Buffers for keys that are sorted, and for those they are moved to; values may be empty.
struct KeyBuffers {
  cl::Buffer keys, other_keys;      ///< 64-bit
  cl::Buffer values, other_values;  ///< 32-bit
};

/// A device's queue with the kernels of cl/sort_*.cl and cl/count_words.cl. Throws EngineFailure. Sizes are
/// below 2^32.
class SortKernels {
 public:
  static constexpr std::size_t kGroup = 256;
  static constexpr unsigned kTextBytes = 20480;  ///< bytes of text that a work-group of write_words holds

  explicit SortKernels(const DeviceInfo& device);

  const DeviceInfo& device() const { return device_.info(); }
  /// A buffer of `size` elements, at least one.
  template <class Element>
  cl::Buffer buffer(std::size_t size) const {
    return device_.buffer<Element>(size);
  }
  void write(const cl::Buffer& to, const void* from, std::size_t bytes);
  void read(const cl::Buffer& from, void* to, std::size_t bytes, std::size_t offset = 0);
  void copy(const cl::Buffer& from, const cl::Buffer& to, std::size_t bytes);
  void fill_zero(const cl::Buffer& buffer, std::size_t bytes);

  /// Launches kernel `name` of sort_ops.cl, sort_strings.cl or count_words.cl over `groups` work-groups.
  template <class... Arguments>
  void run(const std::string& name, std::size_t groups, const Arguments&... arguments) {
    launch(single_, name, groups, arguments...);
  }
  /// The same over one work-item for each of `size` elements.
  template <class... Arguments>
  void run_over(const std::string& name, std::size_t size, const Arguments&... arguments) {
    run(name, (size + kGroup - 1) / kGroup, arguments...);
  }

  /// Replaces each of `size` 32-bit numbers by the sum of all before it; returns the sum of all.
  std::uint32_t exclusive_scan(const cl::Buffer& numbers, std::size_t size);
  /// The bits that differ between keys.
  std::uint64_t varying_bits(const cl::Buffer& keys, std::size_t size);
  /// Sorts by the bits in `varying`, stably. The result is in `keys` and `values`.
  void sort(KeyBuffers& buffers, std::size_t size, std::uint64_t varying, bool pairs);

  /// Seconds that kernels and copies took on the device so far, by name, by their events.
  std::map<std::string, double> seconds();

 private:
  struct Build {
    std::size_t tile;  // keys of a work-group in a sorting pass
    KernelSet kernels;
  };

  template <class... Arguments>
  void launch(Build& build, const std::string& name, std::size_t groups, const Arguments&... arguments) {
    if (groups == 0) return;
    note(name, queue_.launch(build.kernels[name], {groups * kGroup, kGroup}, arguments...));
  }
  // `each`: keys of a work-item.
  Build sorting_build(std::size_t each, const std::string& more = "") const;
  void note(const std::string& name, cl::Event event);
  void pass(Build& build, KeyBuffers& buffers, std::size_t size, unsigned shift, std::uint32_t mask,
            bool pairs, const cl::Buffer& counts, const cl::Buffer& sums);
  bool sort_by_buckets(KeyBuffers& buffers, std::size_t size, std::uint64_t varying);
  Build& bucket_build(std::size_t largest);
  void scan_levels(const cl::Buffer& numbers, std::size_t size, const cl::Buffer& sums);

  OpenDevice device_;
  Queue queue_;
  Build keys_, pairs_, single_;
  std::map<std::size_t, Build> buckets_;  // by the keys of a work-item
  CommandLog<std::string> commands_;      // not yet added to seconds_
  std::map<std::string, double> seconds_;
};

}  // namespace gpuhmm
