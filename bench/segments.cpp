// Measures `gpuhmm segments` on vectors of int32, with host threads and on OpenCL devices that have the
// vector in memory (times of kernels by events; several devices have a part of the vector each), and compares
// with a plain sum of the same vector. Prints lines for docs/benchmarks.md. Checks every result: the host's
// best segment by plain Kadane, all segments by the plain stack of Ruzzo and Tompa, the device's by the
// host's. A difference makes the exit status 1.
#include <algorithm>
#include <boost/program_options.hpp>
#include <chrono>
#include <cstdio>
#include <exception>
#include <iostream>
#include <limits>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "common/plain_sum.hpp"
#include "companion/segments/opencl_engine.hpp"
#include "companion/segments/segment_device.hpp"
#include "gpuhmm/device.hpp"
#include "util/parallel.hpp"

namespace {

namespace po = boost::program_options;
using namespace gpuhmm;

using Vector = std::vector<std::int32_t>;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Seconds of the fastest of `repeats` calls; `result` is that of the last.
template <class Result, class Body>
double best_seconds(int repeats, Result& result, const Body& body) {
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < repeats; ++i) {
    const double start = now();
    result = body();
    best = std::min(best, now() - start);
  }
  return best;
}

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// Random values, uniform in [-most + shift, most + shift].
Vector random_vector(std::size_t size, std::int32_t most, std::int32_t shift, unsigned threads) {
  Vector values(size);
  parallel_for(threads, size, std::size_t{1} << 20, [&](std::size_t first, std::size_t last) {
    const auto range = static_cast<std::uint64_t>(2LL * most + 1);
    for (std::size_t i = first; i < last; ++i) {
      values[i] = static_cast<std::int32_t>((mixed(i) >> 32) * range >> 32) - most + shift;
    }
  });
  return values;
}

std::int64_t host_sum(const Vector& values, unsigned threads) {
  constexpr std::size_t kBlock = std::size_t{1} << 18;
  std::vector<std::int64_t> sums((values.size() + kBlock - 1) / kBlock);
  parallel_for(threads, sums.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      sums[i] = bench::plain_sum(
          std::span(values).subspan(i * kBlock, std::min(kBlock, values.size() - i * kBlock)));
    }
  });
  std::int64_t sum = 0;
  for (const std::int64_t part : sums) sum += part;
  return sum;
}

void check(bool same, const char* what) {
  if (!same) throw std::runtime_error(std::string("wrong answer: ") + what);
}

void print_line(std::size_t size, const std::string& where, const char* what, double seconds, double plain) {
  const double bytes = static_cast<double>(size) * sizeof(std::int32_t);
  std::printf("| %.0e | %s | %s | %.3f | %.1f | %.0f %% |\n", static_cast<double>(size), where.c_str(), what,
              seconds * 1e3, bytes / seconds * 1e-9, 100 * plain / seconds);
  std::fflush(stdout);
}

struct Answers {
  Segment<std::int64_t> best;
  std::vector<Segment<std::int64_t>> all;  // empty if not computed
  std::int64_t sum = 0;
};

Answers measure_host(const Vector& values, bool all, unsigned threads, int repeats) {
  const std::span<const std::int32_t> view(values);
  const std::string where = "host, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
  const auto engine = make_host_segment_engine(threads);
  Answers answers;
  double plain = std::numeric_limits<double>::max(), best = plain;
  for (int i = 0; i < repeats; ++i) {  // in turn, so that other work on the machine affects both
    plain = std::min(plain, best_seconds(1, answers.sum, [&] { return host_sum(values, threads); }));
    best = std::min(best, best_seconds(1, answers.best, [&] { return engine->best(view); }));
  }
  print_line(values.size(), where, "plain sum", plain, plain);
  print_line(values.size(), where, "best segment", best, plain);
  check(answers.best == best_segment<std::int64_t>(view), "best segment of the host");
  if (all) {
    const double seconds = best_seconds(repeats, answers.all, [&] { return engine->all(view); });
    print_line(values.size(), where, "all segments", seconds, plain);
    check(answers.all == maximal_segments<std::int64_t>(view), "all segments of the host");
  }
  return answers;
}

