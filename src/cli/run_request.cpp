// Common options of search and scan; see the header.
#include "cli/run_request.hpp"

#include <filesystem>
#include <iostream>

#include "cli/options.hpp"
#include "formats/io/locate.hpp"
#include "formats/report/format.hpp"

namespace po = boost::program_options;

namespace gpuhmm::cli {

namespace {

OutputPaths paths_from(const po::variables_map& given) {
  OutputPaths paths;
  paths.report = text_option(given, "output");
  paths.targets = text_option(given, "tblout");
  paths.domains = text_option(given, "domtblout");
  paths.json = text_option(given, "json");
  const auto taken = [](const std::optional<std::string>& path) { return path && is_standard_output(*path); };
  if (!paths.report && !taken(paths.targets) && !taken(paths.domains) && !taken(paths.json)) {
    paths.report = "-";
  }
  if (paths.report == "/dev/null") paths.report.reset();
  return paths;
}

ReportStyle style_from(const Arguments& arguments, ReportKind kind) {
  const po::variables_map& given = arguments.options;
  ReportStyle style;
  style.kind = kind;
  style.profile_file = arguments.positional[0];
  style.sequence_file = arguments.positional[1];
  style.compat = given.count("compat") > 0;
  style.accessions = given.count("acc") > 0;
  if (given.count("alignments") > 0) style.alignment_limit = given["alignments"].as<int>();
  style.alignments = given.count("noali") == 0 && style.alignment_limit != 0;
  style.histogram = given.count("no-histogram") == 0;
  style.table_layout = table_layout_from(given);
  return style;
}

Verification verification_from(const po::variables_map& given) {
  Verification verification;
  if (given.count("verify") == 0) return verification;
  verification.percent = given["verify"].as<double>();
  const bool valid = *verification.percent >= 0 && *verification.percent <= 100;
  if (!valid) throw UsageError("option '--verify' expects a percentage from 0 to 100");
  return verification;
}

}  // namespace

po::options_description run_options(ReportKind kind) {
  const bool is_search = kind == ReportKind::Search;
  po::options_description output("output");
  output.add_options()("output,o", po::value<std::string>()->value_name("FILE"), "write the report to FILE")(
      "tblout", po::value<std::string>()->value_name("FILE"),
      is_search ? "write a table of hits, one line a sequence" : "write a table of hits, one line a profile")(
      "domtblout", po::value<std::string>()->value_name("FILE"), "write a table of hits, one line a domain")(
      "table-format", po::value<std::string>()->value_name("F")->default_value("space"),
      "layout of the tables: space (padded, as HMMER3's) or tab")(
      "json", po::value<std::string>()->value_name("FILE"), "write hits as JSON, one object a line")(
      "noali", "no alignments in the report and in JSON");
  if (is_search) {
    output.add_options()("no-histogram", "no score histogram in the report (lets the filter run)");
  } else {
    output.add_options()("acc", "show the profiles' accessions instead of their names in the report");
  }
  output.add_options()(
      "alignments,A", po::value<int>()->value_name("N"),
      is_search ? "at most N alignments in the report" : "at most N alignments in the report of a sequence")(
      "compat", "old layout of the report's query lines")("quiet", "no progress line")(
      "stats", "tell times, rates and sequences aligned on standard error at the end");
  po::options_description thresholds("thresholds and scores");
  add_threshold_options(thresholds, kind);
  po::options_description compute("input and computing");
  if (!is_search) compute.add_options()("nucleic,n", "refuse profiles that are not nucleic");
  compute.add_options()("informat", po::value<std::string>()->value_name("S"),
                        "format of SEQUENCES (default: told by content)")(
      "batch-residues", po::value<std::int64_t>()->value_name("N"),
      is_search ? "residues read and scored at a time (default: as many as the device prefers)"
                : "residues read and scored at a time (default 8388608)");
  add_compute_options(compute);
  compute.add_options()("verify", po::value<double>()->value_name("P"),
                        "recompute P percent of a device's scores on the CPU (default: a handful)");
  po::options_description all;
  all.add(output).add(thresholds).add(compute);
  return all;
}

RunRequest run_request(const Arguments& arguments, ReportKind kind) {
  const po::variables_map& given = arguments.options;
  RunRequest request;
  request.profiles = arguments.positional[0];
  request.sequences = arguments.positional[1];
  if (request.profiles == "-" && request.sequences == "-") {
    throw UsageError("only one of PROFILES and SEQUENCES can be standard input");
  }
  request.paths = paths_from(given);
  request.style = style_from(arguments, kind);
  request.format = format_from(given);
  request.thresholds = thresholds_from(given);
  request.threads = threads_from(given);
  if (given.count("batch-residues") > 0) {
    const auto residues = given["batch-residues"].as<std::int64_t>();
    if (residues < 1) throw UsageError("option '--batch-residues' expects at least 1");
    request.batch_residues = static_cast<std::size_t>(residues);
  }
  request.verification = verification_from(given);
  request.device = given["device"].as<std::string>();
  request.quiet = given.count("quiet") > 0;
  request.statistics = given.count("stats") > 0;
  return request;
}

LocatedInputs locate_inputs(const RunRequest& request) {
  LocatedInputs inputs = {locate_file(request.profiles, "HMMERDB"),
                          locate_file(request.sequences, "BLASTDB")};
  check_distinct(request.paths, {inputs.profiles, inputs.sequences});
  return inputs;
}

double expected_cells(const LocatedInputs& inputs) {
  constexpr double kBytesPerNode = 500;  // of a text profile; a binary one has fewer
  const auto size = [](const std::string& path) {
    std::error_code error;
    const auto bytes = is_reopenable(path) ? std::filesystem::file_size(path, error) : 0;
    return error ? 0.0 : static_cast<double>(bytes);
  };
  return size(inputs.profiles) / kBytesPerNode * size(inputs.sequences);
}

bool is_reopenable(const std::string& path) {
  std::error_code error;
  return path != "-" && std::filesystem::is_regular_file(path, error);
}

void print_statistics(const SearchStatistics& s, std::span<const Survivors> survivors) {
  const auto rate = [&](double seconds) { return seconds > 0 ? s.cells / seconds * 1e-9 : 0.0; };
  std::cerr << format(
      "engine   %s\nprofiles %lld\nsequences %lld, residues %lld\ncells    %.4g\nparse    %.3f s\n",
      s.engine.c_str(), static_cast<long long>(s.profiles), static_cast<long long>(s.sequences),
      static_cast<long long>(s.residues), s.cells, s.seconds.parse);
  std::cerr << format("score    %.3f s (%.2f GCUPS)\n", s.seconds.score, rate(s.seconds.score));
  if (const EngineTimes& engine = s.seconds.engine; engine.kernels > 0) {
    std::cerr << format(
        "  start    %.3f s\n  pack     %.3f s\n  copy     %.3f s\n  kernels  %.3f s (%.2f GCUPS)\n",
        engine.start, engine.pack, engine.copy, engine.kernels, rate(engine.kernels));
    if (engine.scored_again > 0) {
      std::cerr << format("  %lld sequences that bounds left open scored exactly\n",
                          static_cast<long long>(engine.scored_again));
    }
  }
  std::cerr << format("rescore  %.3f s\n", s.seconds.rescore);
  if (const AlignmentTimes& align = s.seconds.align; align.fill > 0) {
    std::cerr << format("  all threads together: fill %.3f s, traceback %.3f s\n", align.fill,
                        align.traceback);
  }
  std::cerr << format("report   %.3f s\n", s.seconds.report);
  for (const Survivors& some : survivors) {
    std::cerr << format("survivors %s %lld of %lld\n", some.profile.c_str(),
                        static_cast<long long>(some.aligned), static_cast<long long>(some.searched));
  }
}

}  // namespace gpuhmm::cli
