// Runs the publication's kernels for the maximum submatrix on one device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "companion/segments/working_device.hpp"
#include "experiment/resources.hpp"

namespace gpuhmm::experiment::maximum {

/// A variant of the kernels of cl/maximum_submatrix.cl with its launch.
struct PairShape {
  bool staged = true;     ///< M-shared: through local memory; else M-global
  bool branches = true;   ///< as published; else maxima
  unsigned groups = 16;   ///< work-groups
  unsigned group = 1024;  ///< work-items of a work-group
  unsigned rows = 12;     ///< rows in local memory at a time

  std::size_t items() const { return std::size_t{groups} * group; }
  /// Resources needed for a matrix of `size` rows and columns.
  Needs needs(std::size_t size) const {
    return {staged ? std::uint64_t{group} * rows * sizeof(std::int32_t) : 0, group,
            std::uint64_t{size} * size * sizeof(std::int32_t)};
  }
  /// Name of the variant: "M-shared, 16 x 1024", and its differences from the publication.
  std::string name() const;
  bool operator==(const PairShape&) const = default;
};

/// The number of pairs of columns g <= h of a matrix.
constexpr std::size_t pair_count(std::size_t size) { return size * (size + 1) / 2; }

/// A device that holds one matrix at a time. Not thread-safe. Calls throw EngineFailure.
class SubmatrixScanner {
 public:
  explicit SubmatrixScanner(const DeviceInfo& device);

  /// Copies a square matrix of 1 to 32,767 rows to the device. All sums of rectangles must fit 32 bits.
  void load(std::span<const std::int32_t> matrix, std::size_t size);
  /// Computes the prefix sums, and the largest sum, at least 0, of the rectangles between the columns of
  /// pairs [first, last). Pairs are numbered row by row in the table of all (g, h). Call once after each
  /// load().
  std::int32_t largest(const PairShape& shape, std::size_t first, std::size_t last);
  /// Seconds of all kernels of the last call of largest(), by their events.
  double kernel_seconds() const;

 private:
  WorkingDevice device_;
  std::size_t size_ = 0;
};

}  // namespace gpuhmm::experiment::maximum
