// Measures `gpuhmm reduce` on stacks of 3 x 3 matrices: in a device's memory (from the start of the first
// kernel to the end of the last, by OpenCL events), host to host, and on the CPU (processor seconds of one
// thread; wall time of several), and compares with plain reads of the same bytes. If a result differs from
// the host's, the exit status is 1.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

#include "common/plain_sum.hpp"
#include "companion/reduce/device_fold.hpp"
#include "number_bench.hpp"
#include "util/parallel.hpp"
#include "util/stopwatch.hpp"

namespace {

using namespace gpuhmm;
namespace po = boost::program_options;

constexpr std::size_t kSize = 9;
constexpr int kHostRepeats = 9;

// A plain read: every work-item sums what it reads, 16 bytes at a time.
constexpr const char* kReadFile = "read_all.cl";
constexpr const char* kReadKernel = R"(
__kernel void read_all(__global const int4* data, ulong count, __global int* sums) {
  int4 sum = 0;
  const ulong stride = get_global_size(0);
  ulong at = get_global_id(0);
  for (; at + 3 * stride < count; at += 4 * stride) {
    sum += (data[at] + data[at + stride]) + (data[at + 2 * stride] + data[at + 3 * stride]);
  }
  for (; at < count; at += stride) sum += data[at];
  sums[get_global_id(0)] = sum.s0 + sum.s1 + sum.s2 + sum.s3;
})";

template <class T>
std::vector<T> random_numbers(std::size_t count) {
  std::vector<T> values(count);
  std::uint32_t state = 1;
  for (T& value : values) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<T>(static_cast<std::int32_t>(state) >> 3);
  }
  return values;
}

struct Settings {
  std::size_t matrices = 100'000'000;
  int repeats = 10;
};

class DeviceBench {
 public:
  DeviceBench(const DeviceInfo& info, const Settings& settings)
      : settings_(settings), device_(info, sources()), queue_(device_) {}

  template <class T>
  cl::Buffer upload(const std::vector<T>& values) {
    return queue_.upload(values);
  }

  /// Seconds of a plain read of the first `bytes` of the buffer.
  double read_seconds(const cl::Buffer& buffer, std::size_t bytes) {
    const cl::Kernel kernel = device_.kernel({kReadFile}, "read_all", "");
    const std::size_t items = 256 * 64 * std::size_t{info().compute_units};
    const cl::Buffer sums = device_.buffer<cl_int>(items);
    return bench::best_of(settings_.repeats, [&] {
      const cl::Event read = queue_.launch(kernel, {items, 256}, buffer, cl_ulong{bytes / 16}, sums);
      queue_.finish();
      return queue_.time_of(read).seconds();
    });
  }

  /// Seconds of the kernels that reduce a resident stack of `items` matrices. Calls before() before each run.
  template <class Before>
  double fold_seconds(const cl::Buffer& stack, NumberType type, std::size_t items,
                      const ReduceOptions& options, const NumberValues& expected, const Before& before) {
    const bool real = type == NumberType::Float32 || type == NumberType::Float64;
    return bench::best_of(settings_.repeats, [&] {
      before();
      cl::Event first, last;
      NumberValues found;
      if (real && options.operation == ReduceOperation::Sum) {
        DeviceTree tree(queue_, type, kSize, false);
        found = tree.total(stack, items, first, last);
      } else {
        DeviceFold fold(queue_, type, kSize, options);
        first = fold.add(stack, items);
        found = fold.result(items, &last);
      }
      bench::check(found == expected,
                   std::string(operation_name(options.operation)) + " of " + std::to_string(items));
      return CommandTime{queue_.time_of(first).start, queue_.time_of(last).end}.seconds();
    });
  }

  const DeviceInfo& info() const { return device_.info(); }

 private:
  // The program's kernels and that of the plain read.
  static const KernelSources& sources() {
    static const KernelSources all = [] {
      KernelSources more = kernel_sources();
      more[kReadFile] = kReadKernel;
      return more;
    }();
    return all;
  }

