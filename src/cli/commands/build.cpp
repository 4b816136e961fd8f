// `gpuhmm build`: profiles from alignments (hmmbuild).
#include <memory>
#include <sstream>
#include <utility>

#include "cli/commands.hpp"
#include "cli/commands/build_options.hpp"
#include "cli/commands/profile_appending.hpp"
#include "cli/commands/profile_builder.hpp"
#include "cli/file_roles.hpp"
#include "cli/message.hpp"
#include "cli/output_sink.hpp"
#include "cli/progress.hpp"
#include "cli/run_statistics.hpp"
#include "gpuhmm/align.hpp"
#include "gpuhmm/alignment.hpp"
#include "gpuhmm/build_report.hpp"
#include "gpuhmm/profile_file.hpp"
#include "gpuhmm/report.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kHelp = R"(build PROFILES ALIGNMENT
Build profiles from alignments (hmmbuild)

Builds a profile from every alignment in the file ALIGNMENT (Stockholm, SELEX,
MSF, Clustal, PHYLIP or A2M; gzipped or '-' for standard input) and writes the
file PROFILES, as Debian's hmmbuild of HMMER 2.3.2 does. A profile's name is the
value of -n, the name of its alignment (#=GF ID), or that of the file. Standard
output is the report of hmmbuild, unless PROFILES is '-'.

By default a profile finds whole domains, several per sequence. With -f it finds
parts of domains, with -s one part, with -g one whole domain. The profile has no
E-value statistics yet: `gpuhmm calibrate` adds them.

Debian's hmmbuild has a bug in its log Gamma function: in each column
practically one component of the prior mixture counts alone, often not the best
one. --gamma true computes the correct function.

examples:
gpuhmm build Pkinase.hmm Pkinase.sto
gpuhmm build -f -A parts.hmm Pkinase.sto && gpuhmm calibrate parts.hmm)";

/// The alignment with its rows spread over the profile's match columns.
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

std::string bytes_of(const Profile& profile, bool binary) {
  std::ostringstream bytes;
  (binary ? write_hmmer2_binary : write_hmmer2_text)(bytes, profile);
  return std::move(bytes).str();
}

std::unique_ptr<OutputFile> optional_output(const std::optional<std::string>& path) {
  return path ? std::make_unique<OutputFile>(*path) : nullptr;
}

void run(const Arguments& arguments) {
  const BuildRequest request = build_request(arguments);
  RunStatistics statistics(arguments.has("stats"));
  std::uint64_t rows = 0;
  const std::string& output = request.profiles;
  const std::string report_to = report_path(output);
  FileRoles files;
  files.reads(request.alignments).reads(request.null_model).reads(request.prior).reads(request.matrix);
  files.writes(output).writes(request.counts).writes(request.annotated).writes(report_to);
  const bool exists = is_existing_file(output);
  if (exists && !request.append && !request.force) {
    throw FileError(output + ": exists already; -F replaces it, -A appends to it");
  }
  ProgressLine progress(arguments.silent(), kBytes);
  ProfileBuilder builder(request, [&progress](const std::string& message) { progress.warn(message); });
  OutputFile profiles(output, request.append ? Unreplaceable::Refused : Unreplaceable::Overwritten);
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
  progress.finish();
  if (builder.number == 0) throw FileError(request.alignments + ": has no alignments; expected at least one");
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
}

}  // namespace

Command build_command() { return {kHelp, build_options, run}; }

}  // namespace gpuhmm::cli
