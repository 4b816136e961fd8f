// Measures sorting on the host and on an OpenCL device, and checks every result: a wrong one makes the exit
// status 1.
//
// lines    9-mers of 4 letters, from text to text in device memory: four uniform sets of different sizes, and
//          three with 65,536, 1,024 and 4 different lines. Device times are those of the kernels by events.
// keys     64-bit keys that differ in 64, 36 and 18 bits, on the device and on the host.
// strings  lines with a common prefix of 64 letters and 20 more, on the device (with copies) and on the host.
#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <thread>

#include "companion/strings/opencl/device_sorter.hpp"
#include "gpuhmm/device.hpp"
#include "util/parallel.hpp"
#include "util/stopwatch.hpp"

namespace {

using namespace gpuhmm;
namespace po = boost::program_options;

constexpr unsigned kLetters = 9;
constexpr std::size_t kLineBytes = kLetters + 1;
constexpr double kGiga = 1e9, kMilli = 1e-3;

struct Settings {
  std::size_t lines, keys, strings;
  unsigned threads;
  int repeats;
};

void check(bool right, const std::string& what) {
  if (!right) throw std::runtime_error("wrong result: " + what);
}

// A pseudo-random function of `number`.
std::uint64_t mixed(std::uint64_t number) {
  number += 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

// `count` random 9-mers; if `different` is not 0, with at most that many different ones.
std::string random_lines(std::size_t count, std::size_t different, unsigned threads) {
  std::string text(count * kLineBytes, '\n');
  parallel_for(threads, count, std::size_t{1} << 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      std::uint64_t word = mixed(i);
      if (different > 0) word = mixed(~(word % different));
      for (unsigned j = 0; j < kLetters; ++j, word >>= 2) text[i * kLineBytes + j] = "ACGT"[word & 3];
    }
  });
  return text;
}

