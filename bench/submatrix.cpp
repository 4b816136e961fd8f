// Measures the search for the rectangle of largest sum by the size of a square matrix, on devices and on the
// host. Compares every result of the devices with the host's (for large sizes: with each other, and by
// locating the rectangle): a difference makes the exit status 1. Prints lines for docs/benchmarks.md.
#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <thread>

#include "companion/submatrix/locate.hpp"
#include "companion/submatrix/maximal.hpp"
#include "companion/submatrix/reference.hpp"
#include "companion/submatrix/search.hpp"
#include "gpuhmm/device.hpp"
#include "simd/instruction_set.hpp"
#include "util/stopwatch.hpp"

namespace {

using namespace gpuhmm;
namespace po = boost::program_options;
using Walkers = std::vector<std::unique_ptr<DeviceWalker>>;

template <class T>
std::vector<T> numbers(const std::string& text, char separator = ',') {
  std::vector<T> result;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);)
    result.push_back(static_cast<T>(std::stoul(part)));
  return result;
}

// Parses GxHinYxX: lines of a work-item, work-items of a work-group; m if the kernel multiplies, p if it
// prefetches.
std::vector<WalkTile> shapes(const std::string& text) {
  std::vector<WalkTile> result;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) {
    WalkTile shape;
    const int found = std::sscanf(part.c_str(), "%ux%uin%ux%u", &shape.item_g, &shape.item_h, &shape.group_g,
                                  &shape.group_h);
    if (found != 4) throw std::runtime_error("a shape is written as 8x8in8x32 or 8x8in8x32mp, not " + part);
    shape.multiply = part.find('m') != std::string::npos;
    shape.prefetch = part.find('p') != std::string::npos;
    result.push_back(shape);
  }
  return result;
}

std::string shape_text(const WalkTile& shape) {
  std::string text;
  for (const unsigned size : {shape.item_g, shape.item_h, shape.group_g, shape.group_h}) {
    text += (text.empty() ? "" : "x") + std::to_string(size);
  }
  text.replace(text.find('x', text.find('x') + 1), 1, "in");
  return text + (shape.multiply ? "m" : "") + (shape.prefetch ? "p" : "");
}

constexpr std::size_t kLarge = 4096;  // the host measures matrices with more rows only once

// Values uniform in [-1000, 1000], as in the dissertation.
Matrix random_matrix(std::size_t size) {
  Matrix matrix{size, size, std::vector<std::int64_t>(size * size), {}};
  std::mt19937_64 random(size);
  for (std::size_t i = 0; i < matrix.values.size(); i += 4) {
    std::uint64_t bits = random();
    for (std::size_t k = i; k < std::min(i + 4, matrix.values.size()); ++k, bits >>= 16) {
      matrix.values[k] = static_cast<std::int64_t>((bits & 0xffff) * 2001 >> 16) - 1000;
    }
  }
  return matrix;
}

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Times a part of the host's work with `threads` threads, the best of `repeats`, and returns its result.
template <class Body>
auto timed(const char* what, std::size_t size, unsigned threads, unsigned repeats, const Body& body) {
  double wall = 1e30;
  double processor = 1e30;
  for (unsigned r = 0; r < repeats; ++r) {
    const double wall_start = seconds_now();
    const double processor_start = processor_seconds();
    body();
    wall = std::min(wall, seconds_now() - wall_start);
    processor = std::min(processor, processor_seconds() - processor_start);
  }
  std::printf("| %5zu | %s, %u threads | %9.3f ms | %9.3f ms processor time |\n", size, what, threads,
              wall * 1e3, processor * 1e3);
  return body();
}

