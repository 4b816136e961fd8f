// hmmsearch and hmmpfam of HMMER 2.3.2 by their own options (docs/spec/options.md, 8.2, 8.3).
#include "cli/command_scan.hpp"
#include "cli/command_search.hpp"
#include "cli/options.hpp"
#include "cli/personality_programs.hpp"

namespace gpuhmm::cli {

namespace {

using enum Hmmer2Value;

constexpr Hmmer2Option kOptions[] = {{"-h"},
                                     {"-A", Integer},
                                     {"-E", Real},
                                     {"-T", Real},
                                     {"-Z", Integer},
                                     {"--compat"},
                                     {"--cpu", Integer},
                                     {"--cut_ga"},
                                     {"--cut_nc"},
                                     {"--cut_tc"},
                                     {"--domE", Real},
                                     {"--domT", Real},
                                     {"--forward"},
                                     {"--informat", Text},
                                     {"--null2"},
                                     {"--pvm"},
                                     {"--xnu"},
                                     {"-n"},
                                     {"--acc"}};
// the last two are hmmpfam's
constexpr std::span<const Hmmer2Option> kPfamOptions = kOptions;
constexpr std::span<const Hmmer2Option> kSearchOptions = kPfamOptions.first(kPfamOptions.size() - 2);

CutoffKind cutoff_from(const Hmmer2Arguments& arguments) {
  CutoffKind kind = CutoffKind::None;
  for (const std::string& name : arguments.order) {
    if (name == "--cut_ga") kind = CutoffKind::Gathering;
    if (name == "--cut_nc") kind = CutoffKind::Noise;
    if (name == "--cut_tc") kind = CutoffKind::Trusted;
  }
  return kind;
}

Thresholds thresholds_from(const Hmmer2Arguments& arguments) {
  Thresholds thresholds;
  thresholds.sequence_e = arguments.real("-E", thresholds.sequence_e);
  thresholds.sequence_t = static_cast<float>(arguments.real("-T", thresholds.sequence_t));
  thresholds.domain_e = arguments.real("--domE", thresholds.domain_e);
  thresholds.domain_t = static_cast<float>(arguments.real("--domT", thresholds.domain_t));
  if (arguments.has("-Z")) thresholds.database_size = arguments.integer("-Z", 0);
  thresholds.cutoff = cutoff_from(arguments);
  thresholds.null2 = !arguments.has("--null2");
  thresholds.forward = arguments.has("--forward");
  thresholds.xnu = arguments.has("--xnu");
  return thresholds;
}

RunRequest request_from(const Hmmer2Arguments& arguments, ReportKind kind) {
  RunRequest request;
  request.profiles = arguments.positional[0];
  request.sequences = arguments.positional[1];
  request.paths.report = "-";
  request.style.kind = kind;
  request.style.profile_file = request.profiles;
  request.style.sequence_file = request.sequences;
  request.style.compat = arguments.has("--compat");
  request.style.accessions = arguments.has("--acc");
  if (arguments.has("-A")) request.style.alignment_limit = arguments.integer("-A", 0);
  request.style.alignments = request.style.alignment_limit != 0;
  request.thresholds = thresholds_from(arguments);
  if (arguments.has("--informat")) request.format = format_named(arguments.options.at("--informat"));
  request.empty_input = EmptyInput::Allowed;
  request.threads = hmmer2_threads(arguments);
  request.quiet = true;
  request.check_alphabet = false;  // HMMER has no such warning
  return request;
}

int run_hmmsearch(const Hmmer2Arguments& arguments) {
  SearchRequest request{request_from(arguments, ReportKind::Search), true, !hmmer2_serial(arguments)};
  return run_search(request);
}

int run_hmmpfam(const Hmmer2Arguments& arguments) {
  ScanRequest request{request_from(arguments, ReportKind::Scan),
                      arguments.has("-n") ? AlphabetKind::Nucleic : AlphabetKind::Amino,
                      hmmer2_serial(arguments) ? ScanCounting::Serial : ScanCounting::Threaded};
  if (request.run.thresholds.xnu && arguments.has("-n")) {
    throw SearchError("-n and --xnu exclude each other: only protein sequences are masked");
  }
  return run_scan(request);
}

}  // namespace

const Personality& hmmsearch_personality() {
  static constexpr Personality kHmmsearch = {
      "hmmsearch",
      "hmmsearch - search a sequence database with a profile HMM",
      "<hmmfile> <sequence file or database>",
      2,
      "   -h        : this help\n"
      "   -A <n>    : at most <n> alignments\n"
      "   -E <x>    : sequences with an E-value of at most <x>; default 10\n"
      "   -T <x>    : sequences with a score of at least <x> bits; default none\n"
      "   -Z <n>    : E-values for a database of <n> sequences\n",
      "   --compat       : query lines as in older versions\n"
      "   --cpu <n>      : <n> threads; 0: count as without threads\n"
      "   --cut_ga       : the profile's gathering cut-offs (GA)\n"
      "   --cut_nc       : the profile's noise cut-offs (NC)\n"
      "   --cut_tc       : the profile's trusted cut-offs (TC)\n"
      "   --domE <x>     : domains with an E-value of at most <x>\n"
      "   --domT <x>     : domains with a score of at least <x> bits\n"
      "   --forward      : Forward instead of Viterbi scores\n"
      "   --informat <s> : the sequence file is in format <s>\n"
      "   --null2        : no correction for biased composition\n"
      "   --pvm          : not supported\n"
      "   --xnu          : mask repeats in the sequences\n",
      kSearchOptions,
      run_hmmsearch};
  return kHmmsearch;
}

const Personality& hmmpfam_personality() {
  static constexpr Personality kHmmpfam = {
      "hmmpfam",
      "hmmpfam - search one or more sequences against HMM database",
      "<hmm database> <sequence file or database>",
      2,
      "   -h        : this help\n"
      "   -n        : nucleic acid profiles and sequences (default protein)\n"
      "   -A <n>    : at most <n> alignments a sequence\n"
      "   -E <x>    : profiles with an E-value of at most <x>; default 10\n"
      "   -T <x>    : profiles with a score of at least <x> bits; default none\n"
      "   -Z <n>    : E-values for a library of <n> profiles\n",
      "   --acc         : the profiles' accessions instead of their names\n"
      "   --compat      : query lines as in older versions\n"
      "   --cpu <n>     : <n> threads; 0: count as without threads\n"
      "   --cut_ga      : the profiles' gathering cut-offs (GA)\n"
      "   --cut_nc      : the profiles' noise cut-offs (NC)\n"
      "   --cut_tc      : the profiles' trusted cut-offs (TC)\n"
      "   --domE <x>    : domains with an E-value of at most <x>\n"
      "   --domT <x>    : domains with a score of at least <x> bits\n"
      "   --forward     : Forward instead of Viterbi scores\n"
      "   --informat <s>: the sequence file is in format <s>\n"
      "   --null2       : no correction for biased composition\n"
      "   --pvm         : not supported\n"
      "   --xnu         : mask repeats in the sequences\n",
      kPfamOptions,
      run_hmmpfam};
  return kHmmpfam;
}

}  // namespace gpuhmm::cli
