// Measures the methods of `gpuhmm subsequence` and repeats the experiments of the publication (5,000 elements
// with different K; K = 10 with different lengths). Device times are from the start of the first kernel to
// the end of the last by OpenCL events, including the traceback; "with copies" is the wall time from host to
// host; CPU times are processor seconds of one thread without ranks. If positions differ, the exit status
// is 1.
#include <cstdint>
#include <random>
#include <span>

#include "companion/subsequence/device_levels.hpp"
#include "companion/subsequence/fenwick.hpp"
#include "number_bench.hpp"
#include "util/stopwatch.hpp"

namespace {

using namespace gpuhmm;
namespace po = boost::program_options;

struct Limits {
  std::size_t elements = 20'000;     // longest vector for the method with a launch for each element
  double pairs = 2e13;               // most pairs of elements for the method with a launch for each level
  std::size_t longest = 10'000'000;  // longest vector for all methods
  int repeats = 3;
};

// A vector with its ranks.
template <class Sum>
struct Case {
  Case(std::size_t count, Sum reach) {
    std::mt19937_64 rng(count);
    std::uniform_int_distribution<Sum> draw(-reach, reach);
    values.resize(count);
    for (Sum& value : values) value = draw(rng);
    ranks = follower_ranks(std::span<const Sum>(values), false);
  }
  RankedVector<Sum> vector() const { return {ranks, values}; }

