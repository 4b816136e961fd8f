// Shared options; see the header.
#include "cli/options.hpp"

#include <sched.h>

#include <cmath>
#include <ctime>

namespace po = boost::program_options;

namespace gpuhmm::cli {

namespace {

double finite_option(const po::variables_map& given, const char* name, double otherwise) {
  if (given.count(name) == 0) return otherwise;
  const double value = given[name].as<double>();
  if (!std::isfinite(value)) throw UsageError(std::string("option '--") + name + "' expects a finite number");
  return value;
}

}  // namespace

void add_threshold_options(po::options_description& all, ReportKind kind) {
  const bool is_search = kind == ReportKind::Search;
  all.add_options()("evalue,E", po::value<double>()->value_name("X"),
                    is_search ? "report sequences with an E-value of at most X (default 10)"
                              : "report profiles with an E-value of at most X (default 10)")(
      "score,T", po::value<double>()->value_name("X"),
      is_search ? "report sequences with a score of at least X bits"
                : "report profiles with a score of at least X bits")(
      "size,Z", po::value<int>()->value_name("N"),
      is_search ? "E-values for a database of N sequences (default: as counted)"
                : "E-values for a library of N profiles (default: as counted)")(
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
                    "device that `gpuhmm devices` lists; several, separated by commas, share the work")(
      "cpu", po::value<int>()->value_name("N"), "host threads (default: all processors)");
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
  const std::string layout = given["table-format"].as<std::string>();
  if (layout != "space" && layout != "tab") throw UsageError("option '--table-format' expects space or tab");
  return layout == "tab" ? TableLayout::Tabbed : TableLayout::Padded;
}

}  // namespace gpuhmm::cli