class Bench {
 public:
  explicit Bench(const po::variables_map& given)
      : threads_(given["cpu"].as<unsigned>()),
        repeats_(given["repeats"].as<unsigned>()),
        check_to_(given["check-to"].as<std::size_t>()),
        plain_to_(given["plain-to"].as<std::size_t>()),
        all_to_(given["all-to"].as<std::size_t>()),
        wide_(given.count("wide") > 0),
        shapes_(shapes(given["shapes"].as<std::string>())) {
    const std::string spec = given["device"].as<std::string>();
    if (spec == "none") return;
    for (const DeviceInfo& device : named_devices(spec).devices) {
      std::printf("%s, %s, driver %s, %u units\n", device.name.c_str(), device.platform.c_str(),
                  device.driver.c_str(), device.compute_units);
      devices_.push_back(std::make_unique<DeviceWalker>(device));
    }
  }

  void run(std::size_t size) {
    const Matrix matrix = random_matrix(size);
    const SumBounds bounds =
        timed("width check", size, threads_, repeats_, [&] { return sum_bounds(matrix, threads_); });
    if (!sums_fit<std::int32_t>(bounds)) throw std::logic_error("random sums leave 32 bits");
    std::optional<WalkResult> expected;
    if (size <= check_to_) expected = on_host(matrix, bounds);
    if (size <= plain_to_) {
      const WalkResult plain = plainly(matrix);
      if (expected) check(*expected, plain);
      expected = plain;
    }
    if (!devices_.empty()) {
      std::vector<WalkTile> tried = shapes_;
      if (tried.empty()) tried.push_back(choose_walk_tile(devices_.front()->info(), size));
      for (const WalkTile& shape : tried) {
        const WalkResult found = wide_ ? on_devices<std::int64_t>(matrix, bounds, shape)
                                       : on_devices<std::int32_t>(matrix, bounds, shape);
        if (!expected) expected = found;
        check(found, *expected);
      }
    }
    if (expected && expected->sum > 0) {
      timed("rectangle located", size, threads_, repeats_,
            [&] { return locate_rectangle(matrix, expected->sum, expected->first, threads_); });
    }
    if (size <= all_to_) list_all(matrix);
  }

  bool failed() const { return failed_; }

 private:
  void check(const WalkResult& found, const WalkResult& expected) {
    if (found.sum == expected.sum && found.first == expected.first) return;
    std::printf("WRONG: sum %lld at %zu, expected %lld at %zu\n", static_cast<long long>(found.sum),
                found.first, static_cast<long long>(expected.sum), expected.first);
    failed_ = true;
  }

  // All maximal submatrices on the host, and with the devices' bounds.
  void list_all(const Matrix& matrix) {
    SubmatrixOptions options;
    options.threads = threads_;
    const auto list = [&] { return maximal_submatrices(matrix, {}, options); };
    const std::vector<Pattern> found = timed("all maximal", matrix.rows, threads_, 1, list);
    std::printf("| %5zu | %zu maximal submatrices |\n", matrix.rows, found.size());
    if (devices_.empty()) return;
    options.devices = std::move(devices_);
    const std::vector<Pattern> on_devices = timed("all maximal, devices", matrix.rows, threads_, 1, list);
    devices_ = std::move(options.devices);
    const auto same = [](const Pattern& a, const Pattern& b) { return a.sum == b.sum && a.where == b.where; };
    if (std::equal(found.begin(), found.end(), on_devices.begin(), on_devices.end(), same)) return;
    std::printf("WRONG: other maximal submatrices with devices\n");
    failed_ = true;
  }

  static WalkResult plainly(const Matrix& matrix) {
    const double start = processor_seconds();
    const Pattern found = best_submatrix_reference(matrix);
    const double seconds = processor_seconds() - start;
    std::printf("| %5zu | reference | %9.3f ms | %8.2f G pair-rows/s |\n", matrix.rows, seconds * 1e3,
                pair_rows(matrix) / seconds * 1e-9);
    return {static_cast<std::int64_t>(found.sum), found.where.top};
  }