  std::vector<Sum> values;
  std::vector<std::int32_t> ranks;
};

using Positions = std::vector<std::size_t>;

// Milliseconds as a cell of the table; "-" if not run.
std::string cell(double seconds) {
  if (seconds < 0) return "-";
  char text[32];
  std::snprintf(text, sizeof text, seconds < 0.1 ? "%.3f" : "%.1f", 1e3 * seconds);
  return text;
}

struct DeviceTimes {
  double kernels = -1, wall = -1;
};

template <class Sum>
DeviceTimes time_device(DeviceLevels& device, const Case<Sum>& input, std::size_t k, DeviceLevelMethod method,
                        std::size_t block, int repeats, const Positions& expected) {
  DeviceTimes times;
  for (int i = 0; i < repeats; ++i) {
    const double start = seconds_now();
    const DeviceTrace found = device.find(input.vector(), k, false, method, block);
    const double wall = seconds_now() - start;
    if (i == 0 || found.kernel_seconds < times.kernels) times.kernels = found.kernel_seconds;
    if (i == 0 || wall < times.wall) times.wall = wall;
    bench::check(found.positions == expected, "n " + std::to_string(input.values.size()) + ", K " +
                                                  std::to_string(k) + ", method " +
                                                  std::to_string(static_cast<int>(method)));
  }
  return times;
}

template <class Sum>
void row(DeviceLevels* device, std::size_t n, std::size_t k, Sum reach, const Limits& limits) {
  const Case<Sum> input(n, reach);
  const RankedVector<Sum> vector = input.vector();
  Positions expected;
  const int host_repeats = n > 1'000'000 ? 1 : limits.repeats;
  const double host = bench::best_of(host_repeats, [&] {
    FenwickLevels<Sum> engine(vector);
    const double start = bench::processor_seconds();
    expected = LevelSearch<Sum>(vector, engine, std::size_t{4} << 30).find(k, false);
    return bench::processor_seconds() - start;
  });
  DeviceTimes elements, levels, blocks;
  if (device != nullptr) {
    const double pairs = 0.5 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(k - 1);
    // The first run builds the programs.
    time_device(*device, input, k, DeviceLevelMethod::Blocks, 0, 1, expected);
    blocks = time_device(*device, input, k, DeviceLevelMethod::Blocks, 0, limits.repeats, expected);
    const int repeats = pairs > 1e12 ? 1 : limits.repeats;
    if (pairs <= limits.pairs)
      levels = time_device(*device, input, k, DeviceLevelMethod::Levels, 0, repeats, expected);
    if (n <= limits.elements)
      elements = time_device(*device, input, k, DeviceLevelMethod::Elements, 0, 1, expected);
  }
  std::printf("| %zu | %zu | %zu | %s | %s | %s | %s | %s |%s\n", n, k, 8 * sizeof(Sum),
              cell(elements.kernels).c_str(), cell(levels.kernels).c_str(), cell(blocks.kernels).c_str(),
              cell(blocks.wall).c_str(), cell(host).c_str(), expected.empty() ? " no such subsequence" : "");
  std::fflush(stdout);
}

void header(const char* title) {
  std::printf(
      "\n%s\n\n| n | K | sums, bits | elements, ms | levels, ms | blocks, ms | blocks with copies, ms | "
      "Fenwick, one "
      "core, ms |\n|---|---|---|---|---|---|---|---|\n",
      title);
}

template <class Sum>
void block_sizes(DeviceLevels& device, std::size_t n, Sum reach, const Limits& limits) {
  constexpr std::size_t kLevels = 10;
  const Case<Sum> input(n, reach);
  const RankedVector<Sum> vector = input.vector();
  const Positions expected = device.find(vector, kLevels, false, DeviceLevelMethod::Blocks).positions;
  for (const std::size_t block : {256, 512, 1024}) {
    const std::size_t blocks = (n + block - 1) / block;
    const auto rows = static_cast<double>(blocks);
    if (rows * rows * sizeof(Sum) > 2e9) continue;
    time_device(device, input, kLevels, DeviceLevelMethod::Blocks, block, 1, expected);
    const DeviceTimes times =
        time_device(device, input, kLevels, DeviceLevelMethod::Blocks, block, limits.repeats, expected);
    const double comparisons = (kLevels - 1) * static_cast<double>(n) * static_cast<double>(block);
    std::printf("| %zu | %zu | %zu | %s | %.0f |\n", n, 8 * sizeof(Sum), block, cell(times.kernels).c_str(),
                1e-9 * comparisons / times.kernels);
  }
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  po::options_description options("bench_subsequence");
  std::string device_name;
  bool small = false;
  Limits limits;
  options.add_options()("device", po::value(&device_name)->default_value("auto"),
                        "as for gpuhmm; none: CPU only")("small", po::bool_switch(&small),
                                                         "short vectors, for slow devices")(
      "repeats", po::value(&limits.repeats)->default_value(limits.repeats),
      "repeats of each timing; the best counts");
  po::variables_map given;
  return bench::run(argc, argv, options, given, [&] {
    if (small) limits = {2'000, 1e10, 100'000, limits.repeats};
    const std::optional<DeviceInfo> info = bench::chosen_device(device_name);
    std::optional<DeviceLevels> device;
    if (info) device.emplace(*info);
    DeviceLevels* const levels = device ? &*device : nullptr;
    constexpr std::int32_t kReach = 1'000'000;
    constexpr std::int64_t kWideReach = std::int64_t{1} << 50;
    header("5,000 elements, K varied");
    for (const std::size_t k : {2, 10, 25, 50, 100, 130}) row<std::int32_t>(levels, 5000, k, kReach, limits);
    header("K = 10, the length varied");
    for (const std::size_t n :
         {1000, 2000, 5000, 10'000, 20'000, 50'000, 100'000, 200'000, 500'000, 1'000'000, 10'000'000}) {
      if (n <= limits.longest) row<std::int32_t>(levels, n, 10, kReach, limits);
    }
    header("64-bit sums");
    for (const std::size_t n : {5000, 100'000, 1'000'000, 10'000'000}) {
      if (n <= limits.longest) row<std::int64_t>(levels, n, 10, kWideReach, limits);
    }
    if (levels == nullptr) return;
    std::printf(
        "\nBlocks of different sizes, K = 10\n\n| n | sums, bits | block | ms | comparisons inside blocks, "
        "10^9 a second |\n"
        "|---|---|---|---|---|\n");
    for (const std::size_t n : {100'000, 1'000'000, 10'000'000}) {
      if (n > limits.longest) continue;
      block_sizes<std::int32_t>(*levels, n, kReach, limits);
      block_sizes<std::int64_t>(*levels, n, kWideReach, limits);
    }
  });
}
