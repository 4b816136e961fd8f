// hmmbuild of HMMER 2.3.2 by its own options (docs/spec/options.md, 8.7).
#include "cli/command_build.hpp"
#include "cli/options.hpp"
#include "cli/personality_programs.hpp"

namespace gpuhmm::cli {

namespace {

using enum Hmmer2Value;

constexpr Hmmer2Option kOptions[] = {{"-h"},
                                     {"-f"},
                                     {"-g"},
                                     {"-n", Text},
                                     {"-o", Text},
                                     {"-s"},
                                     {"-A"},
                                     {"-F"},
                                     {"--amino"},
                                     {"--archpri", Real},
                                     {"--binary"},
                                     {"--cfile", Text},
                                     {"--fast"},
                                     {"--gapmax", Real},
                                     {"--hand"},
                                     {"--idlevel", Real},
                                     {"--informat", Text},
                                     {"--noeff"},
                                     {"--nucleic"},
                                     {"--null", Text},
                                     {"--pam", Text},
                                     {"--pamwgt", Real},
                                     {"--pbswitch", Integer},
                                     {"--prior", Text},
                                     {"--swentry", Real},
                                     {"--swexit", Real},
                                     {"--verbose"},
                                     {"--wblosum"},
                                     {"--wgsc"},
                                     {"--wme"},
                                     {"--wnone"},
                                     {"--wpb"},
                                     {"--wvoronoi"}};

/// Of several options of a kind the last one counts.
void take_choice(const std::string& name, BuildOptions& build) {
  if (name == "-f") build.style = SearchStyle::Local;
  if (name == "-g") build.style = SearchStyle::GlocalSingle;
  if (name == "-s") build.style = SearchStyle::LocalSingle;
  if (name == "--fast") build.construction = Construction::Fast;
  if (name == "--hand") build.construction = Construction::Hand;
  if (name == "--wblosum") build.weighting = Weighting::Clusters;
  if (name == "--wgsc") build.weighting = Weighting::Tree;
  if (name == "--wme") build.weighting = Weighting::MaximumEntropy;
  if (name == "--wnone") build.weighting = Weighting::None;
  if (name == "--wpb") build.weighting = Weighting::PositionBased;
  if (name == "--wvoronoi") build.weighting = Weighting::Voronoi;
}

int run_hmmbuild(const Hmmer2Arguments& arguments) {
  if (arguments.has("--amino") && arguments.has("--nucleic")) {
    throw UsageError("only one of --amino and --nucleic can be used");
  }
  const auto text = [&arguments](std::string_view name) -> std::optional<std::string> {
    const auto found = arguments.options.find(name);
    return found == arguments.options.end() ? std::nullopt : std::optional(found->second);
  };
  const auto real = [&arguments](std::string_view name, float otherwise) {
    return static_cast<float>(arguments.real(name, static_cast<double>(otherwise)));
  };
  BuildRequest request;
  request.profiles = arguments.positional[0];
  request.alignments = arguments.positional[1];
  if (const auto format = text("--informat")) request.format = format_named(*format);
  request.name = text("-n");
  if (arguments.has("--amino")) request.alphabet = AlphabetKind::Amino;
  if (arguments.has("--nucleic")) request.alphabet = AlphabetKind::Nucleic;
  request.null_model = text("--null");
  request.prior = text("--prior");
  request.matrix = text("--pam");
  request.matrix_weight = real("--pamwgt", request.matrix_weight);
  request.counts = text("--cfile");
  request.annotated = text("-o");
  request.quiet = true;
  request.append = arguments.has("-A");
  request.force = arguments.has("-F");
  request.binary = arguments.has("--binary");
  request.traces = arguments.has("--verbose");
  request.command_line = arguments.command_line;
  BuildOptions& build = request.options;
  for (const std::string& name : arguments.order) take_choice(name, build);
  build.ends = {real("--swentry", build.ends.entry), real("--swexit", build.ends.exit)};
  build.map.column_prior = real("--archpri", build.map.column_prior);
  build.map.largest_gap_part = real("--gapmax", build.map.largest_gap_part);
  if (arguments.has("--gapmax") && build.construction != Construction::Fast) {
    throw UsageError("using --gapmax only makes sense if you use --fast");
  }
  build.effective_number = !arguments.has("--noeff");
  build.identity = real("--idlevel", build.identity);
  build.position_based_from = arguments.integer("--pbswitch", build.position_based_from);
  return run_build(request);
}

}  // namespace

const Personality& hmmbuild_personality() {
  static constexpr Personality kHmmbuild = {
      "hmmbuild",
      "hmmbuild - build a hidden Markov model from an alignment",
      "<hmmfile output> <alignment file>",
      2,
      "   -h     : this help\n"
      "   -n <s> : name of the profile\n"
      "   -o <f> : write the alignment with its match columns marked to <f>\n"
      "   -A     : append to <hmmfile output>\n"
      "   -F     : replace <hmmfile output> if it exists\n"
      "\n"
      "   -f     : several domains or parts of domains a sequence (hmmfs)\n"
      "   -g     : one whole domain a sequence (hmms)\n"
      "   -s     : one domain or part of a domain a sequence (hmmsw)\n"
      "            (default: several whole domains, hmmls)\n",
      "   --fast        : match columns are those without too many gaps\n"
      "   --hand        : match columns are those marked in the alignment\n"
      "\n"
      "   --null  <f>   : read the null model from <f>\n"
      "   --pam   <f>   : expect match emissions by the substitution matrix in <f>\n"
      "   --prior <f>   : read the Dirichlet priors from <f>\n"
      "\n"
      "   --wblosum     : each cluster of similar rows has weight 1\n"
      "   --wgsc        : tree weights (default)\n"
      "   --wme         : maximum entropy weights\n"
      "   --wpb         : position-based weights\n"
      "   --wvoronoi    : by the volume around each row\n"
      "   --wnone       : no weights but those in the file\n"
      "   --noeff       : weights sum to the number of rows, not of clusters\n"
      "   --pbswitch <n>: position-based weights for <n> rows or more [1000]\n"
      "\n"
      "   --amino       : the alignment is protein\n"
      "   --nucleic     : the alignment is DNA or RNA\n"
      "\n"
      "   --archpri <x> : probability a priori of one more match column [0.85]\n"
      "   --binary      : write binary, not text\n"
      "   --cfile <f>   : write the counts to <f>\n"
      "   --gapmax <x>  : largest part of gaps, with --fast [0.50]\n"
      "   --idlevel <x> : identity of the rows of a cluster [0.62]\n"
      "   --informat <s>: the alignment is in format <s>\n"
      "   --pamwgt <x>  : pseudocounts of a column, with --pam [20]\n"
      "   --swentry <x> : -f, -s: probability to begin behind the first node [0.5]\n"
      "   --swexit <x>  : -f, -s: probability to end before the last node [0.5]\n"
      "   --verbose     : print the paths of all rows\n",
      kOptions,
      run_hmmbuild};
  return kHmmbuild;
}

}  // namespace gpuhmm::cli
