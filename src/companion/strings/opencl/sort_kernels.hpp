// The building blocks of sorting on a device: scans, and passes over 64-bit keys.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "opencl/session.hpp"

namespace gpuhmm {

/// Buffers for keys that are sorted, and for those they are moved to; values may be empty.
struct KeyBuffers {
  cl::Buffer keys, other_keys;      ///< 64-bit
  cl::Buffer values, other_values;  ///< 32-bit
};

/// A device's queue with the kernels of cl/sort_*.cl and cl/count_words.cl. Throws OpenClError. Sizes are
/// below 2^32.
class SortKernels {
 public:
  static constexpr std::size_t kGroup = 256;
  static constexpr unsigned kTextBytes = 20480;  ///< that a work-group of write_words holds

  explicit SortKernels(const DeviceInfo& device);

  const DeviceInfo& device() const { return session_.info(); }
  /// A buffer of `size` elements, at least one.
  template <class Element>
  cl::Buffer buffer(std::size_t size) const {
    return session_.guarded([&] {
      return cl::Buffer(session_.context(), CL_MEM_READ_WRITE,
                        std::max<std::size_t>(size, 1) * sizeof(Element));
    });
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

  /// Replaces `size` 32-bit numbers by the sums of all before; gives the sum of all.
  std::uint32_t exclusive_scan(const cl::Buffer& numbers, std::size_t size);
  /// The bits that are not the same in all keys.
  std::uint64_t varying_bits(const cl::Buffer& keys, std::size_t size);
  /// Sorts by the bits in `varying`, stably. The result is in `keys` and `values`.
  void sort(KeyBuffers& buffers, std::size_t size, std::uint64_t varying, bool pairs);

  /// Seconds that kernels and copies took on the device so far, by name, by their events.
  std::map<std::string, double> seconds();

 private:
  struct Build {
    std::vector<std::string> files;
    std::string options;
    std::size_t tile;  // keys of a work-group in a sorting pass
    std::map<std::string, cl::Kernel> kernels;
  };

  template <class... Arguments>
  void launch(Build& build, const std::string& name, std::size_t groups, const Arguments&... arguments) {
    if (groups == 0) return;
    session_.guarded([&] {
      cl::Kernel& kernel = kernel_of(build, name);
      cl_uint place = 0;
      (kernel.setArg(place++, arguments), ...);
      cl::Event event;
      queue_.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(groups * kGroup), cl::NDRange(kGroup),
                                  nullptr, &event);
      note(name, std::move(event));
    });
  }
  cl::Kernel& kernel_of(Build& build, const std::string& name);
  void note(const std::string& name, cl::Event event);
  void pass(Build& build, KeyBuffers& buffers, std::size_t size, unsigned shift, std::uint32_t mask,
            bool pairs, const cl::Buffer& counts, const cl::Buffer& sums);
  bool sort_by_buckets(KeyBuffers& buffers, std::size_t size, std::uint64_t varying);
  Build& bucket_build(std::size_t largest);
  void scan_levels(const cl::Buffer& numbers, std::size_t size, const cl::Buffer& sums);

  Session session_;
  cl::CommandQueue queue_;
  Build keys_, pairs_, single_;
  std::map<std::size_t, Build> buckets_;                   // by the keys of a work-item
  std::vector<std::pair<std::string, cl::Event>> events_;  // not yet added to seconds_
  std::map<std::string, double> seconds_;
};

}  // namespace gpuhmm
