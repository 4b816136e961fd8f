// Measures sorting 64-bit keys that differ in 64, 36 and 18 bits, on the host and on an OpenCL device by the
// events of its kernels, and checks every result: a wrong one makes the exit status 1. `gpuhmm bench sort`
// measures sorting words.
#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <thread>

#include "companion/strings/opencl/sort_kernels.hpp"
#include "companion/strings/sorter.hpp"
#include "experiment/sort/word_sets.hpp"
#include "gpuhmm/device.hpp"
#include "util/parallel.hpp"
#include "util/stopwatch.hpp"

namespace {

using namespace gpuhmm;
using experiment::sorting::mixed;
namespace po = boost::program_options;

constexpr double kGiga = 1e9, kMilli = 1e-3;

struct Settings {
  std::size_t keys;
  unsigned threads;
  int repeats;
};

void check(bool right, const std::string& what) {
  if (!right) throw std::runtime_error("wrong result: " + what);
}

/// The best of several runs on a device: seconds of each kernel in the run with the smallest sum.
class DeviceTimes {
 public:
  template <class Body>
  static std::map<std::string, double> best(SortKernels& kernels, int repeats, const Body& body) {
    std::map<std::string, double> best;
    for (int i = 0; i < repeats; ++i) {
      const std::map<std::string, double> before = kernels.seconds();
      body();
      std::map<std::string, double> spent = kernels.seconds();
      for (const auto& [name, seconds] : before) spent[name] -= seconds;
      // copies between host and device do not count
      for (const char* name : {"read", "write", "fill", "copy"}) spent.erase(name);
      if (best.empty() || sum(spent) < sum(best)) best = spent;
    }
    return best;
  }
  static double sum(const std::map<std::string, double>& seconds) {
    double all = 0;
    for (const auto& [name, part] : seconds) all += part;
    return all;
  }
  static double part(const std::map<std::string, double>& seconds, const std::string& prefix) {
    double all = 0;
    for (const auto& [name, part] : seconds) all += name.starts_with(prefix) ? part : 0;
    return all;
  }
};

template <class Body>
double best_wall(int repeats, const Body& body) {
  double best = 1e30;
  for (int i = 0; i < repeats; ++i) {
    const double start = seconds_now();
    body();
    best = std::min(best, seconds_now() - start);
  }
  return best;
}

void show_bandwidth(SortKernels& kernels, const Settings& settings) {
  const std::size_t size = settings.keys;
  const cl::Buffer a = kernels.buffer<std::uint64_t>(size), b = kernels.buffer<std::uint64_t>(size);
  kernels.fill_zero(a, size * 8);
  double copy = 1e30, read = 1e30;
  for (int i = 0; i < settings.repeats; ++i) {
    auto before = kernels.seconds();
    kernels.copy(a, b, size * 8);
    kernels.varying_bits(a, size);
    auto after = kernels.seconds();
    copy = std::min(copy, after["copy"] - before["copy"]);
    read = std::min(read, after["key_bits"] - before["key_bits"]);
  }
  const double bytes = 8.0 * static_cast<double>(size);
  std::printf("plain read %.0f GB/s, copy %.0f GB/s (read + write), %.2f GB\n\n", bytes / read / kGiga,
              2 * bytes / copy / kGiga, bytes / kGiga);
}

void time_keys(SortKernels* kernels, const Settings& settings) {
  std::printf(
      "| bits | keys | device: counts ms | scans ms | scatter ms | buckets ms | sum ms | G keys/s | host, %u "
      "threads: G "
      "keys/s |\n",
      settings.threads);
  std::printf("|---|---|---|---|---|---|---|---|---|\n");
  const std::size_t size = settings.keys;
  for (const unsigned bits : {64U, 36U, 18U}) {
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
    std::vector<std::uint64_t> keys(size), sorted(size), scratch(size);
    parallel_for(settings.threads, size, std::size_t{1} << 16, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) keys[i] = mixed(i) & mask;
    });
    sorted = keys;
    const auto host = make_host_sorter(settings.threads);
    std::span<std::uint64_t> expected;
    const double host_seconds = best_wall(1, [&] { expected = host->sort_keys(sorted, scratch); });
    check(std::is_sorted(expected.begin(), expected.end()), "keys on the host");
    std::map<std::string, double> spent;
    if (kernels != nullptr) {
      KeyBuffers buffers{kernels->buffer<std::uint64_t>(size), kernels->buffer<std::uint64_t>(size), {}, {}};
      spent = DeviceTimes::best(*kernels, settings.repeats, [&] {
        kernels->write(buffers.keys, keys.data(), size * 8);
        kernels->sort(buffers, size, kernels->varying_bits(buffers.keys, size), false);
      });
      kernels->read(buffers.keys, keys.data(), size * 8);
      check(std::equal(keys.begin(), keys.end(), expected.begin()),
            "keys of " + std::to_string(bits) + " bits");
    }
    const double sum = DeviceTimes::sum(spent), count = static_cast<double>(size);
    std::printf(
        "| %u | %zu | %.3f | %.3f | %.3f | %.3f | %.3f | %.2f | %.3f |\n", bits, size,
        DeviceTimes::part(spent, "digit_counts") / kMilli, DeviceTimes::part(spent, "scan") / kMilli,
        DeviceTimes::part(spent, "scatter") / kMilli,
        (DeviceTimes::part(spent, "sort_buckets") + DeviceTimes::part(spent, "bucket_starts")) / kMilli,
        sum / kMilli, sum > 0 ? count / sum / kGiga : 0, count / host_seconds / kGiga);
    std::fflush(stdout);
  }
  std::printf("\n");
}

int run(int argc, char** argv) {
  po::options_description options("bench_sort [options]");
  options.add_options()("help", "show this")("device", po::value<std::string>()->default_value("auto"),
                                             "as for gpuhmm; none: only the host")(
      "keys", po::value<std::size_t>()->default_value(std::size_t{1} << 27), "64-bit keys")(
      "cpu", po::value<unsigned>()->default_value(std::max(1U, std::thread::hardware_concurrency())),
      "host threads")("repeats", po::value<int>()->default_value(4),
                      "repeats of each timing on the device; the best counts");
  po::variables_map given;
  po::store(po::parse_command_line(argc, argv, options), given);
  if (given.count("help") > 0) {
    std::cout << options;
    return 0;
  }
  const Settings settings{given["keys"].as<std::size_t>(), given["cpu"].as<unsigned>(),
                          given["repeats"].as<int>()};
  const std::optional<DeviceInfo> device = select_device(list_devices(), given["device"].as<std::string>());
  std::unique_ptr<SortKernels> kernels;
  if (device) {
    kernels = std::make_unique<SortKernels>(*device);
    std::printf("%s, driver %s\n", device->name.c_str(), device->driver.c_str());
    show_bandwidth(*kernels, settings);
  }
  time_keys(kernels.get(), settings);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "bench_sort: " << error.what() << "\n";
    return 1;
  }
}
