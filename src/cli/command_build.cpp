// `gpuhmm build`: profiles from alignments (hmmbuild).
#include "cli/command_build.hpp"

#include <array>
#include <ctime>
#include <filesystem>
#include <memory>
#include <numbers>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "cli/build_options.hpp"
#include "cli/message.hpp"
#include "cli/output_sink.hpp"
#include "cli/profile_appending.hpp"
#include "cli/run_statistics.hpp"
#include "cli/search_outputs.hpp"
#include "formats/profile/model_parameters.hpp"
#include "formats/profile/profile_writer.hpp"
#include "formats/report/alignment_writer.hpp"
#include "formats/report/hmmer2_banner.hpp"
#include "formats/report/hmmer2_build.hpp"
#include "formats/sequence/substitution_matrix.hpp"
#include "formats/sequence/text.hpp"
#include "plan7/building/substitution_prior.hpp"
#include "plan7/profile_rows.hpp"
#include "search/profile_building.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kDescription = R"(
Builds a profile from every alignment in the file ALIGNMENT (Stockholm, SELEX,
MSF, Clustal, PHYLIP or A2M; gzipped or '-' for standard input) and writes the
file PROFILES, as Debian's hmmbuild of HMMER 2.3.2 does. Profiles are named by
their alignment (#=GF ID), -n, or the file. Standard output is the report of
hmmbuild, unless PROFILES is '-'.

By default a domain is found whole, several in a sequence; -f finds parts of
domains, -s one part, -g one whole domain. The profile has no E-values yet:
`gpuhmm calibrate` adds them.

Debian's hmmbuild has a fault in its log Gamma function, by which practically
one component of the prior mixture counts alone for each column, often not the
best one. --gamma true computes what HMMER 2.3.2 means.)";

constexpr const char* kExamples = R"(
gpuhmm build Pkinase.hmm Pkinase.sto
gpuhmm build -f -A parts.hmm Pkinase.sto && gpuhmm calibrate parts.hmm)";

int run(const Arguments& arguments) { return run_build(build_request(arguments)); }

/// As C's ctime.
std::string date_now() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  std::array<char, 64> text{};
  if (localtime_r(&now, &local) == nullptr) return {};
  return {text.data(), std::strftime(text.data(), text.size(), "%a %b %e %H:%M:%S %Y", &local)};
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
    annotated.rows.push_back({row.name, row.accession, row.description, columns.spread(rows[i])});
  }
  annotated.reference = columns.reference();
  return annotated;
}

/// Builds the profiles of a file one by one.
class Builder {
 public:
  explicit Builder(const BuildRequest& request)
      : request_(request), alignments_(request.alignments, request.format) {
    random_.start_unseeded();
  }

  std::string format_name() const { return std::string(alignment_format_label(alignments_.format())); }

  /// Builds from the next alignment; false at the end of the file.
  bool next() {
    std::optional<Alignment> read = alignments_.next();
    if (!read) return false;
    alignment = *std::move(read);
    ++number;
    try {
      build();
    } catch (const std::invalid_argument& error) {
      fail(error.what());
    }
    return true;
  }

  int number = 0;  ///< of the alignment, from 1
  Alignment alignment;
  TrainingAlignment training;
  BuildResult result;

 private:
  [[noreturn]] void fail(const std::string& message) const { throw FileError(where() + message); }

  std::string where() const {
    const std::string& id = alignment.annotation.id;
    return alignments_.name() + ": alignment " + (id.empty() ? std::to_string(number) : id) + ": ";
  }

  void build() {
    const std::optional<AlphabetKind> alphabet = alphabet_           ? alphabet_
                                                 : request_.alphabet ? request_.alphabet
                                                                     : guess_alphabet(alignment);
    if (!alphabet) fail("may be protein or nucleic; tell which by --amino or --nucleic");
    read_parameters(*alphabet);
    training = training_alignment(alignment, *alphabet);
    if (request_.options.construction == Construction::Hand && alignment.annotation.reference.empty()) {
      fail("has no reference line (#=GC RF); --hand needs one");
    }
    result =
        build_profile(training, alignment.annotation.reference, prior_, null_, request_.options, random_);
    if (!result.entropy_converged) {
      warn(where() + "maximum entropy weights did not converge");
    }
    annotate(result.profile, alignment, result.columns);
    result.profile.name = profile_name();
    // HMMER begins the log of a binary profile with an empty line.
    result.profile.command_log = {"", request_.command_line};
    result.profile.date = date_now();
  }

