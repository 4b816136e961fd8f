// Options of searches and scans with HMMER3 profiles.
#include "cli/commands/hmmer3_request.hpp"

#include <algorithm>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "cli/file_roles.hpp"
#include "cli/options.hpp"
#include "gpuhmm/device.hpp"

namespace gpuhmm::cli {

namespace {

// Options of the command that change nothing, or another thing, with profiles of the other generation.
constexpr const char* kHmmer2Only[] = {"alignments", "compat",   "null2",  "forward",
                                       "xnu",        "alphabet", "nucleic"};
constexpr const char* kHmmer3Only[] = {"incE",  "incT",    "incdomE",    "incdomT", "domZ",    "max",
                                       "F1",    "F2",      "F3",         "nobias",  "nonull2", "seed",
                                       "textw", "notextw", "pfamtblout", "msa"};
constexpr const char* kHmmer3SearchOnly[] = {"acc"};  // hmmpfam has it
constexpr const char* kThresholds[] = {"evalue", "score", "domE",    "domT",
                                       "incE",   "incT",  "incdomE", "incdomT"};

void refuse(const Arguments& arguments, std::span<const char* const> names, const char* generation) {
  for (const char* const name : names) {
    if (!arguments.has(name)) continue;
    throw UsageError(std::string("--") + name + " is for " + generation + " profiles only");
  }
}

bool has_any(const Arguments& arguments, std::span<const char* const> names) {
  return std::ranges::any_of(names, [&](const char* name) { return arguments.has(name); });
}

// A command's option and the HMMER3 program's.
struct SharedOption {
  const char* name;
  const char* hmmer3;
};
constexpr SharedOption kShared[] = {{"output", "-o"},
                                    {"msa", "-A"},
                                    {"tblout", "--tblout"},
                                    {"domtblout", "--domtblout"},
                                    {"pfamtblout", "--pfamtblout"},
                                    {"acc", "--acc"},
                                    {"noali", "--noali"},
                                    {"notextw", "--notextw"},
                                    {"textw", "--textw"},
                                    {"evalue", "-E"},
                                    {"score", "-T"},
                                    {"domE", "--domE"},
                                    {"domT", "--domT"},
                                    {"incE", "--incE"},
                                    {"incT", "--incT"},
                                    {"incdomE", "--incdomE"},
                                    {"incdomT", "--incdomT"},
                                    {"cut_ga", "--cut_ga"},
                                    {"cut_nc", "--cut_nc"},
                                    {"cut_tc", "--cut_tc"},
                                    {"max", "--max"},
                                    {"F1", "--F1"},
                                    {"F2", "--F2"},
                                    {"F3", "--F3"},
                                    {"nobias", "--nobias"},
                                    {"nonull2", "--nonull2"},
                                    {"size", "-Z"},
                                    {"domZ", "--domZ"},
                                    {"seed", "--seed"},
                                    {"cpu", "--cpu"}};

std::vector<hmmer3::GivenOption> given_options(const Arguments& arguments) {
  std::vector<hmmer3::GivenOption> given;
  for (const SharedOption& option : kShared) {
    if (!arguments.has(option.name)) continue;
    given.push_back({option.hmmer3, spelled(arguments.data(option.name))});
  }
  return given;
}

[[noreturn]] void refuse_together(const std::string& one, const std::string& other) {
  throw UsageError("only one of --" + one + " and --" + other + " can be used");
}

hmmer3::Threshold threshold_from(const Arguments& arguments, const char* e_value, const char* score,
                                 double standard) {
  hmmer3::Threshold threshold{arguments.find<double>(e_value).value_or(standard)};
  threshold.bits = arguments.find<double>(score);
  if (threshold.bits && arguments.has(e_value)) refuse_together(e_value, score);
  return threshold;
}

hmmer3::CutoffKind cutoff_from(const Arguments& arguments) {
  constexpr std::pair<const char*, hmmer3::CutoffKind> kCutoffs[] = {
      {"cut_ga", hmmer3::CutoffKind::Gathering},
      {"cut_nc", hmmer3::CutoffKind::Noise},
      {"cut_tc", hmmer3::CutoffKind::Trusted}};
  for (const auto& [name, kind] : kCutoffs) {
    if (!arguments.has(name)) continue;
    for (const char* const threshold : kThresholds) {
      if (arguments.has(threshold)) refuse_together(name, threshold);
    }
    return kind;
  }
  return hmmer3::CutoffKind::None;
}

std::optional<double> positive(const Arguments& arguments, const char* name) {
  const std::optional<double> number = arguments.find<double>(name);
  if (number && *number <= 0) {
    throw UsageError(std::string("--") + name + " is " + spelled(*number) +
                     "; expected a number above 0 with HMMER3 profiles");
  }
  return number;
}

hmmer3::Options options_from(const Arguments& arguments) {
  hmmer3::Options options;
  options.report = threshold_from(arguments, "evalue", "score", options.report.e_value);
  options.report_domain = threshold_from(arguments, "domE", "domT", options.report_domain.e_value);
  options.include = threshold_from(arguments, "incE", "incT", options.include.e_value);
  options.include_domain = threshold_from(arguments, "incdomE", "incdomT", options.include_domain.e_value);
  options.cutoff = cutoff_from(arguments);
  options.targets = positive(arguments, "size");
  options.domain_targets = positive(arguments, "domZ");
  options.f1 = arguments.find<double>("F1").value_or(options.f1);
  options.f2 = arguments.find<double>("F2").value_or(options.f2);
  options.f3 = arguments.find<double>("F3").value_or(options.f3);
  options.max = arguments.has("max");
  options.bias_filter = !arguments.has("nobias");
  options.null2 = !arguments.has("nonull2");
  if (const auto seed = arguments.find<std::int32_t>("seed"))
    options.seed = *seed == 0 ? std::random_device()() : static_cast<std::uint32_t>(*seed);
  return options;
}

}  // namespace

void add_hmmer3_options(OptionTable& all, ReportKind kind) {
  const std::string targets = kind == ReportKind::Search ? "sequences" : "profiles";
  const auto probability = value<double>("P").within(0);
  all.group("HMMER3 profiles only");
  all.add("incE", value<double>("X").within(0),
          targets + " with an E-value of at most X are significant (0.01)");
  all.add("incT", value<double>("X").finite(), targets + " with a score of at least X bits are significant");
  all.add("incdomE", value<double>("X").within(0), "the same for domains (0.01)");
  all.add("incdomT", value<double>("X").finite(), "the same for domains");
  all.add("domZ", value<double>("X").finite(), "conditional E-values for X reported " + targets);
  all.add("max", "no filters: finds more, slow");
  all.add("F1", probability, "P-value that passes the first filter, MSV (0.02)");
  all.add("F2", probability, "P-value that passes the Viterbi filter (0.001)");
  all.add("F3", probability, "P-value that passes the Forward filter (0.00001)");
  all.add("nobias", "no filter for biased composition");
  for (const char* const filter : {"F1", "F2", "F3", "nobias"}) all.only_one({"max", filter});
  all.add("nonull2", "no correction of scores for biased composition");
  all.add("seed", value<std::int32_t>("N").within(0),
          "seed of sampled tracebacks (42); 0: another one each run");
  all.add("textw", value<int>("N").within(120), "width of the report in characters (120)");
  all.add("notextw", "no limit of the report's width");
  all.only_one({"textw", "notextw"});
  all.add("pfamtblout", file(), "write a table of hits and domains in Pfam's layout");
  if (kind == ReportKind::Search) {
    all.add("acc", "show accessions instead of names in the report, where there are any");
    all.add("msa", file(),
            "write an alignment of all significant domains, in Stockholm format (hmmsearch -A)");
  }
}

void refuse_hmmer3_options(const Arguments& arguments, ReportKind kind) {
  refuse(arguments, kHmmer3Only, "HMMER3");
  if (kind == ReportKind::Search) refuse(arguments, kHmmer3SearchOnly, "HMMER3");
}

void check_options(const Arguments& arguments, ReportKind kind, const ProfileSource& source) {
  if (arguments.drop_in) return;
  const bool of_one = has_any(arguments, kHmmer2Only) || has_any(arguments, kHmmer3Only) ||
                      (kind == ReportKind::Search && has_any(arguments, kHmmer3SearchOnly));
  const bool both = of_one && source.holds_both();
  if (both || source.first() == hmmer3::Generation::Hmmer2) refuse_hmmer3_options(arguments, kind);
  if (both || source.first() == hmmer3::Generation::Hmmer3) refuse(arguments, kHmmer2Only, "HMMER2");
}

Hmmer3OutputPaths output_paths(const Arguments& arguments) {
  Hmmer3OutputPaths paths;
  paths.report = arguments.text("output");
  paths.targets = arguments.text("tblout");
  paths.domains = arguments.text("domtblout");
  paths.pfam = arguments.text("pfamtblout");
  paths.included = arguments.text("msa");
  paths.json = arguments.text("json");
  bool taken = false;
  for (const auto* const path : {&paths.targets, &paths.domains, &paths.pfam, &paths.included, &paths.json}) {
    taken = taken || (*path && is_standard_output(**path));
  }
  if (!paths.report && !taken) paths.report = "-";
  if (paths.report == "/dev/null") paths.report.reset();
  return paths;
}

hmmer3::AlignmentDetail Hmmer3Request::shown() const {
  using enum hmmer3::AlignmentDetail;
  const bool ends = paths.report || paths.json;
  if (paths.included || (style.alignments && ends)) return Rows;
  return ends || paths.domains || paths.pfam ? Ends : None;
}

Hmmer3Request hmmer3_request(const Arguments& arguments, ReportKind kind) {
  refuse(arguments, kHmmer2Only, "HMMER2");
  Hmmer3Request request;
  request.profiles = arguments.positional[0];
  request.sequences = arguments.positional[1];
  request.paths = output_paths(arguments);
  request.style.kind = kind;
  if (const auto width = arguments.find<int>("textw")) request.style.width = *width;
  if (arguments.has("notextw")) request.style.width.reset();
  request.style.alignments = !arguments.has("noali");
  request.style.accessions = arguments.has("acc");
  request.table_layout = table_layout_from(arguments);
  request.options.hmmer3 = options_from(arguments);
  request.options.threads = threads_from(arguments);
  const std::string device = arguments.get("device");
  request.options.gpu_for_much_work = device == "auto";
  if (names_devices(device)) {
    request.options.devices = named_devices(device).devices;
    if (!arguments.has("cpu"))
      request.options.threads = threads_beside(request.options.devices.size(), request.options.threads);
  }
  request.options.verification.percent = arguments.find<double>("verify");
  if (const auto residues = arguments.find<std::int64_t>("batch-residues")) {
    request.options.batch_residues = static_cast<std::size_t>(*residues);
  }
  const bool is_search = kind == ReportKind::Search;
  request.description = {kind, "gpuhmm " + std::string(is_search ? "search" : "scan"),
                         is_search ? request.profiles : request.sequences,
                         is_search ? request.sequences : request.profiles, given_options(arguments)};
  request.silent = arguments.silent();
  request.statistics = arguments.has("stats");
  return request;
}

}  // namespace gpuhmm::cli