  WalkResult on_host(const Matrix& matrix, const SumBounds& bounds) {
    WalkResult found;
    double wall = 1e30;
    double processor = 1e30;
    for (unsigned r = 0; r < (matrix.rows > kLarge ? 1 : repeats_); ++r) {
      const double wall_start = seconds_now();
      const double processor_start = processor_seconds();
      found = wide_ ? walk_on_host<std::int64_t>(matrix, bounds, threads_, {})
                    : walk_on_host<std::int32_t>(matrix, bounds, threads_, {});
      wall = std::min(wall, seconds_now() - wall_start);
      processor = std::min(processor, processor_seconds() - processor_start);
    }
    std::printf("| %5zu | host %s, %u threads | %9.3f ms | %8.2f G pair-rows/s | %8.2f a core |\n",
                matrix.rows, simd::instruction_set().c_str(), threads_, wall * 1e3,
                pair_rows(matrix) / wall * 1e-9, pair_rows(matrix) / processor * 1e-9);
    std::fflush(stdout);
    return found;
  }

  template <class T>
  WalkResult on_devices(const Matrix& matrix, const SumBounds& bounds, const WalkTile& shape) {
    const auto kernels = [this] {
      double most = 0;
      for (const auto& device : devices_) most = std::max(most, device->kernel_seconds());
      return most;
    };
    const auto copies = [this] {
      double most = 0;
      for (const auto& device : devices_) most = std::max(most, device->copy_seconds());
      return most;
    };
    WalkResult found;
    double kernel = 1e30;
    double copy = 1e30;
    double wall = 1e30;
    for (unsigned r = 0; r <= repeats_; ++r) {  // the first builds the kernels
      const double kernel_start = kernels();
      const double copy_start = copies();
      const double wall_start = seconds_now();
      found = walk_on_devices<T>(matrix, bounds, devices_, threads_, {}, &shape);
      if (r == 0) continue;
      wall = std::min(wall, seconds_now() - wall_start);
      kernel = std::min(kernel, kernels() - kernel_start);
      copy = std::min(copy, copies() - copy_start);
    }
    std::printf(
        "| %5zu | %zu device, %s, %zu bits | kernels %9.3f ms | %8.1f G pair-rows/s | planes and copy %8.3f "
        "ms | whole "
        "%9.3f ms |\n",
        matrix.rows, devices_.size(), shape_text(shape).c_str(), sizeof(T) * 8, kernel * 1e3,
        pair_rows(matrix) / kernel * 1e-9, copy * 1e3, wall * 1e3);
    std::fflush(stdout);
    return found;
  }

  unsigned threads_, repeats_;
  std::size_t check_to_, plain_to_, all_to_;
  bool wide_;
  std::vector<WalkTile> shapes_;
  Walkers devices_;
  bool failed_ = false;
};

}  // namespace

int main(int count, char** words) {
  po::options_description options("options of bench_submatrix");
  options.add_options()("help", "this text")("device", po::value<std::string>()->default_value("none"),
                                             "devices as for gpuhmm; none: only the host")(
      "sizes", po::value<std::string>()->default_value("512,1024,2048,4096,8192,10240,14336,15360"),
      "rows and columns of the matrices")(
      "shapes", po::value<std::string>()->default_value(""),
      "shapes of the kernel, as 8x8in8x32, with m (multiplies), p (prefetches); "
      "default: the one that gpuhmm chooses")("wide", "64-bit sums")(
      "check-to", po::value<std::size_t>()->default_value(15360), "largest size that the host computes, too")(
      "plain-to", po::value<std::size_t>()->default_value(512),
      "largest size that the plain reference computes, too")(
      "all-to", po::value<std::size_t>()->default_value(0),
      "largest size whose maximal submatrices are all listed")(
      "repeats", po::value<unsigned>()->default_value(3), "repeats of each timing; the best counts")(
      "cpu", po::value<unsigned>()->default_value(std::max(1U, std::thread::hardware_concurrency())),
      "host threads");
  try {
    po::variables_map given;
    po::store(po::parse_command_line(count, words, options), given);
    if (given.count("help") > 0) {
      std::cout << options;
      return 0;
    }
    Bench bench(given);
    for (const std::size_t size : numbers<std::size_t>(given["sizes"].as<std::string>())) bench.run(size);
    return bench.failed() ? 1 : 0;
  } catch (const std::exception& error) {
    std::cerr << "bench_submatrix: " << error.what() << "\n";
    return 2;
  }
}