// The lines in order, by the host's counts.
std::string sorted_lines(const EqualLines& lines, unsigned threads) {
  const std::vector<std::uint32_t> counts = make_host_sorter(threads)->count_lines(lines);
  std::string text(lines.text.size(), '\n');
  char* line = text.data();
  for (std::uint32_t word = 0; word < counts.size(); ++word) {
    for (std::uint32_t i = 0; i < counts[word]; ++i, line += kLineBytes) lines.unpack(word, line);
  }
  return text;
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

void time_lines(SortKernels* kernels, const Settings& settings) {
  struct Set {
    double share;           // of the lines
    std::size_t different;  // 0: uniform
  };
  // The thesis reports 0.51 + 0.577 + 0.009 + 3.373 s for its fourth set, without transfers.
  const Set sets[] = {{1.0 / 16, 0}, {0.25, 0}, {0.5, 0}, {1, 0}, {1, 65536}, {1, 1024}, {1, 4}};
  std::printf(
      "| set | lines | different | device: count ms | scan ms | write ms | sum ms | GB/s | host, %u threads: "
      "count ms |\n",
      settings.threads);
  std::printf("|---|---|---|---|---|---|---|---|---|\n");
  int number = 0;
  for (const Set& set : sets) {
    const auto count = static_cast<std::size_t>(set.share * static_cast<double>(settings.lines));
    const std::string text = random_lines(count, set.different, settings.threads);
    CharacterPacking::Seen seen{};
    for (const char c : {'A', 'C', 'G', 'T'}) seen[static_cast<unsigned char>(c)] = true;
    const EqualLines lines(text, kLetters, seen);
    const auto host = make_host_sorter(settings.threads);
    const double host_seconds = best_wall(1, [&] { host->count_lines(lines); });
    std::map<std::string, double> spent;
    if (kernels != nullptr) {
      const cl::Buffer in = kernels->buffer<char>(text.size()),
                       out = kernels->buffer<std::uint32_t>(text.size() / 4 + 1);
      kernels->write(in, text.data(), text.size());
      spent = DeviceTimes::best(*kernels, settings.repeats, [&] {
        write_lines_on(*kernels, lines, count_lines_on(*kernels, lines, in), out);
      });
      std::string sorted(text.size(), ' ');
      kernels->read(out, sorted.data(), sorted.size());
      check(sorted == sorted_lines(lines, settings.threads), "lines of set " + std::to_string(number + 1));
    }
    const double sum = DeviceTimes::sum(spent);
    std::printf("| %d | %zu | %s | %.3f | %.3f | %.3f | %.3f | %.0f | %.1f |\n", ++number, count,
                set.different == 0 ? "uniform" : std::to_string(set.different).c_str(),
                DeviceTimes::part(spent, "count_words") / kMilli, DeviceTimes::part(spent, "scan") / kMilli,
                DeviceTimes::part(spent, "write_words") / kMilli, sum / kMilli,
                sum > 0 ? 2 * static_cast<double>(text.size()) / sum / kGiga : 0, host_seconds / kMilli);
    std::fflush(stdout);
  }
  std::printf("\n");
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

void time_strings(SortKernels* kernels, const Settings& settings) {
  constexpr std::size_t kShared = 64, kOwn = 20;
  StringSet set;
  std::string prefix, text;
  for (std::size_t j = 0; j < kShared; ++j) prefix += "ACGT"[mixed(j) & 3];
  for (std::size_t i = 0; i < settings.strings; ++i) {
    set.starts.push_back(text.size());
    text += prefix;
    std::uint64_t word = mixed(i);
    for (std::size_t j = 0; j < kOwn; ++j, word >>= 2) text += "ACGT"[word & 3];
    text += kStringEnd;
  }
  set.text = text;
  CharacterPacking::Seen seen{};
  for (const char c : {'A', 'C', 'G', 'T'}) seen[static_cast<unsigned char>(c)] = true;
  set.packing = CharacterPacking(seen);
  SortedStrings expected;
  const auto host = make_host_sorter(settings.threads);
  const double host_seconds = best_wall(1, [&] { expected = host->sort_strings(set); });
  std::printf("strings: %zu of %zu letters, %zu shared: host, %u threads %.3f s", settings.strings,
              kShared + kOwn, kShared, settings.threads, host_seconds);
  if (kernels != nullptr) {
    SortedStrings sorted;
    double wall = 0;
    const auto spent = DeviceTimes::best(*kernels, settings.repeats, [&] {
      wall = best_wall(1, [&] { sorted = sort_strings_on(*kernels, set); });
    });
    const auto same = [](const SortedString& a, const SortedString& b) {
      return a.start() == b.start() && a.repeated() == b.repeated();
    };
    check(std::equal(sorted.begin(), sorted.end(), expected.begin(), expected.end(), same), "strings");
    std::printf(", device %.3f s with copies, kernels %.3f s", wall, DeviceTimes::sum(spent));
  }
  std::printf("\n");
}

int run(int argc, char** argv) {
  po::options_description options("bench_sort [options]");
  options.add_options()("help", "show this")("device", po::value<std::string>()->default_value("auto"),
                                             "as for gpuhmm; none: only the host")(
      "lines", po::value<std::size_t>()->default_value(153600000), "9-mers of the largest sets")(
      "keys", po::value<std::size_t>()->default_value(std::size_t{1} << 27), "64-bit keys")(
      "strings", po::value<std::size_t>()->default_value(10000000), "strings with a shared prefix")(
      "cpu", po::value<unsigned>()->default_value(std::max(1U, std::thread::hardware_concurrency())),
      "host threads")("repeats", po::value<int>()->default_value(4),
                      "repeats of each timing on the device; the best counts");
  po::variables_map given;
  po::store(po::parse_command_line(argc, argv, options), given);
  if (given.count("help") > 0) {
    std::cout << options;
    return 0;
  }
  const Settings settings{given["lines"].as<std::size_t>(), given["keys"].as<std::size_t>(),
                          given["strings"].as<std::size_t>(), given["cpu"].as<unsigned>(),
                          given["repeats"].as<int>()};
  const std::optional<DeviceInfo> device = select_device(list_devices(), given["device"].as<std::string>());
  std::unique_ptr<SortKernels> kernels;
  if (device) {
    kernels = std::make_unique<SortKernels>(*device);
    std::printf("%s, driver %s\n", device->name.c_str(), device->driver.c_str());
    show_bandwidth(*kernels, settings);
  }
  time_lines(kernels.get(), settings);
  time_keys(kernels.get(), settings);
  time_strings(kernels.get(), settings);
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
