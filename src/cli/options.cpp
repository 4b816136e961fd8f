// Defines the options that several commands share.
#include "cli/options.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "cli/file_roles.hpp"
#include "gpuhmm/engine.hpp"

namespace gpuhmm::cli {

namespace {

constexpr int kMostThreads = 4096;

std::vector<std::string> sequence_formats() {
  constexpr std::string_view kBetween = ", ";
  const std::string names = sequence_format_names();
  std::vector<std::string> formats;
  for (std::size_t at = 0, end = 0; end != std::string::npos; at = end + kBetween.size()) {
    end = names.find(kBetween, at);
    formats.push_back(names.substr(at, end - at));
  }
  return formats;
}

}  // namespace

unsigned processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(CPU_COUNT(&set));
}

void add_threshold_options(OptionTable& all, ReportKind kind) {
  const bool is_search = kind == ReportKind::Search;
  const std::string targets = is_search ? "sequences" : "profiles";
  all.add("evalue,E", value<double>("X").finite(),
          "report " + targets + " with an E-value of at most X (default 10)");
  all.add("score,T", value<double>("X").finite(), "report " + targets + " with a score of at least X bits");
  all.add("size,Z", value<double>("X").finite(),
          std::string("E-values for a ") + (is_search ? "database" : "library") + " of X " + targets +
              " (default: as counted)");
  all.add("domE", value<double>("X").finite(), "report domains with an E-value of at most X");
  all.add("domT", value<double>("X").finite(), "report domains with a score of at least X bits");
  all.add("cut_ga", "use the profile's gathering cut-offs (GA)");
  all.add("cut_nc", "use the profile's noise cut-offs (NC)");
  all.add("cut_tc", "use the profile's trusted cut-offs (TC)");
  all.only_one({"cut_ga", "cut_nc", "cut_tc"});
  all.add("null2", "switch the correction for biased composition OFF, as HMMER 2's --null2 does");
  all.add("forward", "Forward instead of Viterbi scores for whole sequences");
  all.add("xnu", "mask repeats in protein sequences (XNU)");
}

Thresholds thresholds_from(const Arguments& arguments) {
  Thresholds thresholds;
  const auto real = [&](const char* name, double otherwise) {
    return arguments.find<double>(name).value_or(otherwise);
  };
  thresholds.sequence_e = real("evalue", thresholds.sequence_e);
  thresholds.sequence_t = static_cast<float>(real("score", thresholds.sequence_t));
  thresholds.domain_e = real("domE", thresholds.domain_e);
  thresholds.domain_t = static_cast<float>(real("domT", thresholds.domain_t));
  thresholds.database_size = arguments.find<double>("size");
  if (arguments.has("cut_ga")) thresholds.cutoff = CutoffKind::Gathering;
  if (arguments.has("cut_nc")) thresholds.cutoff = CutoffKind::Noise;
  if (arguments.has("cut_tc")) thresholds.cutoff = CutoffKind::Trusted;
  thresholds.null2 = !arguments.has("null2");
  thresholds.forward = arguments.has("forward");
  thresholds.xnu = arguments.has("xnu");
  return thresholds;
}

void add_output_option(OptionTable& all, const std::string& what) {
  all.add("output,o", file(), what + " to FILE");
}

void add_output_argument(OptionTable& all, std::string_view names, std::size_t place,
                         const std::string& shown) {
  all.add(names, file(), "another way to give " + shown + ": write to FILE");
  all.names_argument("output", place);
}

std::string output_from(const Arguments& arguments) { return arguments.text("output").value_or("-"); }

std::optional<std::string> output_file_from(const Arguments& arguments) {
  std::optional<std::string> path = arguments.text("output");
  if (path && !arguments.drop_in && is_standard_output(*path)) path.reset();
  return path;
}

void add_message_options(OptionTable& all, const std::string& quiet) {
  all.add("quiet,q", quiet);
  all.add("stats", "report counts, times and rates on standard error at the end");
}

void add_replacing_options(OptionTable& all, const std::string& output, const std::string& kind) {
  all.add("append,A", "append to " + output + kind + " if it exists");
  all.add("force,F", "replace " + output + " if it exists");
}

void add_format_option(OptionTable& all, std::vector<std::string> layouts, const std::string& text) {
  all.add("format", one_of("F", std::move(layouts), true), text);
}

TableLayout table_layout_from(const Arguments& arguments) {
  return arguments.get("format") == "tab" ? TableLayout::Tabbed : TableLayout::Padded;
}