  Settings settings_;
  OpenDevice device_;
  Queue queue_;
};

// Processor seconds for one thread, wall time for several.
double clock_for(unsigned threads) { return threads > 1 ? seconds_now() : bench::processor_seconds(); }

NumberValues host_result(const NumberValues& stack, const ReduceOptions& options, double* seconds = nullptr) {
  const auto reducer = make_host_reducer(static_cast<NumberType>(stack.index()), kSize, options);
  const double start = clock_for(options.threads);
  reducer->add(stack);
  NumberValues result = reducer->result();
  if (seconds != nullptr) *seconds = clock_for(options.threads) - start;
  return result;
}

template <class T>
void resident_rows(DeviceBench& device, std::size_t items, std::initializer_list<ReduceOperation> operations,
                   int& shown) {
  const NumberValues stack = random_numbers<T>(items * kSize);
  const auto& values = std::get<std::vector<T>>(stack);
  const auto type = static_cast<NumberType>(stack.index());
  const cl::Buffer buffer = device.upload(values);
  const double bytes = static_cast<double>(values.size() * sizeof(T));
  const double read = device.read_seconds(buffer, values.size() * sizeof(T));
  if (shown++ == 0) {
    std::printf(
        "\nResident stacks of 3 x 3 matrices\n\n| type | n | operation | ms | GB/s | of a plain read "
        "|\n|---|---|---|---|---|---|\n");
  }
  std::printf("| %s | %zu | plain read | %.4f | %.1f | 1 |\n", std::string(number_type_name(type)).c_str(),
              items, 1e3 * read, 1e-9 * bytes / read);
  for (const ReduceOperation operation : operations) {
    const ReduceOptions options{operation};
    const NumberValues expected = host_result(stack, options);
    const double seconds = device.fold_seconds(buffer, type, items, options, expected, [] {});
    std::printf("| %s | %zu | %s | %.4f | %.1f | %.2f |\n", std::string(number_type_name(type)).c_str(),
                items, operation_name(operation), 1e3 * seconds, 1e-9 * bytes / seconds, read / seconds);
  }
  std::fflush(stdout);
}

// The sizes of the report: cold (after reading other data), hot, and from host memory to host memory.
void report_rows(DeviceBench& device) {
  std::printf(
      "\nThe sizes of the report, int32 minimum\n\n| n | MB | cold, us | hot, us | host to host by the "
      "device, ms | CPU, one "
      "core, ms |\n|---|---|---|---|---|---|\n");
  const std::vector<std::int32_t> other = random_numbers<std::int32_t>(std::size_t{1} << 25);
  const cl::Buffer other_buffer = device.upload(other);
  for (const std::size_t items : {131'072, 131'071, 1'048'576, 1'048'575}) {
    const std::vector<std::int32_t> values = random_numbers<std::int32_t>(items * kSize);
    const NumberValues stack = values;
    const ReduceOptions options;
    double cpu = 1;
    for (int i = 0; i < 5; ++i) {
      double once = 0;
      host_result(stack, options, &once);
      cpu = std::min(cpu, once);
    }
    const NumberValues expected = host_result(stack, options);
    const cl::Buffer buffer = device.upload(values);
    const double cold = device.fold_seconds(buffer, NumberType::Int32, items, options, expected, [&] {
      device.read_seconds(other_buffer, other.size() * sizeof(std::int32_t));
    });
    const double hot = device.fold_seconds(buffer, NumberType::Int32, items, options, expected, [] {});
    const double whole = bench::best_of(5, [&] {
      const auto reducer = make_device_reducer(device.info(), NumberType::Int32, kSize, options);
      reducer->add(std::vector<std::int32_t>(values.begin(), values.begin() + kSize));  // builds the program
      const double start = seconds_now();
      reducer->add(stack);
      bench::check(reducer->result() == expected, "host to host of " + std::to_string(items));
      return seconds_now() - start;
    });
    std::printf("| %zu | %.1f | %.1f | %.1f | %.3f | %.3f |\n", items,
                1e-6 * static_cast<double>(values.size()) * 4, 1e6 * cold, 1e6 * hot, 1e3 * whole, 1e3 * cpu);
  }
  std::fflush(stdout);
}

