// The programs of HMMER 3.3.2 that gpuhmm stands in for: their options and usage texts
// (docs/spec/hmmer3/reports.md, 2 and 9; hmmscan.md, 1 and 4).
#include <algorithm>
#include <array>

#include "cli/commands/hmmer3_dropin.hpp"
#include "cli/commands/hmmer3_runs.hpp"
#include "gpuhmm/hmmer3_report.hpp"

namespace gpuhmm::cli {

namespace {

using Value = Hmmer3Option::Value;

constexpr std::string_view kPositive = "x>0", kThresholds = "-E,-T,--cut_ga,--cut_nc,--cut_tc",
                           kDomainThresholds = "--domE,--domT,--cut_ga,--cut_nc,--cut_tc",
                           kInclusion = "--incE,--incT,--cut_ga,--cut_nc,--cut_tc",
                           kDomainInclusion = "--incdomE,--incdomT,--cut_ga,--cut_nc,--cut_tc",
                           kAllThresholds =
                               "-E,-T,--domE,--domT,--incE,--incT,--incdomE,--incdomT,"
                               "--cut_ga,--cut_nc,--cut_tc";

constexpr Hmmer3Option kSearchOptions[] = {
    {"-h"},
    {"-o", Value::Text},
    {"-A", Value::Text},
    {"--tblout", Value::Text},
    {"--domtblout", Value::Text},
    {"--pfamtblout", Value::Text},
    {"--acc"},
    {"--noali"},
    {"--notextw", Value::None, {}, "--textw"},
    {"--textw", Value::Integer, "n>=120", "--notextw"},
    {"-E", Value::Real, kPositive, kThresholds},
    {"-T", Value::Real, {}, kThresholds},
    {"--domE", Value::Real, kPositive, kDomainThresholds},
    {"--domT", Value::Real, {}, kDomainThresholds},
    {"--incE", Value::Real, kPositive, kInclusion},
    {"--incT", Value::Real, {}, kInclusion},
    {"--incdomE", Value::Real, kPositive, kDomainInclusion},
    {"--incdomT", Value::Real, {}, kDomainInclusion},
    {"--cut_ga", Value::None, {}, kAllThresholds},
    {"--cut_nc", Value::None, {}, kAllThresholds},
    {"--cut_tc", Value::None, {}, kAllThresholds},
    {"--max", Value::None, {}, "--F1,--F2,--F3"},
    {"--F1", Value::Real, {}, "--max"},
    {"--F2", Value::Real, {}, "--max"},
    {"--F3", Value::Real, {}, "--max"},
    {"--nobias", Value::None, {}, "--max"},
    {"--nonull2"},
    {"-Z", Value::Real, kPositive},
    {"--domZ", Value::Real, kPositive},
    {"--seed", Value::Integer, "n>=0"},
    {"--tformat", Value::Text},
    // not in the help of HMMER3's hmmsearch
    {.name = "--restrictdb_stkey", .value = Value::Text, .supported = false},
    {.name = "--restrictdb_n", .value = Value::Integer, .supported = false},
    {.name = "--ssifile", .value = Value::Text, .supported = false},
    {"--cpu", Value::Integer, "n>=0", {}, "HMMER_NCPU"}};

constexpr bool is_of_search_only(const Hmmer3Option& option) {
  return option.name == "-A" || !option.supported;
}

constexpr auto kScanOptions = [] {
  std::array<Hmmer3Option,
             std::size(kSearchOptions) - std::ranges::count_if(kSearchOptions, is_of_search_only)>
      options{};
  std::size_t count = 0;
  for (const Hmmer3Option& option : kSearchOptions) {
    if (is_of_search_only(option)) continue;
    options[count] = option;
    if (option.name == "--tformat") options[count].name = "--qformat";
    ++count;
  }
  return options;
}();

constexpr Hmmer3Option kPressOptions[] = {{"-h"}, {"-f"}};

constexpr std::string_view kSearchHelp = R"(
Basic options:
  -h : show this text

Options directing output:
  -o <f>           : write the report to <f>
  -A <f>           : write an alignment of all significant domains to <f>
  --tblout <f>     : write a table of targets to <f>
  --domtblout <f>  : write a table of domains to <f>
  --pfamtblout <f> : write a table of targets and domains to <f>, as Pfam wants it
  --acc            : show accessions instead of names, where there are any
  --noali          : no alignments
  --notextw        : no limit of the report's width
  --textw <n>      : width of the report  [120]  (n>=120)

Options controlling reporting thresholds:
  -E <x>     : report targets with an E-value of at most <x>  [10.0]  (x>0)
  -T <x>     : report targets with a score of at least <x>
  --domE <x> : report domains with an E-value of at most <x>  [10.0]  (x>0)
  --domT <x> : report domains with a score of at least <x>

Options controlling inclusion (significance) thresholds:
  --incE <x>    : targets with an E-value of at most <x> are significant
  --incT <x>    : targets with a score of at least <x> are significant
  --incdomE <x> : domains with an E-value of at most <x> are significant
  --incdomT <x> : domains with a score of at least <x> are significant

Options controlling model-specific thresholding:
  --cut_ga : the profile's GA cut-offs decide
  --cut_nc : the profile's NC cut-offs decide
  --cut_tc : the profile's TC cut-offs decide

Options controlling acceleration heuristics:
  --max    : no filters: slower, finds more
  --F1 <x> : P-value that passes the MSV filter  [0.02]
  --F2 <x> : P-value that passes the Viterbi filter  [1e-3]
  --F3 <x> : P-value that passes the Forward filter  [1e-5]
  --nobias : no filter for biased composition

Other expert options:
  --nonull2     : no correction of scores for biased composition
  -Z <x>        : E-values for <x> comparisons
  --domZ <x>    : conditional E-values for <x> reported targets
  --seed <n>    : seed of random numbers (0: another one each run)  [42]
  --tformat <s> : the sequence file is in format <s>
  --qformat <s> : the sequence file is in format <s>
  --cpu <n>     : number of worker threads  [2]
)";
constexpr std::string_view kPressHelp = R"(
Options:
  -h : show this text
  -f : replace pressed files that exist
)";

constexpr Hmmer3Program kPrograms[] = {
    {"hmmsearch", hmmer3::kSearchTitle, "[options] <hmmfile> <seqdb>", 2, kSearchOptions, kSearchHelp,
     run_hmmsearch},
    {"hmmscan", hmmer3::kScanTitle, "[-options] <hmmdb> <seqfile>", 2, kScanOptions, kSearchHelp,
     run_hmmscan},
    {"hmmpress", hmmer3::kPressTitle, "[-options] <hmmfile>", 1, kPressOptions, kPressHelp, run_hmmpress}};

}  // namespace

std::span<const Hmmer3Program> hmmer3_programs() { return kPrograms; }

}  // namespace gpuhmm::cli
