// `gpuhmm reduce`: a stack of matrices reduced element by element.
#include <charconv>
#include <functional>
#include <future>

#include "cli/commands.hpp"
#include "cli/companion/number_options.hpp"
#include "cli/file_roles.hpp"
#include "cli/message.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/run_statistics.hpp"
#include "companion/reduce/checked_reducer.hpp"
#include "companion/reduce/matrix_table.hpp"
#include "formats/numbers/npy_writer.hpp"
#include "gpuhmm/device.hpp"
#include "gpuhmm/engine.hpp"
#include "gpuhmm/output.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm::cli {

namespace {

constexpr std::size_t kBlockBytes = std::size_t{64} << 20;  // read and reduced at once
constexpr std::size_t kRank = 3;                            // dimensions of a stack

constexpr const char* kHelp = R"(reduce STACK
Minimum, maximum, sum or mean of a stack of matrices, element by element

Reduces a stack of matrices of one shape, each element over all matrices: the
minimum (default), maximum, sum or mean. STACK is a .npy file of shape (n, rows,
columns), text (one line per row, blank lines between matrices; lines beginning
with # are comments), or raw with --dtype and --shape; gzipped or not, '-' for
standard input. Binary stacks are read in parts and may be larger than memory.

Minimum and maximum have the type of the stack. Sums of integers are exact int64
(an error if one does not fit); a mean is the exact sum divided once. Real
numbers are summed as double in an order that depends only on how many there
are. The answer does not depend on the device.

examples:
gpuhmm reduce matrices.txt
gpuhmm reduce --op mean --nan ignore --format npy -o mean.npy frames.npy.gz
gpuhmm reduce --op max --dtype float32 --shape 512x512 frames.raw)";

OptionTable options() {
  OptionTable all("what to compute");
  all.add("op", one_of("OP", {"min", "max", "sum", "mean"}, true), "min, max, sum or mean");
  all.add("nan", one_of("P", {"propagate", "ignore", "error"}, true),
          "NaN among real numbers: propagate (the result is NaN), ignore (NaN is left out), or error");
  all.group("input and output");
  add_raw_options(all);
  all.add("shape", value<std::string>("RxC"), "rows and columns of the matrices of a raw file");
  add_output_option(all, "write the matrix");
  add_format_option(all, {"text", "npy"}, "text (tab-separated) or npy");
  add_message_options(all, "no progress line");
  all.group("computing");
  add_compute_options(all, Devices::One);
  return all;
}

// "3x4" as {3, 4}.
std::vector<std::uint64_t> shape_from(const std::string& text) {
  std::uint64_t rows = 0, columns = 0;
  const char* const end = text.data() + text.size();
  const auto [middle, row_error] = std::from_chars(text.data(), end, rows);
  const bool separated = row_error == std::errc() && middle != end && *middle == 'x';
  const auto [last, column_error] = std::from_chars(separated ? middle + 1 : end, end, columns);
  if (!separated || column_error != std::errc() || last != end || rows == 0 || columns == 0) {
    throw UsageError("option '--shape' expects rows x columns, such as 3x3");
  }
  return {rows, columns};
}

NumberOptions reading_from(const Arguments& arguments) {
  NumberOptions reading = raw_options_from(arguments);
  const std::optional<std::string> shape = arguments.text("shape");
  if (shape.has_value() != reading.type.has_value()) {
    throw UsageError("--dtype and --shape need each other: both are for raw stacks");
  }
  if (shape) reading.item_shape = shape_from(*shape);
  reading.refuse_non_finite = false;
  return reading;
}

ReduceOptions reduction_from(const Arguments& arguments) {
  ReduceOptions options;
  options.operation = operation_of(arguments.get("op")).value();
  const std::string nan = arguments.get("nan");
  options.nan = nan == "propagate" ? NanPolicy::Propagate
                : nan == "ignore"  ? NanPolicy::Ignore
                                   : NanPolicy::Refuse;
  options.threads = threads_from(arguments);
  return options;
}

struct ReduceTimes {
  double read = 0;    // seconds of waiting for input
  double reduce = 0;  // seconds of the reducer; reading goes on meanwhile
};

// Reads the next block while one is reduced. The reducer needs as much memory as some matrices, so it is made
// only after a first matrix has been read.
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

std::string place_text(const std::string& name, const NanFound& found, std::uint64_t columns) {
  return name + ": matrix " + std::to_string(found.item) + ", row " +
         std::to_string(found.element / columns) + ", column " + std::to_string(found.element % columns) +
         " (counted from 0) is not a number; expected numbers (or --nan propagate or ignore)";
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
    return make_checked_reducer(reader.item_size(), on_device, on_host,
                                [](const std::string& message) { warn(message); });
  } catch (const EngineFailure& error) {
    throw DeviceError(error.what());
  }
}

// The reduced matrix. Throws FileError, which names the file, for errors in the stack.
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

std::size_t bytes_of(NumberType type) {
  return type == NumberType::Int64 || type == NumberType::Float64 ? 8 : 4;
}

void run(const Arguments& arguments) {
  RunStatistics statistics(arguments.has("stats"));
  const std::string& input = arguments.positional[0];
  const NumberOptions reading = reading_from(arguments);
  const ReduceOptions reduction = reduction_from(arguments);
  const std::string form = arguments.get("format");
  const std::string output = output_from(arguments);
  FileRoles().reads(input).writes(output);
  // The host reduces a stack in less time than copying it to a device takes, so "auto" is the host.
  const std::optional<DeviceInfo> device = one_device(arguments.get("device"), false);

  OutputFile out(output);
  NumberReader reader(input, kRank, reading);
  ReduceTimes times;
  ProgressLine progress(arguments.silent(), kNumbers);
  NumberArray matrix{reader.item_shape(), reduce_file(reader, device, reduction, times, progress)};
  progress.finish();
  if (form == "npy") {
    write_npy(out, matrix);
  } else {
    out.write(matrix_table(matrix, reduction.operation, reader.items_read()));
  }
  out.commit();
  const std::uint64_t elements = reader.items_read() * reader.item_size();
  statistics.engine(device);
  statistics.count("matrices", reader.items_read());
  statistics.count("elements", elements);
  statistics.count("bytes", elements * bytes_of(reader.type()));
  statistics.seconds("read", times.read);
  statistics.seconds("reduce", times.reduce);
  statistics.print();
}

}  // namespace

Command reduce_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
