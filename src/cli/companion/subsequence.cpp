// `gpuhmm subsequence`: the increasing subsequence of largest sum in a vector.
#include "companion/subsequence/subsequence.hpp"

#include <span>

#include "cli/commands.hpp"
#include "cli/companion/number_options.hpp"
#include "cli/file_roles.hpp"
#include "cli/message.hpp"
#include "cli/options.hpp"
#include "cli/run_statistics.hpp"
#include "companion/subsequence/subsequence_writer.hpp"
#include "gpuhmm/device.hpp"
#include "gpuhmm/engine.hpp"
#include "gpuhmm/output.hpp"

namespace gpuhmm::cli {

namespace {

using Length = SubsequenceQuery::Length;

constexpr const char* kHelp = R"(subsequence VECTOR
The increasing subsequence of largest sum in a vector

Chooses elements of a vector, kept in their order, that increase and have the
largest sum: exactly --k of them, or --at-most some number, or any number. Among
equal sums the one of fewest elements is chosen, then the smallest positions.
Sums are exact. If there is no such subsequence, the output says so; that is not
an error. Answers do not depend on method, device or threads.

VECTOR is a .npy file, text (numbers separated by white space or commas; lines
beginning with # are comments), one --column of a table, or raw with --dtype;
gzipped or not, '-' for standard input. Positions are counted from 0.

examples:
gpuhmm subsequence --k 3 numbers.txt
gpuhmm subsequence --at-most 10 --non-decreasing signal.npy
gpuhmm subsequence --column price --format json quotes.tsv)";

OptionTable options() {
  OptionTable all("what to look for");
  all.add("k,k", value<std::int64_t>("K").within(1), "exactly K elements");
  all.add("at-most", value<std::int64_t>("K").within(1), "1 to K elements");
  all.add("non-decreasing", "elements may equal the one before");
  all.group("input and output");
  all.add("column", value<std::string>("C"),
          "VECTOR is column C, a number from 1 or a name in the first line, of a tab-separated table");
  add_raw_options(all);
  add_output_option(all, "write the elements");
  add_format_option(all, {"tsv", "json"}, "tsv or json");
  add_message_options(all, "only errors on standard error");
  all.group("computing");
  add_compute_options(all, Devices::One);
  all.add("method", one_of("M", {"auto", "plain", "fenwick", "elements", "levels", "blocks"}, true),
          "auto, plain or fenwick (CPU), elements, levels or blocks (device); all give the same answer");
  return all;
}

SubsequenceQuery query_from(const Arguments& arguments) {
  SubsequenceQuery query;
  query.non_decreasing = arguments.has("non-decreasing");
  const auto exactly = arguments.find<std::int64_t>("k"), at_most = arguments.find<std::int64_t>("at-most");
  if (exactly && at_most) throw UsageError("only one of --k and --at-most can be used");
  if (exactly || at_most) {
    query.length = exactly ? Length::Exactly : Length::AtMost;
    query.elements = static_cast<std::uint64_t>(exactly ? *exactly : *at_most);
  }
  return query;
}

NumberOptions reading_from(const Arguments& arguments) {
  NumberOptions reading = raw_options_from(arguments);
  reading.column = arguments.text("column");
  if (reading.column && reading.type) throw UsageError("only one of --column and --dtype can be used");
  return reading;
}

Subsequence solve(const NumberValues& vector, const SubsequenceQuery& query,
                  const SubsequenceCompute& compute) {
  try {
    return std::visit(
        [&]<class T>(const std::vector<T>& values) {
          return best_subsequence(std::span<const T>(values), query, compute);
        },
        vector);
  } catch (const EngineFailure& error) {
    throw DeviceError(error.what());
  }
}

void run(const Arguments& arguments) {
  RunStatistics statistics(arguments.has("stats"));
  const std::string& input = arguments.positional[0];
  const SubsequenceQuery query = query_from(arguments);
  const NumberOptions reading = reading_from(arguments);
  const std::string form = arguments.get("format");
  const std::optional<SubsequenceMethod> method = method_of(arguments.get("method"));
  const std::string device = arguments.get("device");
  const unsigned threads = threads_from(arguments);
  const std::string output = output_from(arguments);
  FileRoles().reads(input).writes(output);
  const bool wants_device = needs_device(*method);
  if (wants_device && device == "none")
    throw UsageError("--method " + std::string(method_name(*method)) + " needs a device");
  // Reports a missing device before reading a large file.
  std::optional<DeviceInfo> named;
  if (device != "auto") named = one_device(device, true);

  OutputFile out(output);
  const NumberArray vector = read_numbers(input, 1, reading);
  SubsequenceCompute compute;
  compute.method = *method;
  compute.threads = threads;
  compute.device = named;
  if (device == "auto" && !wants_device) compute.host_after = HostFallback::After::AnyFailure;
  if (device == "auto")
    compute.device = one_device(device, wants_device || worth_a_device(vector.shape[0], query));
  if (wants_device && !compute.device) throw DeviceError("there is no GPU; --device names other devices");
  const Subsequence answer = solve(vector.values, query, compute);
  if (!answer.passed_over.empty()) warn(answer.passed_over);
  out.write(form == "json" ? subsequence_json(answer, vector.values)
                           : subsequence_table(answer, query, vector.values));
  out.commit();
  statistics.engine(needs_device(answer.method) ? compute.device : std::nullopt);
  statistics.note("method", method_name(answer.method));
  statistics.note("sums", answer.arithmetic);
  statistics.count("elements", vector.shape[0]);
  statistics.seconds("prepare", answer.seconds.prepare);
  statistics.seconds("solve", answer.seconds.solve);
  if (answer.seconds.kernels > 0) statistics.seconds("  kernels", answer.seconds.kernels);
  statistics.print();
}

}  // namespace

Command subsequence_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