void measure_device(SegmentDevice& device, const Vector& values, bool all, const Answers& expected,
                    unsigned threads, int repeats) {
  const std::span<const std::int32_t> view(values);
  const std::string& name = device.info().name;
  const double copy_start = now();
  device.load(view);
  const double copy = now() - copy_start;
  double plain = std::numeric_limits<double>::max(), kernel = plain, whole = plain;
  for (int i = 0; i < repeats; ++i) {
    check(device.plain_sum() == expected.sum, "plain sum of the device");
    plain = std::min(plain, device.kernel_seconds());
  }
  print_line(values.size(), name, "plain sum, kernel", plain, plain);
  for (int i = 0; i < repeats; ++i) {
    const double start = now();
    const std::vector<TileSums> tiles = device.sums();
    const auto best = locate_best<std::int32_t>(tiles, device.shape().sum_tile(sizeof(std::int32_t)), view);
    whole = std::min(whole, now() - start);
    kernel = std::min(kernel, device.kernel_seconds());
    check(best == expected.best, "best segment of the device");
  }
  print_line(values.size(), name, "best segment, kernel", kernel, plain);
  print_line(values.size(), name, "best segment, with the host's part", whole, plain);
  if (all) {
    double found = std::numeric_limits<double>::max();
    kernel = whole = found;
    for (int i = 0; i < repeats; ++i) {
      const double start = now();
      const SegmentBlock<std::int64_t> block = device.segments(threads);
      whole = std::min(whole, now() - start);
      kernel = std::min(kernel, device.kernel_seconds());
      found = std::min(found, device.found_seconds());
      bool same = block.segments.size() == expected.all.size();
      for (std::size_t s = 0; same && s < expected.all.size(); ++s) {
        const BlockSegment<std::int64_t>& segment = block.segments[s];
        same =
            Segment<std::int64_t>{segment.begin, segment.end, segment.high - segment.low} == expected.all[s];
      }
      check(same, "all segments of the device");
    }
    print_line(values.size(), name, "all segments, kernels", kernel, plain);
    for (const WorkingDevice::KernelTime& time : device.kernel_times()) {
      print_line(values.size(), name, ("its kernel " + time.kernel + ", last run").c_str(), time.seconds,
                 plain);
    }
    print_line(values.size(), name, "all segments, with the host's part", found, plain);
    print_line(values.size(), name, "all segments, and the result read", whole, plain);
  }
  print_line(values.size(), name, "copy to the device", copy, plain);
}

// Several devices, each with a part of the vector in its memory; the host joins the results.
void measure_shared(const std::vector<std::unique_ptr<SegmentDevice>>& devices, const Vector& values,
                    bool all, const Answers& expected, unsigned threads, int repeats) {
  const std::span<const std::int32_t> view(values);
  const std::size_t count = devices.size();
  const std::string name = std::to_string(count) + " x " + devices.front()->info().name;
  const std::size_t sum_tile = devices.front()->shape().sum_tile(sizeof(std::int32_t));
  const std::size_t unit = std::lcm(sum_tile, devices.front()->shape().segment_tile());
  const auto start_of = [&](std::size_t i) {
    return i == count ? values.size() : values.size() * i / count / unit * unit;
  };
  const auto on_each = [&](const auto& body) {
    parallel_for(static_cast<unsigned>(count), count, 1, [&](std::size_t i, std::size_t) { body(i); });
  };
  const auto slowest = [&] {
    double seconds = 0;
    for (const auto& device : devices) seconds = std::max(seconds, device->kernel_seconds());
    return seconds;
  };
  on_each([&](std::size_t i) { devices[i]->load(view.subspan(start_of(i), start_of(i + 1) - start_of(i))); });
  double plain = std::numeric_limits<double>::max(), kernel = plain, whole = plain, found = plain;
  for (int r = 0; r < repeats; ++r) {
    std::vector<std::int64_t> sums(count);
    on_each([&](std::size_t i) { sums[i] = devices[i]->plain_sum(); });
    check(std::accumulate(sums.begin(), sums.end(), std::int64_t{0}) == expected.sum,
          "plain sum of the devices");
    plain = std::min(plain, slowest());
  }
  print_line(values.size(), name, "plain sum, kernel of the slowest", plain, plain);
  for (int r = 0; r < repeats; ++r) {
    const double start = now();
    std::vector<std::vector<TileSums>> parts(count);
    on_each([&](std::size_t i) { parts[i] = devices[i]->sums(); });
    std::vector<TileSums> tiles;
    for (const std::vector<TileSums>& part : parts) tiles.insert(tiles.end(), part.begin(), part.end());
    const auto best = locate_best<std::int32_t>(tiles, sum_tile, view);
    whole = std::min(whole, now() - start);
    kernel = std::min(kernel, slowest());
    check(best == expected.best, "best segment of the devices");
  }
  print_line(values.size(), name, "best segment, kernel of the slowest", kernel, plain);
  print_line(values.size(), name, "best segment, with the host's part", whole, plain);
  if (!all) return;
  kernel = whole = std::numeric_limits<double>::max();
  for (int r = 0; r < repeats; ++r) {
    const double start = now();
    std::vector<SegmentBlock<std::int64_t>> blocks(count);
    on_each([&](std::size_t i) {
      blocks[i] = devices[i]->segments(std::max(1U, threads / static_cast<unsigned>(count)));
      blocks[i].offset = start_of(i);
    });
    const auto segments = join_blocks<std::int64_t>(blocks);
    whole = std::min(whole, now() - start);
    kernel = std::min(kernel, slowest());
    double last = 0;
    for (const auto& device : devices) last = std::max(last, device->found_seconds());
    found = std::min(found, last);
    check(segments == expected.all, "all segments of the devices");
  }
  print_line(values.size(), name, "all segments, kernels of the slowest", kernel, plain);
  print_line(values.size(), name, "all segments of the parts, with the host's part", found, plain);
  print_line(values.size(), name, "all segments, results read and joined", whole, plain);
}

