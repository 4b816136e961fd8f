// Prepares a vector, chooses the method, and assembles the answer.
#include "companion/subsequence/subsequence.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <type_traits>

#include "companion/subsequence/device_levels.hpp"
#include "companion/subsequence/fenwick.hpp"
#include "companion/subsequence/plain.hpp"
#include "opencl/wrong_result.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

namespace {

using Length = SubsequenceQuery::Length;

constexpr std::array<std::string_view, 6> kMethods = {"auto",     "plain",  "fenwick",
                                                      "elements", "levels", "blocks"};

// Threads of the Fenwick method: as many as the memory suffices for, but one for vectors so short that
// starting threads takes longer than they save.
template <class Sum>
unsigned fenwick_threads(const SubsequenceCompute& compute, std::size_t elements) {
  constexpr std::size_t kWorthIt = std::size_t{1} << 14;
  constexpr std::size_t kLevelsOfThread = 16;
  if (elements < kWorthIt) return 1;
  const std::size_t fit = compute.memory / (elements * sizeof(Sum) * kLevelsOfThread);
  return static_cast<unsigned>(std::clamp<std::size_t>(fit, 1, std::max(1U, compute.threads)));
}

template <class Sum>
std::unique_ptr<LevelEngine<Sum>> host_engine(SubsequenceMethod method, const RankedVector<Sum>& vector,
                                              const SubsequenceCompute& compute) {
  if (method == SubsequenceMethod::Plain)
    return std::make_unique<PlainLevels<Sum>>(vector, std::max(1U, compute.threads));
  return std::make_unique<FenwickLevels<Sum>>(vector, fenwick_threads<Sum>(compute, vector.size()));
}

// Elements up to which comparing all pairs is faster than the five launches of the method by blocks.
constexpr std::size_t kMostByPairs = 4096;

SubsequenceMethod device_method(SubsequenceMethod asked, std::size_t elements) {
  if (needs_device(asked)) return asked;
  return elements <= kMostByPairs ? SubsequenceMethod::Levels : SubsequenceMethod::Blocks;
}

DeviceLevelMethod level_method(SubsequenceMethod method) {
  if (method == SubsequenceMethod::Elements) return DeviceLevelMethod::Elements;
  return method == SubsequenceMethod::Levels ? DeviceLevelMethod::Levels : DeviceLevelMethod::Blocks;
}

// The positions found by the device. Nothing if the host has to search; `answer.passed_over` then says why a
// given device was not used.
template <class Sum>
std::optional<std::vector<std::size_t>> solve_on_device(const RankedVector<Sum>& vector, std::size_t elements,
                                                        bool or_fewer, const SubsequenceCompute& compute,
                                                        Subsequence& answer) {
  if (!compute.device) {
    if (needs_device(compute.method))
      throw std::invalid_argument("the method needs a device, but none is given");
    return std::nullopt;
  }
  const bool host_method =
      compute.method == SubsequenceMethod::Plain || compute.method == SubsequenceMethod::Fenwick;
  if (host_method) return std::nullopt;
  const SubsequenceMethod method = device_method(compute.method, vector.size());
  std::string obstacle = "its sums need " + answer.arithmetic;
  if constexpr (std::is_same_v<Sum, std::int32_t> || std::is_same_v<Sum, std::int64_t>) {
    HostFallback fallback(compute.host_after,
                          [&answer](const std::string& why) { answer.passed_over = why; });
    const auto on_device = [&]() -> std::optional<DeviceTrace> {
      DeviceLevels levels(*compute.device);
      obstacle = levels.obstacle(vector.size(), elements, sizeof(Sum), level_method(method));
      if (!obstacle.empty()) return std::nullopt;
      return levels.find(vector, elements, or_fewer, level_method(method));
    };
    if (auto trace = fallback.run(on_device, [] { return std::optional<DeviceTrace>(); })) {
      answer.method = method;
      answer.seconds.kernels = trace->kernel_seconds;
      return std::move(trace->positions);
    }
    if (fallback.given_up()) return std::nullopt;
  }
  if (needs_device(compute.method)) {
    throw EngineFailure(compute.device->name + ": " + obstacle, CL_OUT_OF_RESOURCES);
  }
  answer.passed_over = compute.device->name + " was not used: " + obstacle;
  return std::nullopt;
}

// Whether Sum holds the sum of every increasing subsequence, not only of those with as many elements as
// wanted.
template <class Sum>
bool holds_any_length(const RankedVector<Sum>& vector) {
  if constexpr (std::is_floating_point_v<Sum>) {
    return true;
  } else {
    constexpr Sum kLargest = ~(Sum{1} << (8 * sizeof(Sum) - 1));
    const Sum most = kLargest / static_cast<Sum>(longest_increasing(vector.ranks));
    return std::ranges::all_of(vector.values, [&](Sum value) { return value <= most && value >= -most; });
  }
}

template <class Sum>
std::vector<std::size_t> solve(const RankedVector<Sum>& vector, const SubsequenceQuery& query,
                               const SubsequenceCompute& compute, Subsequence& answer) {
  const std::size_t n = vector.size();
  const bool exactly = query.length == Length::Exactly;
  if (n == 0 || (exactly && query.elements > n)) return {};
  std::size_t elements =
      query.length == Length::Any ? n : static_cast<std::size_t>(std::min<std::uint64_t>(query.elements, n));
  answer.method = compute.method == SubsequenceMethod::Plain ? compute.method : SubsequenceMethod::Fenwick;
  const bool by_levels = exactly || answer.method == SubsequenceMethod::Plain ||
                         (query.length == Length::AtMost && needs_device(compute.method));
  if (!by_levels && (query.length == Length::Any || holds_any_length(vector))) {
    std::vector<std::size_t> positions = best_of_any_length(vector);
    if (positions.size() <= elements) return positions;
  }
  // Levels beyond the longest subsequence are empty. Its length is computed only if many levels are wanted.
  constexpr std::size_t kFewLevels = 32;
  if (elements > kFewLevels) {
    const std::size_t longest = longest_increasing(vector.ranks);
    if (exactly && elements > longest) return {};
    elements = std::min(elements, longest);
  }
  if (auto positions = solve_on_device(vector, elements, !exactly, compute, answer)) return *positions;
  const auto engine = host_engine(answer.method, vector, compute);
  return LevelSearch<Sum>(vector, *engine, compute.memory).find(elements, !exactly);
}

}  // namespace

