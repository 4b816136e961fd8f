// Increasing subsequences of the largest sum, of a given number of elements or of any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "gpuhmm/device.hpp"
#include "opencl/host_fallback.hpp"
#include "util/int128.hpp"

namespace gpuhmm {

/// What is asked for.
struct SubsequenceQuery {
  enum class Length : std::uint8_t { Any, Exactly, AtMost };

  Length length = Length::Any;
  std::uint64_t elements = 0;   ///< of Exactly and AtMost, at least 1
  bool non_decreasing = false;  ///< elements may equal the one before
};

/// How levels of the recurrence are computed; any length takes one Fenwick tree and one thread whatever is
/// chosen but Plain.
enum class SubsequenceMethod : std::uint8_t {
  Auto,      ///< a device if one was given, Levels or Blocks there; else Fenwick
  Plain,     ///< host, O(n^2 K): the definition
  Fenwick,   ///< host, O(n K log n)
  Elements,  ///< device, O(n^2 K), a launch for every element, as published
  Levels,    ///< device, O(n^2 K), a launch for every level
  Blocks     ///< device, O(n^1.5 K) by blocks of positions and of ranks
};
/// "auto", "plain", "fenwick", "elements", "levels", "blocks".
const char* method_name(SubsequenceMethod method);
std::optional<SubsequenceMethod> method_of(const std::string& name);
/// True for those that need a device.
bool needs_device(SubsequenceMethod method);

/// Where it is computed. No field changes the answer.
struct SubsequenceCompute {
  SubsequenceMethod method = SubsequenceMethod::Auto;
  std::optional<DeviceInfo> device;
  /// The failures of the device after which the host computes the answer.
  HostFallback::After host_after = HostFallback::After::WrongResult;
  std::size_t memory = std::size_t{1} << 30;  ///< of the host, for levels, bytes
  unsigned threads = 1;                       ///< of the host, for Plain and Fenwick
};

/// An answer.
struct Subsequence {
  /// Counted from 0, ascending; of all subsequences with the largest sum the fewest, then the
  /// lexicographically smallest. Empty: there is none.
  std::vector<std::size_t> positions;
  std::variant<Int128, double> sum;  ///< exact of integers, the nearest double of real numbers
  std::size_t longest = 0;  ///< elements of the longest subsequence, counted only if there is no answer

  SubsequenceMethod method = SubsequenceMethod::Fenwick;  ///< what was used
  std::string arithmetic;                                 ///< of the sums, in words
  std::string passed_over;  ///< why the device was not used though given, in one line; empty if it was
  struct Seconds {
    double prepare = 0;  ///< ranks and summands
    double solve = 0;    ///< all else
    double kernels = 0;  ///< of it, time of the device's kernels
  } seconds;
};

/// Work (elements x levels) from which a GPU that must be started first is worth it: where the host takes
/// the better part of a second.
bool worth_a_device(std::size_t elements, const SubsequenceQuery& query);

/// Finds it. T: int32, int64, float or double, all finite, fewer than 2^31 of them. Throws
/// std::invalid_argument if query.elements is 0, std::length_error, and EngineFailure for failures of the
/// device that compute.host_after leaves out, or if a method that needs one was asked for and cannot be used.
template <class T>
Subsequence best_subsequence(std::span<const T> values, const SubsequenceQuery& query,
                             const SubsequenceCompute& compute = {});

}  // namespace gpuhmm
