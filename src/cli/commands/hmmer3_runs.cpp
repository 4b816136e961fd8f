// From HMMER3's options to searches, scans and pressing.
#include "cli/commands/hmmer3_runs.hpp"

#include <algorithm>
#include <random>

#include "cli/command.hpp"
#include "cli/commands/hmmer3_request.hpp"
#include "cli/commands/hmmer3_run.hpp"
#include "cli/commands/press_summary.hpp"
#include "cli/options.hpp"
#include "gpuhmm/hmmer3_press.hpp"

namespace gpuhmm::cli {

namespace {

hmmer3::Threshold threshold(const Hmmer3Arguments& arguments, const char* e_value, const char* score,
                            double standard) {
  return {arguments.real(e_value).value_or(standard), arguments.real(score)};
}

hmmer3::Options options_from(const Hmmer3Arguments& arguments) {
  hmmer3::Options options;
  options.report = threshold(arguments, "-E", "-T", options.report.e_value);
  options.report_domain = threshold(arguments, "--domE", "--domT", options.report_domain.e_value);
  options.include = threshold(arguments, "--incE", "--incT", options.include.e_value);
  options.include_domain = threshold(arguments, "--incdomE", "--incdomT", options.include_domain.e_value);
  if (arguments.has("--cut_ga")) options.cutoff = hmmer3::CutoffKind::Gathering;
  if (arguments.has("--cut_nc")) options.cutoff = hmmer3::CutoffKind::Noise;
  if (arguments.has("--cut_tc")) options.cutoff = hmmer3::CutoffKind::Trusted;
  options.targets = arguments.real("-Z");
  options.domain_targets = arguments.real("--domZ");
  options.max = arguments.has("--max");
  options.f1 = arguments.real("--F1").value_or(options.f1);
  options.f2 = arguments.real("--F2").value_or(options.f2);
  options.f3 = arguments.real("--F3").value_or(options.f3);
  options.bias_filter = !arguments.has("--nobias");
  options.null2 = !arguments.has("--nonull2");
  if (const auto seed = arguments.integer("--seed")) {
    options.seed = *seed == 0 ? std::random_device()() : static_cast<std::uint32_t>(*seed);
  }
  return options;
}

Hmmer3Request request_from(const Hmmer3Arguments& arguments, ReportKind kind, const std::string& called) {
  constexpr int kWorkers = 2;
  const bool is_search = kind == ReportKind::Search;
  Hmmer3Request request;
  request.profiles = arguments.positional[0];
  request.sequences = arguments.positional[1];
  if (is_search && request.profiles == "-" && request.sequences == "-") {
    throw Hmmer3UsageError("Either <hmmfile> or <seqdb> may be '-' (to read from stdin), but not both.");
  }
  if (!is_search && request.profiles == "-") {
    throw Hmmer3UsageError(
        "hmmscan cannot read <hmm database> from stdin stream, because it must have hmmpress'ed auxfiles");
  }
  request.paths = {
      arguments.text("-o").value_or("-"), arguments.text("--tblout"), arguments.text("--domtblout"),
      arguments.text("--pfamtblout"),     arguments.text("-A"),       std::nullopt};
  request.style.kind = kind;
  if (request.paths.report == "/dev/null") request.paths.report.reset();  // it need not be made
  if (const auto width = arguments.integer("--textw")) request.style.width = *width;
  if (arguments.has("--notextw")) request.style.width.reset();
  request.style.alignments = !arguments.has("--noali");
  request.style.accessions = arguments.has("--acc");
  request.options.hmmer3 = options_from(arguments);
  const int workers = std::max(1, arguments.integer("--cpu").value_or(kWorkers));
  request.options.threads = std::min(static_cast<unsigned>(workers), processors());
  request.description = {kind, called, is_search ? request.profiles : request.sequences,
                         is_search ? request.sequences : request.profiles, arguments.options};
  request.as_hmmer3 = true;
  request.named_format = arguments.text(is_search ? "--tformat" : "--qformat");
  request.silent = true;
  return request;
}

}  // namespace

void run_hmmsearch(const Hmmer3Arguments& arguments, const std::string& called) {
  run_hmmer3(request_from(arguments, ReportKind::Search, called));
}

void run_hmmscan(const Hmmer3Arguments& arguments, const std::string& called) {
  run_hmmer3(request_from(arguments, ReportKind::Scan, called));
}

void run_hmmpress(const Hmmer3Arguments& arguments, const std::string& /*called*/) {
  const std::string& path = arguments.positional[0];
  const hmmer3::PressReport report = hmmer3::press(path, arguments.has("-f"), true);
  print("Working...    done.\n" + press_summary(report, path));
}

}  // namespace gpuhmm::cli