void host_rows(std::size_t items, unsigned threads) {
  std::printf(
      "\nCPU, threads: %u, %zu matrices 3 x 3\n\n| type | operation | GB/s | plain sum of int32, GB/s | "
      "of it |\n|---|---|---|---|---|\n",
      threads, items);
  const std::vector<std::int32_t> values = random_numbers<std::int32_t>(items * kSize);
  std::int64_t sum = 0;
  const double bytes = static_cast<double>(values.size()) * 4;
  const auto plain_seconds = [&] {
    const double start = clock_for(threads);
    const std::size_t part = (values.size() + threads - 1) / threads;
    std::atomic<std::int64_t> total = 0;
    parallel_for(threads, values.size(), part, [&](std::size_t first, std::size_t last) {
      total += bench::plain_sum(std::span(values).subspan(first, last - first));
    });
    sum += total;
    return clock_for(threads) - start;
  };
  // The plain sum runs in turn with every operation, so that changes of the machine's speed affect both.
  const auto rows = [&](const NumberValues& stack, double stack_bytes) {
    for (const ReduceOperation operation :
         {ReduceOperation::Minimum, ReduceOperation::Maximum, ReduceOperation::Sum, ReduceOperation::Mean}) {
      double plain = plain_seconds();
      const double seconds = bench::best_of(kHostRepeats, [&] {
        plain = std::min(plain, plain_seconds());
        double once = 0;
        host_result(stack, {.operation = operation, .threads = threads}, &once);
        return once;
      });
      const double rate = stack_bytes / seconds;
      std::printf("| %s | %s | %.1f | %.1f | %.2f |\n",
                  std::string(number_type_name(static_cast<NumberType>(stack.index()))).c_str(),
                  operation_name(operation), 1e-9 * rate, 1e-9 * bytes / plain, rate * plain / bytes);
    }
  };
  rows(values, bytes);
  rows(random_numbers<std::int64_t>(items / 2 * kSize), bytes);
  rows(random_numbers<float>(items * kSize), bytes);
  rows(random_numbers<double>(items / 2 * kSize), bytes);
  bench::check(sum != 1, "the plain sum");  // keeps the compiler from removing the plain sum
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  po::options_description options("bench_reduce");
  std::string device_name;
  Settings settings;
  unsigned most_threads = 1;
  options.add_options()("device", po::value(&device_name)->default_value("auto"),
                        "as for gpuhmm; none: CPU only")(
      "matrices", po::value(&settings.matrices)->default_value(settings.matrices),
      "matrices of the large stacks")("repeats",
                                      po::value(&settings.repeats)->default_value(settings.repeats),
                                      "repeats of each timing; the best counts")(
      "cpu", po::value(&most_threads)->default_value(1), "host threads: 1, 2, 4 ... up to this number");
  po::variables_map given;
  return bench::run(argc, argv, options, given, [&] {
    using enum ReduceOperation;
    const std::optional<DeviceInfo> info = bench::chosen_device(device_name);
    const std::size_t n = settings.matrices;
    if (info) {
      DeviceBench device(*info, settings);
      int shown = 0;
      resident_rows<std::int32_t>(device, n, {Minimum, Maximum, Sum, Mean}, shown);
      resident_rows<std::int32_t>(device, n - 1, {Minimum}, shown);
      resident_rows<std::int64_t>(device, n / 2, {Minimum, Sum}, shown);
      resident_rows<float>(device, n, {Minimum, Sum}, shown);
      resident_rows<double>(device, n / 2, {Minimum, Sum}, shown);
      report_rows(device);
    }
    for (unsigned threads = 1; threads <= most_threads; threads *= 2) {
      host_rows(std::min<std::size_t>(n, 10'000'000), threads);
    }
  });
}
