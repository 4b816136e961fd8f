// `gpuhmm subsequence`: the increasing subsequence of largest sum in a vector.
#include "cli/command_subsequence.hpp"

#include <iostream>
#include <span>

#include "cli/file_roles.hpp"
#include "cli/message.hpp"
#include "cli/number_options.hpp"
#include "cli/options.hpp"
#include "companion/subsequence/subsequence.hpp"
#include "formats/io/output.hpp"
#include "formats/report/format.hpp"
#include "opencl/engine_failure.hpp"
#include "search/engines.hpp"

namespace po = boost::program_options;

namespace gpuhmm::cli {

namespace {

using Length = SubsequenceQuery::Length;

constexpr const char* kDescription = R"(
Chooses elements of a vector, kept in their order, that increase and have the
largest sum: exactly --k of them, or --at-most some number, or any number. Of
equal sums the fewest elements are taken, then the smallest positions. Sums are
exact. If there is no such subsequence that is said, and is no error.

VECTOR is a .npy file, text (numbers parted by white space or commas; lines
beginning with # are remarks), one --column of a table, or raw with --dtype;
gzipped or not, '-' for standard input. Positions are counted from 0.)";

constexpr const char* kExamples = R"(
gpuhmm subsequence --k 3 numbers.txt
gpuhmm subsequence --at-most 10 --non-decreasing signal.npy
gpuhmm subsequence --column price --format json quotes.tsv)";

OptionTable options() {
  OptionTable all("what to look for");
  all.add("k,k", value<std::int64_t>("K"), "exactly K elements");
  all.add("at-most", value<std::int64_t>("K"), "1 to K elements");
  all.add("non-decreasing", "elements may equal the one before");
  all.group("input and output");
  all.add("column", value<std::string>("C"),
          "VECTOR is a table parted by tabs: its column C, a number from 1 or a name in the first line");
  add_raw_options(all);
  add_output_option(all, "write the elements");
  add_format_option(all, {"tsv", "json"}, "tsv or json");
  add_quiet_option(all, "nothing on standard error but errors");
  add_stats_option(all);
  all.group("computing");
  add_device_option(all, Devices::One);
  all.add("method", one_of("M", {"auto", "plain", "fenwick", "elements", "levels", "blocks"}, true),
          "auto, plain or fenwick (CPU), elements, levels or blocks (device); all give the same answer");
  return all;
}

std::uint64_t elements_from(const po::variables_map& given, const char* name) {
  const auto value = given[name].as<std::int64_t>();
  if (value < 1) throw UsageError(std::string("option '--") + name + "' expects at least 1");
  return static_cast<std::uint64_t>(value);
}

SubsequenceQuery query_from(const po::variables_map& given) {
  SubsequenceQuery query;
  query.non_decreasing = given.count("non-decreasing") > 0;
  const bool exactly = given.count("k") > 0, at_most = given.count("at-most") > 0;
  if (exactly && at_most) throw UsageError("--k can not be used with --at-most");
  if (exactly || at_most) {
    query.length = exactly ? Length::kExactly : Length::kAtMost;
    query.elements = elements_from(given, exactly ? "k" : "at-most");
  }
  return query;
}

NumberOptions reading_from(const po::variables_map& given) {
  NumberOptions reading = raw_options_from(given);
  reading.column = text_option(given, "column");
  if (reading.column && reading.type) throw UsageError("--column can not be used with --dtype");
  return reading;
}

std::string counted(std::uint64_t elements) {
  return std::to_string(elements) + (elements == 1 ? " element" : " elements");
}

std::string kind_text(const SubsequenceQuery& query) {
  std::string text = query.non_decreasing ? "non-decreasing subsequence" : "increasing subsequence";
  if (query.length == Length::kExactly) text += " of " + counted(query.elements);
  if (query.length == Length::kAtMost) text += " of at most " + counted(query.elements);
  return text;
}

std::string sum_text(const Subsequence& answer) {
  return std::visit([](auto sum) { return number_text(sum); }, answer.sum);
}

std::string table(const Subsequence& answer, const SubsequenceQuery& query, const NumberValues& vector) {
  if (answer.positions.empty()) {
    return "# no " + kind_text(query) + "; the longest has " + std::to_string(answer.longest) + "\n";
  }
  std::string text = "# " + kind_text(query) + "; sum " + sum_text(answer) + ", elements " +
                     std::to_string(answer.positions.size()) +
                     "; positions counted from 0\n# position\tvalue\n";
  std::visit(
      [&](const auto& values) {
        for (const std::size_t i : answer.positions) {
          text += std::to_string(i) + '\t' + number_text(values[i]) + '\n';
        }
      },
      vector);
  return text;
}

// Numbers are written as they are in the table: sums may have more digits than JSON libraries keep.
std::string json(const Subsequence& answer, const NumberValues& vector) {
  if (answer.positions.empty()) {
    return "{\"elements\":0,\"sum\":null,\"positions\":[],\"values\":[],\"longest\":" +
           std::to_string(answer.longest) + "}\n";
  }
  std::string positions, chosen;
  std::visit(
      [&](const auto& values) {
        for (const std::size_t i : answer.positions) {
          positions += (positions.empty() ? "" : ",") + std::to_string(i);
          chosen += (chosen.empty() ? "" : ",") + number_text(values[i]);
        }
      },
      vector);
  return "{\"elements\":" + std::to_string(answer.positions.size()) + ",\"sum\":" + sum_text(answer) +
         ",\"positions\":[" + positions + "],\"values\":[" + chosen + "]}\n";
}

void print_statistics(const Subsequence& answer, std::size_t elements, const std::string& where) {
  std::cerr << format("elements %zu\nmethod   %s (%s)\nsums     %s\nprepare  %.4f s\nsolve    %.4f s\n",
                      elements, method_name(answer.method), where.c_str(), answer.arithmetic.c_str(),
                      answer.seconds.prepare, answer.seconds.solve);
  if (answer.seconds.kernels > 0) std::cerr << format("  kernels %.4f s\n", answer.seconds.kernels);
}

// The answer, by the device if there is one; a device chosen by auto is done without if it fails.
Subsequence solve(const NumberValues& vector, const SubsequenceQuery& query, SubsequenceCompute compute,
                  bool automatic) {
  return std::visit(
      [&]<class T>(const std::vector<T>& values) {
        const std::span<const T> span(values);
        try {
          return best_subsequence(span, query, compute);
        } catch (const EngineFailure& error) {
          if (!automatic) throw DeviceError(error.what());
          warn(std::string(error.what()) + "; computed on the host");
          compute.device.reset();
          return best_subsequence(span, query, compute);
        }
      },
      vector);
}

int run(const Arguments& arguments) {
  const po::variables_map& given = arguments.options;
  const std::string& input = arguments.positional[0];
  const SubsequenceQuery query = query_from(given);
  const NumberOptions reading = reading_from(given);
  const std::string form = output_format_from(given);
  const std::optional<SubsequenceMethod> method = method_of(given["method"].as<std::string>());
  const std::string device = given["device"].as<std::string>();
  const std::string output = output_from(given);
  FileRoles().reads(input).writes(output);
  const bool wants_device = needs_device(*method);
  if (wants_device && device == "none")
    throw UsageError("--method " + std::string(method_name(*method)) + " needs a device");
  const bool automatic = device == "auto" && !wants_device;
  // A device that is not there is told before a large file is read.
  std::optional<DeviceInfo> named;
  if (device != "auto") named = one_device(device, true);

  OutputFile out(output);
  const NumberArray vector = read_numbers(input, 1, reading);
  SubsequenceCompute compute;
  compute.method = *method;
  compute.device = named;
  if (device == "auto")
    compute.device = one_device(device, wants_device || worth_a_device(vector.shape[0], query));
  if (wants_device && !compute.device) throw DeviceError("there is no GPU; --device names other devices");
  const Subsequence answer = solve(vector.values, query, compute, automatic);
  if (!answer.passed_over.empty()) warn(answer.passed_over);
  out.write(form == "json" ? json(answer, vector.values) : table(answer, query, vector.values));
  out.commit();
  if (wants_stats(given)) {
    const bool on_device = needs_device(answer.method) && compute.device;
    print_statistics(answer, vector.shape[0], on_device ? compute.device->name : "host");
  }
  return kDone;
}

}  // namespace

Command subsequence_command() {
  return {"subsequence",
          "VECTOR",
          "The increasing subsequence of largest sum in a vector",
          kDescription,
          kExamples,
          options,
          run};
}

}  // namespace gpuhmm::cli
