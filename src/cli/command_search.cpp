// `gpuhmm search`: profiles against a sequence database (hmmsearch).
#include "cli/command_search.hpp"

#include <filesystem>
#include <iostream>

#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/search_outputs.hpp"
#include "formats/database/database_reader.hpp"
#include "formats/io/locate.hpp"
#include "formats/report/format.hpp"
#include "search/engines.hpp"
#include "search/search.hpp"

namespace po = boost::program_options;

namespace gpuhmm::cli {

namespace {

constexpr const char* kDescription =
    "Searches every profile of the file PROFILES (HMMER2 text or binary, HMMER3 text) against every sequence "
    "of the "
    "file\nSEQUENCES (FASTA, UniProt, EMBL, GenBank, Stockholm and others, or a database made by `gpuhmm "
    "makedb`).\nEither may be gzipped or '-' for standard input; a prepared database may not.\n\n"
    "Standard output is the report of HMMER 2.3.2's hmmsearch, one for each profile. If a table or JSON is "
    "sent to\n"
    "standard output, the report is left out unless -o gives it a file.\n\n"
    "Output files appear when all is done; a search that fails leaves none behind.";

po::options_description options() {
  po::options_description output("output");
  output.add_options()("output,o", po::value<std::string>()->value_name("FILE"), "write the report to FILE")(
      "tblout", po::value<std::string>()->value_name("FILE"), "write a table of hits, one line a sequence")(
      "domtblout", po::value<std::string>()->value_name("FILE"), "write a table of hits, one line a domain")(
      "table-format", po::value<std::string>()->value_name("F")->default_value("space"),
      "layout of the tables: space (padded, as HMMER3's) or tab")(
      "json", po::value<std::string>()->value_name("FILE"), "write hits as JSON, one object a line")(
      "noali", "no alignments in the report and in JSON")(
      "no-histogram", "no score histogram in the report (lets the filter run)")(
      "alignments,A", po::value<int>()->value_name("N"), "at most N alignments in the report")(
      "compat", "old layout of the report's query lines")("quiet", "no progress line")(
      "stats", "tell times and rates on standard error at the end");
  po::options_description thresholds("thresholds and scores");
  add_threshold_options(thresholds);
  po::options_description compute("input and computing");
  compute.add_options()("informat", po::value<std::string>()->value_name("S"),
                        "format of SEQUENCES (default: told by content)")(
      "batch-residues", po::value<std::int64_t>()->value_name("N")->default_value(std::int64_t{256} << 20),
      "residues read and scored at a time");
  add_compute_options(compute);
  compute.add_options()("verify", po::value<double>()->value_name("P"),
                        "recompute P percent of a device's scores on the CPU (default: a handful)");
  po::options_description all;
  all.add(output).add(thresholds).add(compute);
  return all;
}

class Observer : public SearchObserver {
 public:
  Observer(SearchOutputs& outputs, ProgressLine& progress) : outputs_(outputs), progress_(progress) {}

  void result(const Profile& profile, const Thresholds& thresholds, SearchResult&& result) override {
    progress_.clear();
    outputs_.write(profile, thresholds, std::move(result));
  }
  void progress(const SearchStatistics& so_far) override { progress_.show(so_far); }
  void warning(const std::string& message) override {
    progress_.clear();
    std::cerr << "gpuhmm: warning: " << message << "\n";
  }

 private:
  SearchOutputs& outputs_;
  ProgressLine& progress_;
};

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

ReportStyle style_from(const Arguments& arguments) {
  const po::variables_map& given = arguments.options;
  ReportStyle style;
  style.profile_file = arguments.positional[0];
  style.sequence_file = arguments.positional[1];
  style.compat = given.count("compat") > 0;
  if (given.count("alignments") > 0) style.alignment_limit = given["alignments"].as<int>();
  style.alignments = given.count("noali") == 0 && style.alignment_limit != 0;
  style.histogram = given.count("no-histogram") == 0;
  style.table_layout = table_layout_from(given);
  return style;
}

void print_statistics(const SearchStatistics& s) {
  const double seconds = s.seconds.score;
  std::cerr << format(
      "engine   %s\nprofiles %lld\nsequences %lld, residues %lld\ncells    %.4g\n"
      "parse    %.3f s\nscore    %.3f s (%.2f GCUPS)\nrescore  %.3f s\nreport   %.3f s\n",
      s.engine.c_str(), static_cast<long long>(s.profiles), static_cast<long long>(s.sequences),
      static_cast<long long>(s.residues), s.cells, s.seconds.parse, seconds,
      seconds > 0 ? s.cells / seconds * 1e-9 : 0.0, s.seconds.rescore, s.seconds.report);
}

int run(const Arguments& arguments) {
  const po::variables_map& given = arguments.options;
  const std::string& profile_path = arguments.positional[0];
  const std::string& sequence_path = arguments.positional[1];
  if (profile_path == "-" && sequence_path == "-") {
    throw UsageError("only one of PROFILES and SEQUENCES can be standard input");
  }
  const OutputPaths paths = paths_from(given);
  const ReportStyle style = style_from(arguments);
  const std::optional<SequenceFormat> format = format_from(given);

  SearchOptions options;
  options.thresholds = thresholds_from(given);
  options.alignments = style.alignments && (paths.report || paths.json);
  options.histogram = style.histogram && paths.report.has_value();
  options.threads = threads_from(given);
  const auto batch_residues = given["batch-residues"].as<std::int64_t>();
  if (batch_residues < 1) throw UsageError("option '--batch-residues' expects at least 1");
  options.batch_residues = static_cast<std::size_t>(batch_residues);
  if (given.count("verify") > 0) {
    options.verification.percent = given["verify"].as<double>();
    const bool valid = *options.verification.percent >= 0 && *options.verification.percent <= 100;
    if (!valid) throw UsageError("option '--verify' expects a percentage from 0 to 100");
  }
  const EngineMaker maker(given["device"].as<std::string>(), options.threads);
  options.make_engines = [&maker](double cells, bool more, const Warning& warn) {
    return maker.make(cells, more, warn);
  };

  const std::string located_profiles = locate_file(profile_path, "HMMERDB");
  const std::string located_sequences = locate_file(sequence_path, "BLASTDB");
  check_distinct(paths, {located_profiles, located_sequences});
  ProfileReader profiles(located_profiles);
  const SequenceSource sequences(located_sequences, format, options.threads);
  std::error_code error;
  const bool reopenable =
      located_sequences != "-" && std::filesystem::is_regular_file(located_sequences, error);
  SearchOutputs outputs(paths, style);
  ProgressLine progress(given.count("quiet") > 0);
  Observer observer(outputs, progress);
  const SearchStatistics statistics = search(
      profiles, [&](const Alphabet& alphabet) { return sequences.open(alphabet); }, reopenable, options,
      observer);
  outputs.commit();
  progress.clear();
  if (given.count("stats") > 0) print_statistics(statistics);
  return kDone;
}

}  // namespace

Command search_command() {
  return {"search",
          "PROFILES SEQUENCES",
          "Search profiles against a sequence database (hmmsearch)",
          kDescription,
          "gpuhmm search Pkinase.hmm uniprot.fasta.gz\n"
          "gpuhmm search --cut_ga --noali --domtblout hits.tbl Pfam.hmm proteome.fasta\n"
          "gpuhmm search --tblout - --table-format tab smart.hmm - < proteins.fasta | sort -t $'\\t' -k5,5g",
          options,
          run};
}

}  // namespace gpuhmm::cli
