// Defines and reads the common options of search and scan.
#include "cli/commands/run_request.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "cli/commands/hmmer3_request.hpp"
#include "cli/commands/shard.hpp"
#include "cli/file_roles.hpp"
#include "cli/one_device.hpp"
#include "cli/options.hpp"
#include "gpuhmm/input.hpp"
#include "util/format.hpp"
#include "util/printable.hpp"

namespace gpuhmm::cli {

namespace {

ReportStyle style_from(const Arguments& arguments, ReportKind kind) {
  ReportStyle style;
  style.kind = kind;
  style.profile_file = arguments.positional[0];
  style.sequence_file = arguments.positional[1];
  style.compat = arguments.has("compat");
  style.accessions = arguments.has("acc");
  style.alignment_limit = arguments.find<int>("alignments");
  style.alignments = !arguments.has("noali") && style.alignment_limit != 0;
  style.histogram = !arguments.has("no-histogram");
  style.table_layout = table_layout_from(arguments);
  return style;
}

}  // namespace

OptionTable run_options(ReportKind kind) {
  const bool is_search = kind == ReportKind::Search;
  const std::string target = is_search ? "sequence" : "profile";
  OptionTable all("output");
  add_output_option(all, "write the report");
  all.add("tblout", file(), "write a table of hits, one line per " + target);
  all.add("domtblout", file(), "write a table of hits, one line per domain");
  add_format_option(all, {"space", "tab"}, "layout of the tables: space (padded, as HMMER3's) or tab");
  all.alias("table-format", "format");
  all.add("json", file(), "write hits as JSON, one object per line");
  all.add("noali", "no alignments in the report and in JSON");
  if (is_search) {
    all.add("no-histogram", "no score histogram in the report (faster: the filter can be used)");
  } else {
    all.add("acc", "show the profiles' accessions instead of their names in the report");
  }
  all.add("alignments,A", value<int>("N"),
          std::string("at most N alignments in the report") + (is_search ? "" : " per sequence"));
  all.add("compat", "old layout of the report's query lines");
  add_message_options(all, "no progress line");
  all.group("thresholds and scores");
  add_threshold_options(all, kind);
  all.group("input and computing");
  if (!is_search) {
    add_alphabet_option(all, "that of the profiles; with --alphabet others are refused");
    all.add("nucleic,n", "HMMER's name of --alphabet nucleic: refuse profiles that are not nucleic");
  }
  add_informat_option(all, "SEQUENCES");
  all.add("batch-residues", value<std::int64_t>("N").within(1),
          std::string("residues read and scored at once (default") +
              (is_search ? ": what suits the device)" : " 8388608)"));
  add_compute_options(all);
  all.add("verify", value<double>("P").within(0, 100),
          "recompute P percent of a device's scores and alignments on the CPU (default: a few)");
  all.add("server", file("PATH"), "have the server on the socket PATH do the work (`gpuhmm serve`)");
  all.add("as", one_of("V", {"2", "3"}, false),
          "whose answer: 2 (HMMER 2.3.2's) or 3 (HMMER 3.3.2's) (default: by the version of the profiles)");
  add_hmmer3_options(all, kind);
  add_shard_options(all, kind);
  return all;
}

RunRequest run_request(const Arguments& arguments, ReportKind kind) {
  RunRequest request;
  request.profiles = arguments.positional[0];
  request.sequences = arguments.positional[1];
  const Hmmer3OutputPaths paths = output_paths(arguments);
  request.paths = {paths.report, paths.targets, paths.domains, paths.json};
  request.style = style_from(arguments, kind);
  request.thresholds = thresholds_from(arguments);
  request.threads = threads_from(arguments);
  if (const auto residues = arguments.find<std::int64_t>("batch-residues")) {
    request.batch_residues = static_cast<std::size_t>(*residues);
  }
  request.verification.percent = arguments.find<double>("verify");
  request.device = arguments.get("device");
  if (arguments.drop_in) request.check_alphabet = false;  // HMMER does not warn of another alphabet
  return request;
}

HitsWanted wanted_hits(const RunRequest& request) {
  const OutputPaths& paths = request.paths;
  if (paths.report) {
    return request.style.kind == ReportKind::Search ? HitsWanted::Registered : HitsWanted::Listed;
  }
  return paths.targets || paths.json ? HitsWanted::Reported : HitsWanted::WithDomains;
}

unsigned threads_of(const RunRequest& request, const RunContext& context) {
  return context.shared == nullptr ? request.threads : std::min(request.threads, context.shared->threads);
}

void check_files(const RunRequest& request, const RunContext& context) {
  if (context.conflict) {
    if (!context.conflict->empty()) throw UsageError(*context.conflict);
    return;
  }
  const OutputPaths& paths = request.paths;
  FileRoles files;
  files.reads(context.profiles.path).reads(context.sequences.path);
  files.writes(paths.report).writes(paths.targets).writes(paths.domains).writes(paths.json);
}

RunSequences::RunSequences(const Arguments& arguments, const RunInput& input, const ProfileSource& profiles)
    : profiles_(profiles),
      input_(input),
      format_(informat_from(arguments)),
      threads_(threads_from(arguments)),
      empty_(arguments.drop_in ? EmptyInput::Allowed : EmptyInput::Refused),
      reopenable_(input.held != nullptr || is_reopenable(input.path)) {}

const SequenceSource& RunSequences::source() {
  if (source_) return *source_;
  if (input_.held) {
    if (!input_.held->failure.empty()) throw FileError(input_.held->failure);
    return source_.emplace(input_.path, format_, input_.held->sequences, empty_);
  }
  source_.emplace(input_.path, format_, threads_, empty_);
  if (!reopenable_ && profiles_.may_hold_both()) {
    source_->keep();
    reopenable_ = true;
  }
  return *source_;
}

ResidentSequences* RunSequences::resident() const {
  return input_.held && !format_ ? input_.held->resident : nullptr;
}

RunSize expected_size(const RunContext& context) {
  constexpr double kBytesPerNode = 500;  // in a text profile; a binary one has fewer
  constexpr double kNodes = 150;         // of a profile
  constexpr double kPacked = 3;          // bytes in one of a compressed file
  const auto size = [](const std::string& path) {
    std::error_code error;
    const auto bytes = path == "-" ? 0 : std::filesystem::file_size(path, error);
    return error ? 0.0 : static_cast<double>(bytes) * (path.ends_with(".gz") ? kPacked : 1);
  };
  const double nodes = size(context.profiles.path) / kBytesPerNode;
  return {.profiles = nodes / kNodes, .nodes = nodes, .residues = size(context.sequences.path)};
}

double expected_cells(const RunContext& context) { return expected_size(context).cells(); }

void start_devices(const Arguments& arguments, const RunContext& context) {
  if (context.shared != nullptr) return;
  start_one_device(arguments.get("device"),
                   context.sample_of ? context.sample_of->cells() : expected_cells(context));
}

RunEngines::RunEngines(const RunRequest& request, const RunContext& context)
    : request_(request), context_(context) {
  if (context.shared != nullptr) return;
  maker_.emplace(request.device, request.threads);
  maker_->begin(expected_cells(context));
}

void RunEngines::check() const {
  if (maker_) maker_->check();
}

bool RunEngines::device_named() const { return maker_ ? maker_->named() : context_.shared->device_named; }

RunOptions RunEngines::options(WorkMeter& meter) {
  RunOptions options;
  options.thresholds = request_.thresholds;
  options.alignments = request_.alignments();
  options.wanted = wanted_hits(request_);
  options.threads = threads_of(request_, context_);
  if (request_.batch_residues) options.batch_residues = *request_.batch_residues;
  options.verification = request_.verification;
  options.check_alphabet = request_.check_alphabet;
  options.meter = &meter;
  options.stop = context_.stop;
  if (!maker_) {
    options.engines = &context_.shared->engines;
    return options;
  }
  options.first_residues = maker_->preferred_batch();
  options.make_engines = [this](ExpectedWork work, const Warning& warn, const EngineOpened& opened) {
    if (context_.sample_of) work.cells = context_.sample_of->cells();
    return maker_->make(work, warn, opened);
  };
  return options;
}

bool is_reopenable(const std::string& path) {
  std::error_code error;
  return path != "-" && std::filesystem::is_regular_file(path, error);
}

void require_files(const Arguments& arguments, const RunContext& context, const std::string& what) {
  const std::string* const paths[] = {&context.profiles.path, &context.sequences.path};
  for (std::size_t i = 0; i < std::size(paths); ++i) {
    std::error_code error;
    const bool special = std::filesystem::exists(*paths[i], error) && !is_reopenable(*paths[i]);
    if (*paths[i] != "-" && !special) continue;
    throw UsageError(arguments.positional[i] + " can be read only once; " + what + " needs files");
  }
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
  if (const AlignmentTimes& align = s.seconds.align; align.by_threads + align.by_devices > 0) {
    std::cerr << format("  all threads together: fill %.3f s, traceback %.3f s\n", align.fill,
                        align.traceback);
    if (align.by_devices > 0) {
      std::cerr << format("  waiting for devices %.3f s, which aligned %lld of %lld sequences\n",
                          align.device, static_cast<long long>(align.by_devices),
                          static_cast<long long>(align.by_devices + align.by_threads));
    }
  }
  std::cerr << format("report   %.3f s\n", s.seconds.report);
  for (const Survivors& some : survivors) {
    std::cerr << format("survivors %s %lld of %lld\n", printable(some.profile).c_str(),
                        static_cast<long long>(some.aligned), static_cast<long long>(some.searched));
  }
}

}  // namespace gpuhmm::cli
