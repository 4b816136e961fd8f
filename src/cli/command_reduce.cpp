// `gpuhmm reduce`: a stack of matrices reduced element by element.
#include "cli/command_reduce.hpp"

#include <charconv>
#include <functional>
#include <future>
#include <iostream>

#include "cli/file_roles.hpp"
#include "cli/number_options.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "companion/reduce/checked_reducer.hpp"
#include "formats/io/output.hpp"
#include "formats/numbers/npy_writer.hpp"
#include "formats/report/format.hpp"
#include "opencl/engine_failure.hpp"
#include "search/engines.hpp"
#include "util/stopwatch.hpp"

namespace po = boost::program_options;

namespace gpuhmm::cli {

namespace {

constexpr std::size_t kBlockBytes = std::size_t{64} << 20;  // read and reduced at a time
constexpr std::size_t kRank = 3;                            // dimensions of a stack

constexpr const char* kDescription = R"(
Reduces a stack of matrices of one shape, each element over all matrices: the
minimum (default), maximum, sum or mean. STACK is a .npy file of shape (n, rows,
columns), text (a line a row, blank lines between matrices; lines beginning with
# are remarks), or raw with --dtype and --shape; gzipped or not, '-' for
standard input. Binary stacks are read a part at a time and may be larger than
memory.

Minimum and maximum have the type of the stack. Sums of integers are exact int64
(an error if one does not fit), means are the exact sum divided once. Real
numbers are summed in double in an order that depends on their number only. The
answer does not depend on the device.)";

constexpr const char* kExamples = R"(
gpuhmm reduce matrices.txt
gpuhmm reduce --op mean --nan ignore --format npy -o mean.npy frames.npy.gz
gpuhmm reduce --op max --dtype float32 --shape 512x512 frames.raw)";

OptionTable options() {
  OptionTable all("what to compute");
  all.add("op", one_of("OP", {"min", "max", "sum", "mean"}, true), "min, max, sum or mean");
  all.add("nan", one_of("P", {"propagate", "ignore", "error"}, true),
          "not-a-number among real numbers: propagate (the result is NaN), ignore (left out), or error");
  all.group("input and output");
  add_raw_options(all);
  all.add("shape", value<std::string>("RxC"), "rows and columns of the matrices of a raw file");
  add_output_option(all, "write the matrix");
  add_format_option(all, {"text", "npy"}, "text (parted by tabs) or npy");
  add_quiet_option(all, "no progress line");
  add_stats_option(all);
  all.group("computing");
  add_device_option(all, Devices::One);
  add_cpu_option(all);
  return all;
}

// "3x4" as {3, 4}.
std::vector<std::uint64_t> shape_from(const std::string& text) {
  std::uint64_t rows = 0, columns = 0;
  const char* const end = text.data() + text.size();
  const auto [middle, row_error] = std::from_chars(text.data(), end, rows);
  const bool parted = row_error == std::errc() && middle != end && *middle == 'x';
  const auto [last, column_error] = std::from_chars(parted ? middle + 1 : end, end, columns);
  if (!parted || column_error != std::errc() || last != end || rows == 0 || columns == 0) {
    throw UsageError("option '--shape' expects rows x columns, as 3x3");
  }
  return {rows, columns};
}

NumberOptions reading_from(const po::variables_map& given) {
  NumberOptions reading = raw_options_from(given);
  const std::optional<std::string> shape = text_option(given, "shape");
  if (shape.has_value() != reading.type.has_value()) {
    throw UsageError("--dtype and --shape go together: both are for raw stacks");
  }
  if (shape) reading.item_shape = shape_from(*shape);
  reading.refuse_non_finite = false;
  return reading;
}

ReduceOptions reduction_from(const po::variables_map& given) {
  ReduceOptions options;
  options.operation = operation_of(given["op"].as<std::string>()).value();
  const std::string nan = given["nan"].as<std::string>();
  options.nan = nan == "propagate" ? NanPolicy::kPropagate
                : nan == "ignore"  ? NanPolicy::kIgnore
                                   : NanPolicy::kRefuse;
  options.threads = threads_from(given);
  return options;
}

struct ReduceTimes {
  double read = 0;    // waiting for input
  double reduce = 0;  // of the reducer, while input is read
};

// Reads the next block while one is reduced. The reducer is made when the first matrix is there: it takes as
// much memory as some matrices.
std::unique_ptr<StackReducer> reduce_all(NumberReader& reader,
                                         const std::function<std::unique_ptr<StackReducer>()>& make,
                                         ReduceTimes& times, ProgressLine& progress) {
  const std::size_t bytes = std::max<std::size_t>(1, reader.item_size()) * sizeof(double);
  const std::size_t items = std::max<std::size_t>(1, kBlockBytes / bytes);
  NumberValues block = no_numbers(reader.type()), next = no_numbers(reader.type());
  std::size_t got = reader.read(items, block);
  if (got == 0) throw FileError(reader.name() + ": no matrices; expected at least one");
  std::unique_ptr<StackReducer> reducer = make();
  while (got > 0) {
    std::future<std::size_t> reading =
        std::async(std::launch::async, [&] { return reader.read(items, next); });
    {
      const Stopwatch watch(times.reduce);
      reducer->add(block);
    }
    const Stopwatch watch(times.read);
    got = reading.get();
    std::swap(block, next);
    progress.meter().reach(reader.fraction_read(), static_cast<double>(got * reader.item_size()));
  }
  return reducer;
}

std::string matrix_text(const NumberArray& matrix, const std::string& remark) {
  std::string text = "# " + remark + "\n";
  const std::uint64_t columns = matrix.shape[1];
  std::visit(
      [&](const auto& values) {
        for (std::size_t i = 0; i < values.size(); ++i) {
          text += number_text(values[i]) + ((i + 1) % columns == 0 ? '\n' : '\t');
        }
      },
      matrix.values);
  return text;
}

std::string place_text(const std::string& name, const NanFound& found, std::uint64_t columns) {
  return name + ": matrix " + std::to_string(found.item) + ", row " +
         std::to_string(found.element / columns) + ", column " + std::to_string(found.element % columns) +
         " (counted from 0) is not a number; expected numbers (--nan propagate or ignore takes it)";
}

std::unique_ptr<StackReducer> make_reducer(const std::optional<DeviceInfo>& device,
                                           const NumberReader& reader, const ReduceOptions& reduction) {
  const auto on_host = [=, type = reader.type(), size = reader.item_size()] {
    return make_host_reducer(type, size, reduction);
  };
  if (!device) return on_host();
  const auto on_device = [=, type = reader.type(), size = reader.item_size()] {
    return make_device_reducer(*device, type, size, reduction);
  };
  try {
    return make_checked_reducer(reader.item_size(), on_device, on_host, [](const std::string& message) {
      std::cerr << "gpuhmm: warning: " << message << "\n";
    });
  } catch (const EngineFailure& error) {
    throw DeviceError(error.what());
  }
}

// The reduced matrix; what is wrong with the stack is told with its name.
NumberValues reduce_file(NumberReader& reader, const std::optional<DeviceInfo>& device,
                         const ReduceOptions& reduction, ReduceTimes& times, ProgressLine& progress) {
  try {
    const auto make = [&] { return make_reducer(device, reader, reduction); };
    return reduce_all(reader, make, times, progress)->result();
  } catch (const EngineFailure& error) {
    throw DeviceError(error.what());
  } catch (const NanFound& found) {
    throw FileError(place_text(reader.name(), found, reader.item_shape()[1]));
  } catch (const std::overflow_error& error) {
    throw FileError(reader.name() + ": " + error.what());
  }
}

void print_statistics(const NumberReader& reader, const ReduceTimes& times, double all,
                      const std::string& where) {
  const bool wide = reader.type() == NumberType::kInt64 || reader.type() == NumberType::kFloat64;
  const double gigabytes = 1e-9 * static_cast<double>(reader.items_read()) *
                           static_cast<double>(reader.item_size()) * (wide ? 8 : 4);
  std::cerr << format(
      "engine   %s\nmatrices %llu of %llu elements, %.3f GB\nread     %.3f s waited for\n"
      "reduce   %.3f s (%.2f GB/s)\nall      %.3f s (%.2f GB/s)\n",
      where.c_str(), static_cast<unsigned long long>(reader.items_read()),
      static_cast<unsigned long long>(reader.item_size()), gigabytes, times.read, times.reduce,
      gigabytes / times.reduce, all, gigabytes / all);
}

int run(const Arguments& arguments) {
  const po::variables_map& given = arguments.options;
  const std::string& input = arguments.positional[0];
  const NumberOptions reading = reading_from(given);
  const ReduceOptions reduction = reduction_from(given);
  const std::string form = output_format_from(given);
  const std::string output = output_from(given);
  FileRoles().reads(input).writes(output);
  // By itself a stack is not worth bringing to a device: it is reduced here in less time.
  const std::optional<DeviceInfo> device = one_device(given["device"].as<std::string>(), false);

  OutputFile out(output);
  NumberReader reader(input, kRank, reading);
  const double start = seconds_now();
  ReduceTimes times;
  ProgressLine progress(is_quiet(given), kNumbers);
  NumberArray matrix{reader.item_shape(), reduce_file(reader, device, reduction, times, progress)};
  progress.finish();
  if (form == "npy") {
    write_npy(out, matrix);
  } else {
    out.write(matrix_text(matrix, std::string(operation_name(reduction.operation)) + " of " +
                                      std::to_string(reader.items_read()) + " matrices " +
                                      std::to_string(matrix.shape[0]) + " x " +
                                      std::to_string(matrix.shape[1]) + ", " +
                                      std::string(number_type_name(matrix.type()))));
  }
  out.commit();
  if (wants_stats(given)) {
    print_statistics(reader, times, seconds_now() - start, device ? device->name : "host");
  }
  return kDone;
}

}  // namespace

Command reduce_command() {
  return {"reduce",     "STACK",   "Minimum, maximum, sum or mean of a stack of matrices, element by element",
          kDescription, kExamples, options,
          run};
}

}  // namespace gpuhmm::cli
