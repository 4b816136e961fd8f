// Finds the rectangles of largest sum: chooses the integers and the host or devices, and repeats the search
// for further rectangles.
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

/// Where and how to search.
struct SubmatrixOptions {
  unsigned threads = 1;  ///< host threads
  FractionDone done;     ///< may be empty
  /// The devices that share the work; if there are none, the host does it.
  std::vector<std::unique_ptr<DeviceWalker>> devices;
  std::optional<WalkTile> shape;  ///< of the devices' kernel; else it is chosen
  /// Receives one line if a device fails; the host then does the work.
  std::function<void(const std::string&)> warn;
};

/// The same result as best_submatrix_reference, by the fastest method that the values allow: integers of 32
/// bits, of 64 bits, or, if sums may exceed these, the reference itself. If a device fails, all are removed
/// from `options`.
Pattern best_submatrix(const Matrix& matrix, SubmatrixOptions& options);

/// The rectangle that a walk on `device` found. Throws WrongDeviceResult if no rectangle that begins at row
/// found.first has that sum, or if a segment of a row or column in a sample has a larger sum.
Pattern checked_pattern(const Matrix& matrix, const WalkResult& found, unsigned threads,
                        const std::string& device);

/// Throws WrongDeviceResult if a segment of one of some rows and columns has a larger sum than `sum`, which a
/// walk on `device` gave as the largest.
void check_largest_sum(const Matrix& matrix, std::int64_t sum, const std::string& device);

/// Rectangles without common cells within the limits, each the best among the cells outside the earlier ones.
/// Fewer if no positive cells remain.
std::vector<Pattern> top_submatrices(Matrix matrix, const SubmatrixLimits& limits, SubmatrixOptions& options);

/// The work of a search in pair-rows: the number of pairs of lines times the number of rows.
double pair_rows(const Matrix& matrix);

/// Opens the devices that `spec`, the argument of --device, names. `work`: the pair-rows of the search.
/// "auto" opens the first GPU if the work takes longer than starting it; if that GPU cannot be opened, `warn`
/// receives the reason and the result is empty. Throws DeviceError if a named device is missing or cannot be
/// opened, or if `spec` names the host beside devices, which submatrix does not support.
std::vector<std::unique_ptr<DeviceWalker>> open_walkers(const std::string& spec, double work,
                                                        unsigned threads,
                                                        const std::function<void(const std::string&)>& warn);

}  // namespace gpuhmm