const char* method_name(SubsequenceMethod method) {
  return kMethods[static_cast<std::size_t>(method)].data();
}

std::optional<SubsequenceMethod> method_of(const std::string& name) {
  const auto found = std::find(kMethods.begin(), kMethods.end(), name);
  if (found == kMethods.end()) return std::nullopt;
  return static_cast<SubsequenceMethod>(found - kMethods.begin());
}

bool needs_device(SubsequenceMethod method) { return method >= SubsequenceMethod::Elements; }

bool worth_a_device(std::size_t elements, const SubsequenceQuery& query) {
  constexpr double kWork = 2e7;
  if (query.length == Length::Any) return false;
  return static_cast<double>(elements) * static_cast<double>(query.elements) >= kWork;
}

template <class T>
Subsequence best_subsequence(std::span<const T> values, const SubsequenceQuery& query,
                             const SubsequenceCompute& compute) {
  if (query.length != Length::Any && query.elements == 0) {
    throw std::invalid_argument("a subsequence of 0 elements; expected at least 1");
  }
  Subsequence answer;
  std::vector<std::int32_t> ranks;
  Summands summands;
  {
    const Stopwatch watch(answer.seconds.prepare);
    ranks = follower_ranks(values, query.non_decreasing);
    summands = exact_summands(values, query.length == Length::Any ? values.size() : query.elements);
  }
  const Stopwatch watch(answer.seconds.solve);
  answer.arithmetic = summand_name(summands);
  std::visit(
      [&]<class Sum>(const std::vector<Sum>& terms) {
        answer.positions = solve(RankedVector<Sum>{ranks, terms}, query, compute, answer);
      },
      summands);
  if (answer.positions.empty()) answer.longest = longest_increasing(ranks);
  std::vector<T> chosen;
  for (const std::size_t position : answer.positions) chosen.push_back(values[position]);
  answer.sum = total(std::span<const T>(chosen));
  return answer;
}

template Subsequence best_subsequence(std::span<const std::int32_t>, const SubsequenceQuery&,
                                      const SubsequenceCompute&);
template Subsequence best_subsequence(std::span<const std::int64_t>, const SubsequenceQuery&,
                                      const SubsequenceCompute&);
template Subsequence best_subsequence(std::span<const float>, const SubsequenceQuery&,
                                      const SubsequenceCompute&);
template Subsequence best_subsequence(std::span<const double>, const SubsequenceQuery&,
                                      const SubsequenceCompute&);

}  // namespace gpuhmm
