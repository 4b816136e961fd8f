// Finds increasing subsequences of largest sum, with a given number of elements or any number.
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

/// The subsequence wanted.
struct SubsequenceQuery {
  /// Elements of the subsequence: any number, exactly or at most `elements`.
  enum class Length : std::uint8_t { Any, Exactly, AtMost };

  Length length = Length::Any;
  std::uint64_t elements = 0;   ///< for Exactly and AtMost; at least 1
  bool non_decreasing = false;  ///< elements may equal the one before them
};

/// How the levels of the recurrence (levels.hpp) are computed. With Length::Any every method but Plain uses
/// one Fenwick tree on one thread.
enum class SubsequenceMethod : std::uint8_t {
  Auto,      ///< a device if one was given, Levels or Blocks there; else Fenwick
  Plain,     ///< host, O(n^2 K): the definition
  Fenwick,   ///< host, O(n K log n)
  Elements,  ///< device, O(n^2 K), a launch for every element, as published
  Levels,    ///< device, O(n^2 K), a launch for every level
  Blocks     ///< device, O(n^1.5 K) by blocks of positions and of ranks
};
/// The name of a method: "auto", "plain", "fenwick", "elements", "levels", "blocks".
const char* method_name(SubsequenceMethod method);
/// The method with that name; nothing for other names.
std::optional<SubsequenceMethod> method_of(const std::string& name);
/// True for methods that run on a device only.
bool needs_device(SubsequenceMethod method);

/// Where and how to compute. No field changes the answer.
struct SubsequenceCompute {
  SubsequenceMethod method = SubsequenceMethod::Auto;
  std::optional<DeviceInfo> device;
  /// Failures of the device after which the host computes the answer.
  HostFallback::After host_after = HostFallback::After::WrongResult;
  std::size_t memory = std::size_t{1} << 30;  ///< bytes of the host's memory for levels
  unsigned threads = 1;                       ///< host threads for Plain and Fenwick
};

/// The answer to a query.
struct Subsequence {
  /// Positions of the elements, counted from 0, ascending. Of all subsequences with the largest sum, this one
  /// has the fewest elements, then the lexicographically smallest positions. Empty if there is none.
  std::vector<std::size_t> positions;
  std::variant<Int128, double> sum;  ///< exact for integers, the nearest double for real numbers
  std::size_t longest = 0;           ///< elements of the longest subsequence; set only if there is no answer

  SubsequenceMethod method = SubsequenceMethod::Fenwick;  ///< the method used
  std::string arithmetic;                                 ///< of the sums, as text (summand_name)
  std::string passed_over;  ///< one line: why a given device was not used; else empty
  struct Seconds {
    double prepare = 0;  ///< ranks and summands
    double solve = 0;    ///< the search
    double kernels = 0;  ///< part of `solve`: kernels of the device
  } seconds;
};

/// True if the host would need most of a second, so that starting a GPU pays. `elements`: those of the
/// vector.
bool worth_a_device(std::size_t elements, const SubsequenceQuery& query);

/// Finds the best subsequence of `values`. T: std::int32_t, std::int64_t, float or double; all values finite.
/// Throws std::invalid_argument if query.elements is 0 or a method needs a device and none is given,
/// std::length_error for 2^31 values or more, and EngineFailure for failures of the device that
/// compute.host_after excludes, or if the device cannot run the method that was chosen.
template <class T>
Subsequence best_subsequence(std::span<const T> values, const SubsequenceQuery& query,
                             const SubsequenceCompute& compute = {});

}  // namespace gpuhmm
