// Shared options; see the header.
#include "cli/options.hpp"

#include <sched.h>
#include <unistd.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "opencl/device.hpp"
#include "search/engines.hpp"
#include "strings/opencl/device_sorter.hpp"

namespace po = boost::program_options;

namespace gpuhmm::cli {

namespace {

double finite_option(const po::variables_map& given, const char* name, double otherwise) {
  if (given.count(name) == 0) return otherwise;
  const double value = given[name].as<double>();
  if (!std::isfinite(value)) throw UsageError(std::string("option '--") + name + "' expects a finite number");
  return value;
}

unsigned processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(CPU_COUNT(&set));
}

void add_host_option(po::options_description& all) {
  all.add_options()("cpu", po::value<int>()->value_name("N"), "host threads (default: all processors)");
}

}  // namespace

void add_threshold_options(po::options_description& all) {
  all.add_options()("evalue,E", po::value<double>()->value_name("X"),
                    "report sequences with an E-value of at most X (default 10)")(
      "score,T", po::value<double>()->value_name("X"), "report sequences with a score of at least X bits")(
      "size,Z", po::value<int>()->value_name("N"),
      "E-values for a database of N sequences (default: as counted)")(
      "domE", po::value<double>()->value_name("X"), "report domains with an E-value of at most X")(
      "domT", po::value<double>()->value_name("X"), "report domains with a score of at least X bits")(
      "cut_ga", "use the profile's gathering cut-offs (GA)")(
      "cut_nc", "use the profile's noise cut-offs (NC)")("cut_tc", "use the profile's trusted cut-offs (TC)")(
      "null2",
      "switch the correction for biased composition OFF, as "
      "HMMER 2's --null2 does")("forward", "Forward instead of Viterbi scores for whole sequences")(
      "xnu", "mask repeats in protein sequences (XNU)");
}

Thresholds thresholds_from(const po::variables_map& given) {
  Thresholds thresholds;
  thresholds.sequence_e = finite_option(given, "evalue", thresholds.sequence_e);
  thresholds.sequence_t = static_cast<float>(finite_option(given, "score", thresholds.sequence_t));
  thresholds.domain_e = finite_option(given, "domE", thresholds.domain_e);
  thresholds.domain_t = static_cast<float>(finite_option(given, "domT", thresholds.domain_t));
  if (given.count("size") > 0) thresholds.database_size = given["size"].as<int>();
  const int cutoffs = static_cast<int>(given.count("cut_ga") + given.count("cut_nc") + given.count("cut_tc"));
  if (cutoffs > 1) throw UsageError("only one of --cut_ga, --cut_nc and --cut_tc can be used");
  if (given.count("cut_ga") > 0) thresholds.cutoff = CutoffKind::Gathering;
  if (given.count("cut_nc") > 0) thresholds.cutoff = CutoffKind::Noise;
  if (given.count("cut_tc") > 0) thresholds.cutoff = CutoffKind::Trusted;
  thresholds.null2 = given.count("null2") == 0;
  thresholds.forward = given.count("forward") > 0;
  thresholds.xnu = given.count("xnu") > 0;
  return thresholds;
}

void add_compute_options(po::options_description& all) {
  all.add_options()("device", po::value<std::string>()->value_name("D")->default_value("auto"),
                    "where scores are computed: auto, none (this CPU without OpenCL), all (every GPU), or "
                    "the name or index of a "
                    "device that `gpuhmm devices` lists; several, separated by commas, share the work");
  add_host_option(all);
}

unsigned threads_from(const po::variables_map& given) {
  if (given.count("cpu") == 0) return processors();
  const int threads = given["cpu"].as<int>();
  if (threads < 0 || threads > 4096) throw UsageError("option '--cpu' expects 0 to 4096 threads");
  return threads == 0 ? 1 : static_cast<unsigned>(threads);
}

void add_sorting_options(po::options_description& all) {
  all.add_options()(
      "device", po::value<std::string>()->value_name("D")->default_value("auto"),
      "where to sort: auto (a GPU if there is one and the input is large), none (this CPU), or the name or "
      "index of a device that `gpuhmm devices` lists");
  add_host_option(all);
}

std::unique_ptr<Sorter> sorter_from(const po::variables_map& given, const std::string& input) {
  // bytes of a file that the host sorts in about the time a GPU needs to start
  constexpr std::uintmax_t kWorthStarting = std::uintmax_t{200} << 20;
  constexpr std::size_t kWorthSending = std::size_t{1} << 16;  // lines or words
  const unsigned threads = threads_from(given);
  const auto& name = given["device"].as<std::string>();
  if (name == "none") return make_host_sorter(threads);
  if (name == "auto") {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(input, error);
    if (error || size < kWorthStarting) return make_host_sorter(threads);
  }
  DeviceSorterOptions how;
  how.threads = threads;
  if (name == "auto") {
    how.smallest = kWorthSending;
    how.host_after_failure = true;
  }
  try {
    const std::optional<DeviceInfo> device = select_device(list_devices(), name);
    return device ? make_device_sorter(*device, how) : make_host_sorter(threads);
  } catch (const std::exception& error) {
    if (name == "auto") return make_host_sorter(threads);
    throw DeviceError(error.what());
  }
}

void add_memory_option(po::options_description& all) {
  all.add_options()("memory", po::value<std::string>()->value_name("SIZE"),
                    "memory to get along with, as 500M or 8G; what does not fit goes through temporary files "
                    "(default: half of the machine's)");
}

std::uint64_t memory_from(const po::variables_map& given) {
  const std::optional<std::string> text = text_option(given, "memory");
  if (!text) return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE) / 2;
  constexpr std::string_view kUnits = "KMGT";
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), size);
  const std::string_view unit(end, static_cast<std::size_t>(text->data() + text->size() - end));
  const std::size_t place = unit.empty() ? 0 : kUnits.find(unit) + 1;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 60;
  if (error != std::errc() || unit.size() > 1 || (!unit.empty() && place == 0) || size == 0 ||
      size > kMost >> (10 * place)) {
    throw UsageError("option '--memory' expects bytes, or a number with K, M, G or T, such as 500M");
  }
  return size << (10 * place);
}

std::optional<std::string> text_option(const po::variables_map& given, const char* name) {
  if (given.count(name) == 0) return std::nullopt;
  return given[name].as<std::string>();
}

std::optional<SequenceFormat> format_from(const po::variables_map& given) {
  const std::optional<std::string> name = text_option(given, "informat");
  if (!name) return std::nullopt;
  const std::optional<SequenceFormat> format = sequence_format_from_name(*name);
  if (!format)
    throw UsageError("unknown sequence format '" + *name + "': expected " + sequence_format_names());
  return format;
}

}  // namespace gpuhmm::cli
