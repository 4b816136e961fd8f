// `gpuhmm build`: profiles from alignments (hmmbuild).
#include "cli/command_build.hpp"

#include <array>
#include <cmath>
#include <memory>
#include <sstream>
#include <utility>

#include "cli/file_roles.hpp"
#include "cli/options.hpp"
#include "cli/output_sink.hpp"
#include "cli/profile_appending.hpp"
#include "cli/profile_builder.hpp"
#include "cli/progress.hpp"
#include "formats/profile/profile_writer.hpp"
#include "formats/report/alignment_writer.hpp"
#include "formats/report/hmmer2_banner.hpp"
#include "formats/report/hmmer2_build.hpp"
#include "formats/sequence/text.hpp"
#include "plan7/profile_rows.hpp"

namespace po = boost::program_options;

namespace gpuhmm::cli {

namespace {

constexpr const char* kDescription =
    "Builds a profile from every alignment in the file ALIGNMENT (Stockholm, SELEX, MSF, Clustal, PHYLIP or "
    "A2M; gzipped or\n'-' for standard input) and writes the file PROFILES, as Debian's hmmbuild of HMMER "
    "2.3.2 "
    "does. Profiles are named by\ntheir alignment (#=GF ID), -n, or the file. Standard output is the report "
    "of "
    "hmmbuild, unless PROFILES is '-'.\n\n"
    "By default a domain is found whole, several in a sequence; -f finds parts of domains, -s one part, -g "
    "one "
    "whole domain.\nThe profile has no E-values yet: `gpuhmm calibrate` adds them.\n\n"
    "Debian's hmmbuild has a fault in its log Gamma function, by which practically one component of the "
    "prior "
    "mixture counts\nalone for each column, often not the best one. --gamma true computes what HMMER 2.3.2 "
    "means.";

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

po::options_description options() {
  const auto part = [](float value, const char* shown) {
    return po::value<float>()->value_name("X")->default_value(value, shown);
  };
  po::options_description profile("profile");
  profile.add_options()("name,n", po::value<std::string>()->value_name("S"), "name of the profile")(
      "local,f", "several domains or parts of domains a sequence (hmmfs)")(
      "global,g", "one whole domain a sequence (hmms)")("single-local,s",
                                                        "one domain or part a sequence (hmmsw)")(
      "swentry", part(0.5F, "0.5"), "-f, -s: probability that a domain begins behind the first node")(
      "swexit", part(0.5F, "0.5"), "-f, -s: probability that it ends before the last node");
  po::options_description output("input and output");
  output.add_options()("append,A", "append to PROFILES if it exists")(
      "force,F", "replace PROFILES if it exists")("binary", "write HMMER2 binary, not text")(
      "annotated,o", po::value<std::string>()->value_name("FILE"),
      "write the alignment with its match columns marked to FILE")(
      "cfile", po::value<std::string>()->value_name("FILE"), "write the counts to FILE")(
      "verbose", "print the paths of all rows")("quiet", "no progress line")(
      "amino", "the alignment is protein (default: guessed)")("nucleic", "the alignment is DNA or RNA")(
      "informat", po::value<std::string>()->value_name("S"),
      "format of ALIGNMENT (default: told by content)");
  po::options_description construction("construction");
  construction.add_options()("fast",
                             "match columns are those without too many gaps (default: the most probable)")(
      "gapmax", part(0.5F, "0.5"), "--fast: largest part of gaps")(
      "hand", "match columns are those marked in the alignment (#=GC RF)")(
      "archpri", part(0.85F, "0.85"), "probability a priori of one more match column")(
      "null", po::value<std::string>()->value_name("FILE"), "read the null model from FILE")(
      "prior", po::value<std::string>()->value_name("FILE"), "read the Dirichlet priors from FILE")(
      "pam", po::value<std::string>()->value_name("FILE"),
      "expect match emissions by the substitution matrix in FILE (BLAST's format)")(
      "pamwgt", po::value<float>()->value_name("X")->default_value(20.0F, "20"),
      "--pam: pseudocounts of a column")(
      "gamma", po::value<std::string>()->value_name("debian|true")->default_value("debian"),
      "the log Gamma function: Debian's or the true one")(
      "wgsc", "Gerstein, Sonnhammer and Chothia's tree weights (default)")(
      "wblosum", "each cluster of similar rows has weight 1")("wpb", "Henikoff's position-based weights")(
      "wvoronoi", "Sibbald and Argos' Voronoi weights")(
      "wme", "Krogh and Mitchison's maximum entropy weights")("wnone", "no weights but those in the file")(
      "noeff", "weights sum to the number of rows, not of clusters")("idlevel", part(0.62F, "0.62"),
                                                                     "identity of the rows of a cluster")(
      "pbswitch", po::value<int>()->value_name("N")->default_value(1000),
      "position-based weights for N rows or more");
  po::options_description all("options");
  all.add(profile).add(output).add(construction);
  return all;
}

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
  const auto& name = given["gamma"].as<std::string>();
  if (name == "debian") return GammaFunction::Debian;
  if (name == "true") return GammaFunction::True;
  throw UsageError("option '--gamma' expects debian or true, not '" + name + "'");
}

int run(const Arguments& arguments) {
  const po::variables_map& given = arguments.options;
  BuildRequest request;
  request.profiles = arguments.positional[0];
  request.alignments = arguments.positional[1];
  request.format = format_from(given);
  request.name = text_option(given, "name");
  request.alphabet = chosen(given, kAlphabets);
  request.null_model = text_option(given, "null");
  request.prior = text_option(given, "prior");
  request.matrix = text_option(given, "pam");
  request.matrix_weight = given["pamwgt"].as<float>();
  request.counts = text_option(given, "cfile");
  request.annotated = text_option(given, "annotated");
  request.append = given.count("append") > 0;
  request.force = given.count("force") > 0;
  request.binary = given.count("binary") > 0;
  request.quiet = given.count("quiet") > 0;
  request.traces = given.count("verbose") > 0;
  request.command_line = arguments.command_line;
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
  return run_build(request);
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
    throw UsageError("option '--pamwgt' expects a number from 0 on");
  }
  if (request.counts && is_standard_output(*request.counts)) {
    throw UsageError("option '--cfile' expects a file");
  }
  if (request.annotated && is_standard_output(*request.annotated)) {
    throw UsageError("the annotated alignment (-o) needs a file");
  }
}

