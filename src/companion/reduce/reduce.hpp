// Stacks of matrices reduced element by element: minimum, maximum, sum, mean.
//
// Answers never depend on device, block size or threads:
// - Minimum and maximum order real numbers as -inf < ... < -0 < +0 < ... < +inf; what NaN does is NanPolicy.
// - Sums of integers are exact. A sum that does not fit int64 is an error; a mean is the exact sum divided by
//   the number of matrices, rounded once.
// - Sums of real numbers are added in double in a fixed tree that depends on their type, on their number n
// and on
//   the size of a matrix only. Matrices are dealt to L lanes in turn, number i to lane i mod L, the least
//   power of two that makes 64 numbers float32 or 2048 numbers float64. In a lane neighbours are added, then
//   neighbours of these sums, and so on, as if -0 filled it up to a power of two; then halves of the lanes
//   are added, lane k and k + L / 2, until one is left. A number takes part in at most d = log2 L +
//   ceil(log2(ceil(n / L))) additions: the error is at most d u / (1 - d u) times the sum of the magnitudes,
//   u = 2^-53. A sum of zero is +0.
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

enum class ReduceOperation : std::uint8_t { Minimum, Maximum, Sum, Mean };
/// "min", "max", "sum", "mean".
const char* operation_name(ReduceOperation operation);
std::optional<ReduceOperation> operation_of(const std::string& name);

/// What NaN among real numbers does: makes the result NaN (numpy.min), is left out (numpy.nanmin; NaN only if
/// there is nothing else, 0 for sums), or is refused.
enum class NanPolicy : std::uint8_t { Propagate, Ignore, Refuse };

struct ReduceOptions {
  ReduceOperation operation = ReduceOperation::Minimum;
  NanPolicy nan = NanPolicy::Propagate;
  unsigned threads = 1;
};

/// NaN where NanPolicy::Refuse was asked for.
class NanFound : public std::runtime_error {
 public:
  NanFound(std::uint64_t item_with_it, std::uint64_t element_of_item)
      : std::runtime_error("not a number"), item(item_with_it), element(element_of_item) {}
  std::uint64_t item;     ///< matrix of the stack, from 0
  std::uint64_t element;  ///< its element in row-major order, from 0
};

/// Takes a stack part by part.
class StackReducer {
 public:
  virtual ~StackReducer() = default;
  /// Adds whole matrices, of the type the reducer was made for. Throws NanFound, and what a device throws.
  virtual void add(const NumberValues& matrices) = 0;
  /// The reduced matrix: of the stack's type for minimum and maximum, int64 or float64 for sums, float64 for
  /// means. Throws std::invalid_argument if nothing was added, std::overflow_error if a sum leaves int64.
  /// Nothing may be added after it.
  virtual NumberValues result() = 0;
};

/// Reduces on the host. `item_size`: elements of a matrix.
std::unique_ptr<StackReducer> make_host_reducer(NumberType type, std::size_t item_size,
                                                const ReduceOptions& options);

/// Reduces on an OpenCL device, to which the stack is brought part by part; elements of a matrix: fewer than
/// 2^31. Throws EngineFailure, as all its calls do.
std::unique_ptr<StackReducer> make_device_reducer(const DeviceInfo& device, NumberType type,
                                                  std::size_t item_size, const ReduceOptions& options);

/// The definition, computed directly from a whole stack: what the reducers are compared with.
NumberValues reduce_plainly(const NumberValues& stack, std::size_t item_size, const ReduceOptions& options);

}  // namespace gpuhmm
