// Defines and reads the options of `gpuhmm build`.
#include "cli/commands/build_options.hpp"

#include <cmath>
#include <utility>

#include "cli/file_roles.hpp"
#include "cli/options.hpp"
#include "gpuhmm/input.hpp"

namespace gpuhmm::cli {

namespace {

/// An option that stands for a value. Only one of several can be used.
template <class Value>
struct Choice {
  const char* name;
  Value value;
};
constexpr Choice<SearchStyle> kStyles[] = {{"local", SearchStyle::Local},
                                           {"global", SearchStyle::GlocalSingle},
                                           {"single-local", SearchStyle::LocalSingle}};
constexpr Choice<Construction> kConstructions[] = {{"fast", Construction::Fast},
                                                   {"hand", Construction::Hand}};
constexpr Choice<Weighting> kWeightings[] = {
    {"wblosum", Weighting::Clusters}, {"wgsc", Weighting::Tree},          {"wpb", Weighting::PositionBased},
    {"wvoronoi", Weighting::Voronoi}, {"wme", Weighting::MaximumEntropy}, {"wnone", Weighting::None}};

template <class Value, std::size_t size>
void add_choice(OptionTable& all, const Choice<Value> (&choices)[size]) {
  std::vector<std::string> names;
  for (const Choice<Value>& choice : choices) names.emplace_back(choice.name);
  all.only_one(std::move(names));
}

template <class Value, std::size_t size>
Value chosen(const Arguments& arguments, const Choice<Value> (&choices)[size], Value otherwise) {
  for (const Choice<Value>& choice : choices) {
    if (arguments.has(choice.name)) return choice.value;
  }
  return otherwise;
}

void check(const BuildRequest& request) {
  const BuildOptions& o = request.options;
  for (const auto& [name, value] : {std::pair{"archpri", o.map.column_prior},
                                    {"gapmax", o.map.largest_gap_part},
                                    {"swentry", o.ends.entry},
                                    {"swexit", o.ends.exit},
                                    {"idlevel", o.identity}}) {
    if (!(value >= 0 && value <= 1)) {
      throw UsageError("option '--" + std::string(name) + "' expects a number from 0 to 1");
    }
  }
  if (!(request.matrix_weight >= 0 && std::isfinite(request.matrix_weight))) {
    throw UsageError("option '--pamwgt' expects a number of at least 0");
  }
  if (request.counts && is_standard_output(*request.counts)) {
    throw UsageError("option '--cfile' expects a file, not standard output");
  }
  if (request.annotated && is_standard_output(*request.annotated)) {
    throw UsageError("option '--annotated' (-o) expects a file, not standard output");
  }
}

}  // namespace

OptionTable build_options() {
  const auto part = [](const char* standard) { return value<float>("X", standard); };
  OptionTable all("profile");
  all.add("name,n", value<std::string>("S"), "name of the profile");
  all.add("local,f", "several domains or parts of domains per sequence (hmmfs)");
  all.add("global,g", "one whole domain per sequence (hmms)");
  all.add("single-local,s", "one domain or part of a domain per sequence (hmmsw)");
  add_choice(all, kStyles);
  all.add("swentry", part("0.5"), "-f, -s: probability that a domain begins after the first node");
  all.add("swexit", part("0.5"), "-f, -s: probability that a domain ends before the last node");
  all.group("input and output");
  add_output_argument(all, "output", 0, "PROFILES");
  add_replacing_options(all, "PROFILES");
  all.add("binary", "write HMMER2 binary, not text");
  all.add("annotated,o", file(), "write the alignment with its match columns marked to FILE");
  all.add("cfile", file(), "write the counts to FILE");
  all.add("verbose", "print the tracebacks of all rows");
  add_alphabet_option(all, "guessed");
  all.add("amino", "HMMER's name of --alphabet amino: the alignment is protein");
  all.add("nucleic", "HMMER's name of --alphabet nucleic: the alignment is DNA or RNA");
  add_informat_option(all, "ALIGNMENT");
  add_message_options(all, "no progress line");
  all.group("construction");
  all.add("fast", "match columns are those with few gaps, see --gapmax (default: the most probable)");
  all.add("gapmax", part("0.5"), "--fast: largest fraction of gaps in a match column");
  all.add("hand", "match columns are those marked in the alignment (#=GC RF)");
  add_choice(all, kConstructions);
  all.add("archpri", part("0.85"), "prior probability of one more match column");
  all.add("null", file(), "read the null model from FILE");
  all.add("prior", file(), "read the Dirichlet priors from FILE");
  all.add("pam", file(), "prior of match emissions from the substitution matrix in FILE (BLAST's format)");
  all.add("pamwgt", value<float>("X", "20"), "--pam: pseudocounts per column");
  all.add("gamma", one_of("F", {"debian", "true"}, true),
          "the log Gamma function: debian (that of Debian's hmmbuild) or true");
  all.add("wgsc", "Gerstein, Sonnhammer and Chothia's tree weights (default)");
  all.add("wblosum", "each cluster of similar rows has weight 1");
  all.add("wpb", "Henikoff's position-based weights");
  all.add("wvoronoi", "Sibbald and Argos' Voronoi weights");
  all.add("wme", "Krogh and Mitchison's maximum entropy weights");
  all.add("wnone", "only the weights in the file");
  add_choice(all, kWeightings);
  all.add("noeff", "weights sum to the number of rows, not of clusters");
  all.add("idlevel", part("0.62"), "smallest identity of rows of one cluster");
  all.add("pbswitch", value<int>("N", "1000"), "position-based weights for N rows or more");
  return all;
}

BuildRequest build_request(const Arguments& arguments) {
  BuildRequest request;
  request.profiles = arguments.positional[0];
  request.alignments = arguments.positional[1];
  request.format = informat_from(arguments);
  request.name = arguments.text("name");
  request.alphabet = alphabet_from(arguments);
  request.null_model = arguments.text("null");
  request.prior = arguments.text("prior");
  if (const auto matrix = arguments.text("pam")) request.matrix = locate_file(*matrix, "BLASTMAT");
  request.matrix_weight = arguments.get<float>("pamwgt");
  request.counts = arguments.text("cfile");
  request.annotated = arguments.text("annotated");
  request.append = arguments.has("append");
  request.force = arguments.has("force");
  request.binary = arguments.has("binary");
  request.traces = arguments.has("verbose");
  request.command_line = arguments.command_line;
  BuildOptions& build = request.options;
  build.style = chosen(arguments, kStyles, SearchStyle::Glocal);
  build.ends = {arguments.get<float>("swentry"), arguments.get<float>("swexit")};
  build.construction = chosen(arguments, kConstructions, Construction::MostProbable);
  build.map = {arguments.get<float>("archpri"), arguments.get<float>("gapmax"),
               arguments.get("gamma") == "true" ? GammaFunction::True : GammaFunction::Debian};
  if (arguments.has("gapmax") && build.construction != Construction::Fast) {
    throw UsageError("option '--gapmax' is for --fast only");
  }
  build.weighting = chosen(arguments, kWeightings, Weighting::Tree);
  build.effective_number = !arguments.has("noeff");
  build.identity = arguments.get<float>("idlevel");
  build.position_based_from = arguments.get<int>("pbswitch");
  check(request);
  return request;
}

}  // namespace gpuhmm::cli