/// The rows by the match states of the profile.
MultipleAlignment annotated_alignment(const Alignment& alignment, const TrainingAlignment& training,
                                      const BuildResult& result) {
  const int nodes = result.profile.nodes;
  std::vector<ProfileRow> rows;
  ProfileColumns columns(nodes, InsertStyle::Letters);
  for (std::size_t i = 0; i < result.traces.size(); ++i) {
    rows.push_back(profile_row(training.letters(), nodes, training.residues(i), result.traces[i]));
    columns.widen(rows.back());
  }
  MultipleAlignment annotated;
  annotated.author = "HMMER 2.3.2";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const AlignmentRow& row = alignment.rows()[i];
    annotated.rows.push_back({row.name, std::string(text::unless_dash(row.accession)),
                              std::string(text::unless_dash(row.description)), columns.spread(rows[i])});
  }
  annotated.reference = columns.reference();
  return annotated;
}

std::string bytes_of(const Profile& profile, bool binary) {
  std::ostringstream bytes;
  (binary ? write_hmmer2_binary : write_hmmer2_text)(bytes, profile);
  return std::move(bytes).str();
}

std::unique_ptr<OutputFile> optional_output(const std::optional<std::string>& path) {
  return path ? std::make_unique<OutputFile>(*path) : nullptr;
}

}  // namespace

int run_build(const BuildRequest& request) {
  check(request);
  const std::string& output = request.profiles;
  const std::string report_to = report_path(output);
  FileRoles files;
  files.reads(request.alignments).reads(request.null_model).reads(request.prior).reads(request.matrix);
  files.writes(output).writes(request.counts).writes(request.annotated).writes(report_to);
  const bool exists = is_existing_file(output);
  if (exists && !request.append && !request.force) {
    throw FileError(output + ": exists already; -F replaces it, -A appends to it");
  }
  ProgressLine progress(request.quiet, kBytes);
  ProfileBuilder builder(request, [&progress](const std::string& message) { progress.warn(message); });
  OutputFile profiles(output);
  const auto counts = optional_output(request.counts);
  const auto annotated = optional_output(request.annotated);
  OutputFile report(report_to);
  const TextSink print = sink_of(report);
  const BuildReportSettings settings = {
      request.alignments, builder.format_name(), request.null_model, request.prior, output,
      request.append,     request.counts,        request.annotated};
  write_hmmer2_banner(print, "hmmbuild - build a hidden Markov model from an alignment", GPUHMM_VERSION);
  write_hmmbuild_header(print, settings, request.options);
  while (builder.next()) {
    const auto pause = progress.pause();
    progress.meter().reach(builder.fraction_read());
    const BuildResult& result = builder.result;
    if (builder.number == 1 && exists && request.append) {
      const ProfileFileKind kind =
          request.binary ? ProfileFileKind::Hmmer2Binary : ProfileFileKind::Hmmer2Text;
      copy_profiles(output, kind, result.profile, profiles);
    }
    write_hmmbuild_steps(print, builder.number, builder.alignment, result, settings, request.options);
    write_hmmbuild_result(print, result, settings);
    profiles.write(bytes_of(result.profile, request.binary));
    if (counts) write_counts(sink_of(*counts), builder.alignment.annotation, result.counts, result.columns);
    if (annotated) {
      write_alignment(sink_of(*annotated), annotated_alignment(builder.alignment, builder.training, result),
                      {});
    }
    if (request.traces) write_hmmbuild_traces(print, builder.alignment, builder.training, result);
    print(request.traces ? "\n//\n\n" : "//\n\n");
  }
  progress.finish();
  if (builder.number == 0) throw FileError(request.alignments + ": holds no alignment");
  for (OutputFile* file : {counts.get(), annotated.get(), &profiles}) {
    if (file != nullptr) file->finish();
  }
  report.commit();
  for (OutputFile* file : {counts.get(), annotated.get(), &profiles}) {
    if (file != nullptr) file->commit();
  }
  return kDone;
}

Command build_command() {
  return {"build",
          "PROFILES ALIGNMENT",
          "Build profiles from alignments (hmmbuild)",
          kDescription,
          "gpuhmm build Pkinase.hmm Pkinase.sto\n"
          "gpuhmm build -f -A fragments.hmm Pkinase.sto && gpuhmm calibrate fragments.hmm",
          options,
          run};
}

}  // namespace gpuhmm::cli