void add_informat_option(OptionTable& all, const std::string& what) {
  all.add("informat", any_text("S", sequence_formats()), "format of " + what + " (default: by content)");
}

std::optional<SequenceFormat> informat_from(const Arguments& arguments) {
  const std::optional<std::string> name = arguments.text("informat");
  if (!name) return std::nullopt;
  const std::optional<SequenceFormat> format = sequence_format_from_name(*name);
  if (!format || (arguments.drop_in && format == SequenceFormat::Afa)) {
    throw UsageError("unknown sequence format '" + *name + "': expected " +
                     (arguments.drop_in ? "one of HMMER 2 that gpuhmm reads" : sequence_format_names()));
  }
  return format;
}

void add_seed_option(OptionTable& all) {
  all.add("seed", value<std::int32_t>("N"), "seed of the random numbers (default: the time in seconds)");
}

std::int32_t seed_from(const Arguments& arguments) {
  return arguments.find<std::int32_t>("seed").value_or(static_cast<std::int32_t>(std::time(nullptr)));
}

void add_alphabet_option(OptionTable& all, const std::string& otherwise) {
  all.add("alphabet", one_of("A", {"amino", "nucleic"}, false),
          "amino or nucleic (default: " + otherwise + ")");
}

std::optional<AlphabetKind> alphabet_from(const Arguments& arguments) {
  const std::optional<std::string> name = arguments.text("alphabet");
  const bool amino = arguments.has("amino"), nucleic = arguments.has("nucleic");
  if (amino && nucleic) throw UsageError("only one of --amino and --nucleic can be used");
  if (name && (amino || nucleic) && (*name == "amino") != amino) {
    throw UsageError(std::string("--alphabet contradicts ") + (amino ? "--amino" : "--nucleic"));
  }
  if (!name && !amino && !nucleic) return std::nullopt;
  return amino || name == "amino" ? AlphabetKind::Amino : AlphabetKind::Nucleic;
}

void add_compute_options(OptionTable& all, Devices count, const std::string& automatic) {
  add_device_option(all, count, automatic);
  add_cpu_option(all);
}

void add_device_option(OptionTable& all, Devices count, const std::string& automatic) {
  const bool one = count == Devices::One;
  all.add("device", any_text("D", {"auto", "none", "all"}, "auto"),
          "where to compute: " + automatic + ", none (this CPU without OpenCL), all (" +
              (one ? "the first" : "every") +
              " GPU), or the name or index of a device that `gpuhmm devices` lists" +
              (one ? "" : "; several, separated by commas, share the work"));
}

void add_cpu_option(OptionTable& all) {
  all.add("cpu", value<int>("N").within(0, kMostThreads), "host threads (default: all processors)");
}

bool names_devices(const std::string& device) { return device != "auto" && device != "none"; }

std::optional<DeviceInfo> one_device(const std::string& spec, bool worth_starting) {
  if (spec.find(',') != std::string::npos) {
    throw UsageError("option '--device' expects one device: this command does not share its work");
  }
  if (spec == "none" || (spec == "auto" && !worth_starting)) return std::nullopt;
  try {
    return select_device(list_devices(), spec);
  } catch (const std::invalid_argument& error) {
    throw DeviceError(error.what());
  }
}

unsigned threads_from(const Arguments& arguments) {
  // HMMER 2's programs read HMMER_NCPU and clamp its value.
  const char* const environment = arguments.drop_in ? std::getenv("HMMER_NCPU") : nullptr;
  if (const std::optional<int> given = arguments.find<int>("cpu")) {
    return static_cast<unsigned>(std::clamp(*given, 1, kMostThreads));
  }
  return environment != nullptr ? static_cast<unsigned>(std::clamp(std::atoi(environment), 1, kMostThreads))
                                : processors();
}

// Four GPUs took 9 s with 32 threads and 9 to 19 with 64, probably as threads that wait for a device take
// work that suits it better (docs/history/kernels-gpu.md).
unsigned threads_beside(std::size_t devices, unsigned available) {
  constexpr std::size_t kLeast = 32, kOfDevice = 8;
  return static_cast<unsigned>(std::min<std::size_t>(available, std::max(kLeast, kOfDevice * devices)));
}

bool has_worker_threads(const Arguments& arguments) {
  return arguments.drop_in && arguments.find<int>("cpu") != 0;
}

}  // namespace gpuhmm::cli
