// Reduces a stack of matrices element by element to one matrix: minimum, maximum, sum or mean.
//
// Results never depend on device, block size or threads:
// - Minimum and maximum order real numbers as -inf < ... < -0 < +0 < ... < +inf; for NaN see NanPolicy.
// - Sums of integers are exact. A sum that does not fit int64 is an error. A mean is the exact sum divided by
//   the number of matrices, rounded once.
// - Sums of real numbers are added in double in a fixed order, which depends only on their type, on the
// number
//   n of matrices and on the size of a matrix. The stack is laid out in rows of L matrices, where L is the
//   least power of two with which a row has at least 64 float32 or 2048 float64. In each column of these rows
//   neighbours are added, then neighbours of these sums, and so on, as if -0 filled the column up to a power
//   of two. Then halves of the resulting row are added, matrix k and matrix k + L / 2, until one matrix is
//   left. A number takes part in at most d = log2 L + ceil(log2(ceil(n / L))) additions: the error is at most
//   d u / (1 - d u) times the sum of the magnitudes, u = 2^-53. A sum of zero is +0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "formats/numbers/numbers.hpp"
#include "gpuhmm/device.hpp"

namespace gpuhmm {

/// What is computed of each element over all matrices.
enum class ReduceOperation : std::uint8_t { Minimum, Maximum, Sum, Mean };
/// The name of an operation: "min", "max", "sum", "mean".
const char* operation_name(ReduceOperation operation);
/// The operation with that name; nothing for other names.
std::optional<ReduceOperation> operation_of(const std::string& name);

/// Effect of NaN among real numbers. Propagate: the result is NaN, as by numpy.min. Ignore: NaN is left out,
/// as by numpy.nanmin; if there is nothing else, the sum is 0 and other results are NaN. Refuse: throws
/// NanFound.
enum class NanPolicy : std::uint8_t { Propagate, Ignore, Refuse };

/// How a stack is reduced.
struct ReduceOptions {
  ReduceOperation operation = ReduceOperation::Minimum;
  NanPolicy nan = NanPolicy::Propagate;
  unsigned threads = 1;  ///< of the host
};

/// Thrown for NaN with NanPolicy::Refuse.
class NanFound : public std::runtime_error {
 public:
  NanFound(std::uint64_t item_with_it, std::uint64_t element_of_item)
      : std::runtime_error("not a number"), item(item_with_it), element(element_of_item) {}
  std::uint64_t item;     ///< matrix of the stack, from 0
  std::uint64_t element;  ///< its element in row-major order, from 0
};

/// Reduces a stack that is added part by part.
class StackReducer {
 public:
  virtual ~StackReducer() = default;
  /// Adds whole matrices, one after the other, of the number type the reducer was made for. Throws NanFound;
  /// reducers of devices also EngineFailure.
  virtual void add(const NumberValues& matrices) = 0;
  /// The reduced matrix: of the stack's type for minimum and maximum, int64 or float64 for sums, float64 for
  /// means. Throws std::invalid_argument if nothing was added, std::overflow_error if a sum leaves int64.
  /// Nothing may be added after it.
  virtual NumberValues result() = 0;
};

/// A reducer on the host. `item_size`: elements of a matrix.
std::unique_ptr<StackReducer> make_host_reducer(NumberType type, std::size_t item_size,
                                                const ReduceOptions& options);

/// A reducer on an OpenCL device, to which it copies the stack part by part. `item_size`: elements of a
/// matrix, fewer than 2^31. Throws EngineFailure, as do the reducer's calls.
std::unique_ptr<StackReducer> make_device_reducer(const DeviceInfo& device, NumberType type,
                                                  std::size_t item_size, const ReduceOptions& options);

/// Reduces a whole stack directly by the definition: the reference for the reducers. Throws as they do,
/// except that it does not refuse NaN.
NumberValues reduce_plainly(const NumberValues& stack, std::size_t item_size, const ReduceOptions& options);

}  // namespace gpuhmm
