// The search for the rectangle of largest sum: chooses the integers and who walks, and repeats it for several
// rectangles.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "companion/submatrix/device_walk.hpp"
#include "companion/submatrix/host_walk.hpp"
#include "companion/submatrix/matrix.hpp"
#include "companion/submatrix/reference.hpp"

namespace gpuhmm {

/// How to search.
struct SubmatrixOptions {
  unsigned threads = 1;  ///< host threads
  FractionDone done;     ///< may be empty
  /// Share the work; without any the host does it.
  std::vector<std::unique_ptr<DeviceWalker>> devices;
  std::optional<WalkTile> shape;  ///< of the devices' kernel, in place of the one that is chosen
  /// Gets one line if a device fails; the host then does its work.
  std::function<void(const std::string&)> warn;
};

/// What best_submatrix_reference gives, exactly, by the fastest way that the values allow: integers of 32
/// bits, of 64, or, where sums may leave these, the reference itself. Devices that fail are removed from
/// `options`.
Pattern best_submatrix(const Matrix& matrix, SubmatrixOptions& options);

/// The rectangle that a walk on `device` found. Throws WrongDeviceResult if there is none with that sum from
/// its first row on, or a part of some row or column has a larger sum.
Pattern checked_pattern(const Matrix& matrix, const WalkResult& found, unsigned threads,
                        const std::string& device);

/// Throws WrongDeviceResult if a part of some row or column has a larger sum than `sum`, which a walk on
/// `device` found to be the largest.
void check_largest_sum(const Matrix& matrix, std::int64_t sum, const std::string& device);

/// Rectangles without common cells within the limits: each is the best one of what the earlier ones left.
/// Fewer if nothing positive is left.
std::vector<Pattern> top_submatrices(Matrix matrix, const SubmatrixLimits& limits, SubmatrixOptions& options);

/// The work of a search: pairs of lines times the rows that each is walked.
double pair_rows(const Matrix& matrix);

/// Opens the devices that `spec` (--device: auto, none, all, names) asks for, for work of so many pair-rows:
/// with auto the first GPU if the work is worth starting it, after a call of `warn` if it cannot be opened.
/// Throws DeviceError if a device that was named is not there or cannot be opened, and for the host beside
/// devices, which is not offered.
std::vector<std::unique_ptr<DeviceWalker>> open_walkers(const std::string& spec, double work,
                                                        unsigned threads,
                                                        const std::function<void(const std::string&)>& warn);

}  // namespace gpuhmm
