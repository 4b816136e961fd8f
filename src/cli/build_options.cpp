// Options of build; see the header.
#include "cli/build_options.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "cli/file_roles.hpp"
#include "cli/options.hpp"

namespace po = boost::program_options;

namespace gpuhmm::cli {

namespace {

/// Options of which one may be given, with what they stand for.
template <class Value>
struct Choice {
  const char* name;
  Value value;
};
constexpr std::array<Choice<SearchStyle>, 3> kStyles = {{{"local", SearchStyle::Local},
                                                         {"global", SearchStyle::GlocalSingle},
                                                         {"single-local", SearchStyle::LocalSingle}}};
constexpr std::array<Choice<Construction>, 2> kConstructions = {
    {{"fast", Construction::Fast}, {"hand", Construction::Hand}}};
constexpr std::array<Choice<Weighting>, 6> kWeightings = {{{"wblosum", Weighting::Clusters},
                                                           {"wgsc", Weighting::Tree},
                                                           {"wpb", Weighting::PositionBased},
                                                           {"wvoronoi", Weighting::Voronoi},
                                                           {"wme", Weighting::MaximumEntropy},
                                                           {"wnone", Weighting::None}}};
constexpr std::array<Choice<AlphabetKind>, 2> kAlphabets = {
    {{"amino", AlphabetKind::Amino}, {"nucleic", AlphabetKind::Nucleic}}};

/// The choice that was given. Throws UsageError for several.
template <class Value, std::size_t size>
std::optional<Value> chosen(const po::variables_map& given, const std::array<Choice<Value>, size>& choices) {
  const Choice<Value>* found = nullptr;
  for (const Choice<Value>& choice : choices) {
    if (given.count(choice.name) == 0) continue;
    if (found != nullptr) {
      throw UsageError("only one of --" + std::string(found->name) + " and --" + choice.name +
                       " can be used");
    }
    found = &choice;
  }
  return found == nullptr ? std::nullopt : std::optional(found->value);
}

GammaFunction gamma_from(const po::variables_map& given) {
  return given["gamma"].as<std::string>() == "true" ? GammaFunction::True : GammaFunction::Debian;
}

}  // namespace

OptionTable build_options() {
  const auto part = [](float standard, const char* shown) { return value<float>("X", standard, shown); };
  OptionTable all("profile");
  all.add("name,n", value<std::string>("S"), "name of the profile");
  all.add("local,f", "several domains or parts of domains a sequence (hmmfs)");
  all.add("global,g", "one whole domain a sequence (hmms)");
  all.add("single-local,s", "one domain or part a sequence (hmmsw)");
  all.add("swentry", part(0.5F, "0.5"), "-f, -s: probability that a domain begins behind the first node");
  all.add("swexit", part(0.5F, "0.5"), "-f, -s: probability that it ends before the last node");
  all.group("input and output");
  all.add("append,A", "append to PROFILES if it exists");
  all.add("force,F", "replace PROFILES if it exists");
  all.add("binary", "write HMMER2 binary, not text");
  all.add("annotated,o", file(), "write the alignment with its match columns marked to FILE");
  all.add("cfile", file(), "write the counts to FILE");
  all.add("verbose", "print the paths of all rows");
  add_alphabet_option(all, "guessed");
  all.add("amino", "HMMER's name of --alphabet amino: the alignment is protein");
  all.add("nucleic", "HMMER's name of --alphabet nucleic: it is DNA or RNA");
  add_informat_option(all, "ALIGNMENT");
  add_quiet_option(all, "no progress line");
  add_stats_option(all);
  all.group("construction");
  all.add("fast", "match columns are those without too many gaps (default: the most probable)");
  all.add("gapmax", part(0.5F, "0.5"), "--fast: largest part of gaps");
  all.add("hand", "match columns are those marked in the alignment (#=GC RF)");
  all.add("archpri", part(0.85F, "0.85"), "probability a priori of one more match column");
  all.add("null", file(), "read the null model from FILE");
  all.add("prior", file(), "read the Dirichlet priors from FILE");
  all.add("pam", file(), "expect match emissions by the substitution matrix in FILE (BLAST's format)");
  all.add("pamwgt", value<float>("X", 20.0F, "20"), "--pam: pseudocounts of a column");
  all.add("gamma", one_of("F", {"debian", "true"}, true),
          "the log Gamma function: debian (its build's) or true");
  all.add("wgsc", "Gerstein, Sonnhammer and Chothia's tree weights (default)");
  all.add("wblosum", "each cluster of similar rows has weight 1");
  all.add("wpb", "Henikoff's position-based weights");
  all.add("wvoronoi", "Sibbald and Argos' Voronoi weights");
  all.add("wme", "Krogh and Mitchison's maximum entropy weights");
  all.add("wnone", "no weights but those in the file");
  all.add("noeff", "weights sum to the number of rows, not of clusters");
  all.add("idlevel", part(0.62F, "0.62"), "identity of the rows of a cluster");
  all.add("pbswitch", value<int>("N", 1000, "1000"), "position-based weights for N rows or more");
  return all;
}

BuildRequest build_request(const Arguments& arguments) {
  const po::variables_map& given = arguments.options;
  BuildRequest request;
  request.profiles = arguments.positional[0];
  request.alignments = arguments.positional[1];
  request.format = format_from(given);
  request.name = text_option(given, "name");
  request.alphabet = chosen(given, kAlphabets);
  if (const std::optional<AlphabetKind> named = alphabet_from(given)) {
    if (request.alphabet.value_or(*named) != *named) {
      throw UsageError("--alphabet contradicts --amino or --nucleic");
    }
    request.alphabet = named;
  }
  request.null_model = text_option(given, "null");
  request.prior = text_option(given, "prior");
  request.matrix = text_option(given, "pam");
  request.matrix_weight = given["pamwgt"].as<float>();
  request.counts = text_option(given, "cfile");
  request.annotated = text_option(given, "annotated");
  request.append = given.count("append") > 0;
  request.force = given.count("force") > 0;
  request.binary = given.count("binary") > 0;
  request.quiet = is_quiet(given);
  request.traces = given.count("verbose") > 0;
  request.command_line = arguments.command_line;
  request.statistics = wants_stats(given);
  BuildOptions& build = request.options;
  build.style = chosen(given, kStyles).value_or(SearchStyle::Glocal);
  build.ends = {given["swentry"].as<float>(), given["swexit"].as<float>()};
  build.construction = chosen(given, kConstructions).value_or(Construction::MostProbable);
  build.map = {given["archpri"].as<float>(), given["gapmax"].as<float>(), gamma_from(given)};
  if (!given["gapmax"].defaulted() && build.construction != Construction::Fast) {
    throw UsageError("option '--gapmax' is for --fast only");
  }
  build.weighting = chosen(given, kWeightings).value_or(Weighting::Tree);
  build.effective_number = given.count("noeff") == 0;
  build.identity = given["idlevel"].as<float>();
  build.position_based_from = given["pbswitch"].as<int>();
  return request;
}

void check_build_request(const BuildRequest& request) {
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
    throw UsageError("option '--pamwgt' expects a number from 0 on");
  }
  if (request.counts && is_standard_output(*request.counts)) {
    throw UsageError("option '--cfile' expects a file");
  }
  if (request.annotated && is_standard_output(*request.annotated)) {
    throw UsageError("the annotated alignment (-o) needs a file");
  }
}

}  // namespace gpuhmm::cli
