// Shared options; see the header.
#include "cli/options.hpp"

#include <sched.h>

#include <cmath>
#include <ctime>
#include <sstream>
#include <utility>

#include "cli/file_roles.hpp"

namespace po = boost::program_options;

namespace gpuhmm::cli {

namespace {

double finite_option(const po::variables_map& given, const char* name, double otherwise) {
  if (given.count(name) == 0) return otherwise;
  const double number = given[name].as<double>();
  if (!std::isfinite(number))
    throw UsageError(std::string("option '--") + name + "' expects a finite number");
  return number;
}

std::vector<std::string> sequence_formats() {
  std::istringstream names(sequence_format_names());
  std::vector<std::string> formats;
  for (std::string name; names >> name;) {
    if (name.ends_with(',')) name.pop_back();
    formats.push_back(name);
  }
  return formats;
}

}  // namespace

void add_threshold_options(OptionTable& all, ReportKind kind) {
  const bool is_search = kind == ReportKind::Search;
  const std::string targets = is_search ? "sequences" : "profiles";
  all.add("evalue,E", value<double>("X"), "report " + targets + " with an E-value of at most X (default 10)");
  all.add("score,T", value<double>("X"), "report " + targets + " with a score of at least X bits");
  all.add("size,Z", value<int>("N"),
          std::string("E-values for a ") + (is_search ? "database" : "library") + " of N " + targets +
              " (default: as counted)");
  all.add("domE", value<double>("X"), "report domains with an E-value of at most X");
  all.add("domT", value<double>("X"), "report domains with a score of at least X bits");
  all.add("cut_ga", "use the profile's gathering cut-offs (GA)");
  all.add("cut_nc", "use the profile's noise cut-offs (NC)");
  all.add("cut_tc", "use the profile's trusted cut-offs (TC)");
  all.add("null2", "switch the correction for biased composition OFF, as HMMER 2's --null2 does");
  all.add("forward", "Forward instead of Viterbi scores for whole sequences");
  all.add("xnu", "mask repeats in protein sequences (XNU)");
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

void add_output_option(OptionTable& all, const std::string& what) {
  all.add("output,o", file(), what + " to FILE");
}

std::string output_from(const po::variables_map& given) { return text_option(given, "output").value_or("-"); }

std::optional<std::string> output_file_from(const po::variables_map& given) {
  std::optional<std::string> path = text_option(given, "output");
  if (path && is_standard_output(*path)) path.reset();
  return path;
}

void add_quiet_option(OptionTable& all, const std::string& what) { all.add("quiet,q", what); }

bool is_quiet(const po::variables_map& given) { return given.count("quiet") > 0; }

void add_stats_option(OptionTable& all) {
  all.add("stats", "tell counts, times and rates on standard error at the end");
}

bool wants_stats(const po::variables_map& given) { return given.count("stats") > 0; }

void add_format_option(OptionTable& all, std::vector<std::string> layouts, const std::string& text) {
  all.add("format", one_of("F", std::move(layouts), true), text);
}

std::string output_format_from(const po::variables_map& given) { return given["format"].as<std::string>(); }

void add_informat_option(OptionTable& all, const std::string& what) {
  all.add("informat", any_text("S", sequence_formats()), "format of " + what + " (default: told by content)");
}

void add_seed_option(OptionTable& all) {
  all.add("seed", value<std::int32_t>("N"), "seed of the random numbers (default: the time in seconds)");
}

void add_alphabet_option(OptionTable& all, const std::string& otherwise) {
  all.add("alphabet", one_of("A", {"amino", "nucleic"}, false),
          "amino or nucleic (default: " + otherwise + ")");
}

std::optional<AlphabetKind> alphabet_from(const po::variables_map& given) {
  const std::optional<std::string> name = text_option(given, "alphabet");
  if (!name) return std::nullopt;
  return *name == "amino" ? AlphabetKind::Amino : AlphabetKind::Nucleic;
}

void add_device_option(OptionTable& all, Devices count, const std::string& automatic) {
  const std::string several =
      count == Devices::Several ? "; several, separated by commas, share the work" : "";
  all.add("device", any_text("D", {"auto", "none", "all"}, "auto"),
          "where it is computed: " + automatic + ", none (this CPU without OpenCL), all (" +
              (several.empty() ? "the first" : "every") +
              " GPU), or the name or index of a device that `gpuhmm devices` lists" + several);
}

void add_cpu_option(OptionTable& all) {
  all.add("cpu", value<int>("N"), "host threads (default: all processors)");
}

void add_compute_options(OptionTable& all) {
  add_device_option(all, Devices::Several);
  add_cpu_option(all);
}

unsigned processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(CPU_COUNT(&set));
}

unsigned threads_from(const po::variables_map& given) {
  if (given.count("cpu") == 0) return processors();
  const int threads = given["cpu"].as<int>();
  if (threads < 0 || threads > 4096) throw UsageError("option '--cpu' expects 0 to 4096 threads");
  return threads == 0 ? 1 : static_cast<unsigned>(threads);
}

std::int32_t seed_from(const po::variables_map& given) {
  return given.count("seed") > 0 ? given["seed"].as<std::int32_t>()
                                 : static_cast<std::int32_t>(std::time(nullptr));
}

std::optional<std::string> text_option(const po::variables_map& given, const char* name) {
  if (given.count(name) == 0) return std::nullopt;
  return given[name].as<std::string>();
}

SequenceFormat format_named(const std::string& name) {
  const std::optional<SequenceFormat> format = sequence_format_from_name(name);
  if (!format) {
    throw UsageError("unknown sequence format '" + name + "': expected " + sequence_format_names());
  }
  return *format;
}

std::optional<SequenceFormat> format_from(const po::variables_map& given) {
  const std::optional<std::string> name = text_option(given, "informat");
  if (!name) return std::nullopt;
  return format_named(*name);
}

TableLayout table_layout_from(const po::variables_map& given) {
  return output_format_from(given) == "tab" ? TableLayout::Tabbed : TableLayout::Padded;
}

}  // namespace gpuhmm::cli