std::vector<std::size_t> sizes_from(const std::string& text) {
  std::vector<std::size_t> sizes;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');)
    sizes.push_back(static_cast<std::size_t>(std::stod(word)));
  return sizes;
}

int run(int argc, char** argv) {
  po::options_description options("bench_segments: speed of maximum-sum segments of int32 vectors");
  options.add_options()("help", "this help")(
      "device", po::value<std::string>()->default_value("none"),
      "OpenCL devices as for gpuhmm; the first alone, then all together")(
      "sizes", po::value<std::string>()->default_value("1e8,1e9"), "elements of the vectors")(
      "all-up-to", po::value<double>()->default_value(1e8),
      "find all segments of vectors of at most this many elements")(
      "most", po::value<std::int32_t>()->default_value(1000), "elements are uniform from -N to N")(
      "shift", po::value<std::int32_t>()->default_value(0), "added to each element")(
      "threads", po::value<unsigned>()->default_value(std::thread::hardware_concurrency()), "host threads")(
      "group", po::value<unsigned>()->default_value(SegmentShape{}.group), "work-items of a work-group")(
      "run", po::value<unsigned>()->default_value(SegmentShape{}.run_bytes),
      "bytes of a work-item, best segment")("chunk",
                                            po::value<unsigned>()->default_value(SegmentShape{}.chunk),
                                            "elements of a work-item, all segments")(
      "repeats", po::value<int>()->default_value(7), "repeats of each timing; the best counts");
  po::variables_map given;
  po::store(po::parse_command_line(argc, argv, options), given);
  if (given.count("help") > 0) {
    std::cout << options;
    return 0;
  }
  const auto threads = given["threads"].as<unsigned>();
  const int repeats = given["repeats"].as<int>();
  std::vector<std::unique_ptr<SegmentDevice>> devices;
  const std::string name = given["device"].as<std::string>();
  if (name != "none") {
    const SegmentShape shape{given["group"].as<unsigned>(), given["run"].as<unsigned>(),
                             given["chunk"].as<unsigned>()};
    for (const DeviceInfo& info : named_devices(name).devices) {
      devices.push_back(std::make_unique<SegmentDevice>(info, shape));
      std::printf("%s, driver %s; work-groups of %u, %u bytes or %u elements a work-item\n",
                  info.name.c_str(), info.driver.c_str(), shape.group, shape.run_bytes, shape.chunk);
    }
  }
  std::printf(
      "int32, uniform in +-%d, shift %d; best of %d\n\n| elements | where | what | ms | GB/s | of a plain "
      "sum's rate |\n"
      "|---|---|---|---|---|---|\n",
      given["most"].as<std::int32_t>(), given["shift"].as<std::int32_t>(), repeats);
  for (const std::size_t size : sizes_from(given["sizes"].as<std::string>())) {
    const Vector values =
        random_vector(size, given["most"].as<std::int32_t>(), given["shift"].as<std::int32_t>(), threads);
    const bool all = static_cast<double>(size) <= given["all-up-to"].as<double>();
    const Answers answers = measure_host(values, all, threads, repeats);
    if (!devices.empty()) measure_device(*devices.front(), values, all, answers, threads, repeats);
    if (devices.size() > 1) measure_shared(devices, values, all, answers, threads, repeats);
    if (all)
      std::printf("| %.0e | | maximal segments found: %zu | | | |\n", static_cast<double>(size),
                  answers.all.size());
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_segments: %s\n", error.what());
    return 1;
  }
}