  /// All alignments have the alphabet of the first one.
  void read_parameters(AlphabetKind alphabet) {
    if (alphabet_) return;
    alphabet_ = alphabet;
    null_ =
        request_.null_model ? read_null_model(*request_.null_model, alphabet) : NullModel::standard(alphabet);
    prior_ = request_.prior ? read_prior(*request_.prior, alphabet) : ProfilePrior::standard(alphabet);
    if (request_.matrix) read_matrix(*request_.matrix, alphabet);
  }

  void read_matrix(const std::string& path, AlphabetKind alphabet) {
    if (alphabet != AlphabetKind::Amino) fail("is nucleic; --pam is for protein");
    Input input(path);
    const SubstitutionMatrix matrix = SubstitutionMatrix::read(input);
    if (!matrix.scale()) {
      warn(path + ": tells no scale; scores are taken for half bits");
    }
    const Alphabet& amino = Alphabet::get(alphabet);
    SubstitutionScores scores{};
    for (std::size_t seen = 0; seen < scores.size(); ++seen) {
      for (std::size_t x = 0; x < scores.size(); ++x) {
        scores[seen][x] = matrix.score(amino.letters()[seen], amino.letters()[x]);
      }
    }
    prior_.by_residue = true;
    prior_.match =
        substitution_prior(scores, static_cast<float>(matrix.scale().value_or(std::numbers::ln2 / 2)),
                           NullModel::standard(alphabet).emission, request_.matrix_weight);
  }

  std::string profile_name() const {
    if (request_.name) {
      if (number > 1) fail("a name (-n) can be given for one alignment only");
      return *request_.name;
    }
    if (!alignment.annotation.id.empty()) return alignment.annotation.id;
    if (number > 1) fail("has no name (#=GF ID), which every alignment but the first needs");
    return std::filesystem::path(request_.alignments).stem().string();
  }

  const BuildRequest& request_;
  AlignmentFile alignments_;
  std::optional<AlphabetKind> alphabet_;
  NullModel null_;
  ProfilePrior prior_;
  RandomStream random_;
};

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
  check_build_request(request);
  RunStatistics statistics(request.statistics);
  std::uint64_t rows = 0;
  const std::string& output = request.profiles;
  const bool exists = is_existing_file(output);
  if (exists && !request.append && !request.force) {
    throw FileError(output + ": exists already; -F replaces it, -A appends to it");
  }
  Builder builder(request);
  OutputFile profiles(output);
  const auto counts = optional_output(request.counts);
  const auto annotated = optional_output(request.annotated);
  OutputFile report(is_standard_output(output) ? "/dev/null" : "-");
  const TextSink print = sink_of(report);
  const BuildReportSettings settings = {
      request.alignments, builder.format_name(), request.null_model, request.prior, output,
      request.append,     request.counts,        request.annotated};
  write_hmmer2_banner(print, "hmmbuild - build a hidden Markov model from an alignment", GPUHMM_VERSION);
  write_hmmbuild_header(print, settings, request.options);
  while (builder.next()) {
    const BuildResult& result = builder.result;
    rows += builder.alignment.rows().size();
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
  if (builder.number == 0) throw FileError(request.alignments + ": holds no alignment");
  for (OutputFile* file : {counts.get(), annotated.get(), &profiles}) {
    if (file != nullptr) file->finish();
  }
  report.commit();
  for (OutputFile* file : {counts.get(), annotated.get(), &profiles}) {
    if (file != nullptr) file->commit();
  }
  statistics.count("profiles", static_cast<std::uint64_t>(builder.number));
  statistics.count("rows", rows);
  statistics.print();
  return kDone;
}

Command build_command() {
  return {"build",
          "PROFILES ALIGNMENT",
          "Build profiles from alignments (hmmbuild)",
          kDescription,
          kExamples,
          build_options,
          run};
}

}  // namespace gpuhmm::cli
