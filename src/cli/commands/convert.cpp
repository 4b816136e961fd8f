// `gpuhmm convert`: profiles from one file format to another (hmmconvert).
#include <sstream>
#include <utility>

#include "cli/commands.hpp"
#include "cli/commands/profile_appending.hpp"
#include "cli/file_roles.hpp"
#include "cli/options.hpp"
#include "cli/output_sink.hpp"
#include "cli/run_statistics.hpp"
#include "gpuhmm/input.hpp"
#include "gpuhmm/profile_file.hpp"
#include "gpuhmm/report.hpp"
#include "util/format.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kHelp = R"(convert PROFILES OUTPUT
Convert profiles between file formats (hmmconvert)

Writes all profiles of the file PROFILES (HMMER2 text or binary, HMMER3 text,
gzipped or '-' for standard input) to the file OUTPUT, byte for byte as
hmmconvert of HMMER 2.3.2 does. HMMER3 profiles become the text that HMMER 3's
hmmconvert -2 writes. If OUTPUT is '-', the profiles go to standard output;
otherwise the report of hmmconvert does.

OUTPUT appears, or is replaced, at the end of the run; with -F it may be
PROFILES itself.

examples:
gpuhmm convert -b Pkinase.hmm Pkinase.bin
gpuhmm convert Pfam-A.hmm.gz - | gpuhmm calibrate -o Pfam_ls -)";

// What profiles can be converted to.
enum class Target { Text, Binary, Gcg, ExtendedGcg };

// Names of the targets in hmmconvert's report.
constexpr const char* kDescriptions[] = {"HMMER Plan7 ASCII", "HMMER Plan7 binary", "GCG Profile .prf",
                                         "Compugen .eprf profile"};

OptionTable options() {
  OptionTable all("options");
  all.add("text,a", "HMMER2 text (the default)");
  all.add("binary,b", "HMMER2 binary");
  all.add("gcg,p", "GCG profile (.prf)");
  all.add("extended-gcg,P", "Compugen's extended GCG profile (.eprf)");
  all.only_one({"text", "binary", "gcg", "extended-gcg"});
  add_output_argument(all, "output,o", 1, "OUTPUT");
  add_replacing_options(all, "OUTPUT", ", which must have the same format,");
  add_message_options(all, "no report");
  return all;
}

Target target_from(const Arguments& arguments) {
  if (arguments.has("binary")) return Target::Binary;
  if (arguments.has("gcg")) return Target::Gcg;
  return arguments.has("extended-gcg") ? Target::ExtendedGcg : Target::Text;
}

std::string converted(const ProfileReader& profiles, const Profile& profile, Target target) {
  std::ostringstream bytes;
  if (target == Target::Text) profiles.write_text(bytes, profile);
  if (target == Target::Binary) write_hmmer2_binary(bytes, profile);
  if (target == Target::Gcg) write_gcg_profile(bytes, profile, GcgKind::Plain);
  if (target == Target::ExtendedGcg) write_gcg_profile(bytes, profile, GcgKind::Extended);
  return std::move(bytes).str();
}

void run(const Arguments& arguments) {
  const std::string &input = arguments.positional[0], &output = arguments.positional[1];
  const Target target = target_from(arguments);
  const bool appending = arguments.has("append"), forced = arguments.has("force");
  RunStatistics statistics(arguments.has("stats"));
  if (appending && (target == Target::Gcg || target == Target::ExtendedGcg)) {
    throw UsageError("GCG profiles cannot be appended to a file (-A)");
  }
  const std::string profile_path = locate_file(input, "HMMERDB");
  const std::string report_to = report_path(output);
  FileRoles files;
  files.reads(profile_path).writes(report_to);
  if (forced && !appending) {
    files.rewrites(output);
  } else {
    files.writes(output);
  }
  const bool exists = is_existing_file(output);
  const bool append = appending && exists;
  if (exists && !append && !forced) {
    throw FileError(output + ": exists already; -F replaces it, -A appends to it");
  }
  ProfileReader profiles(profile_path);
  std::optional<Profile> profile = profiles.next();
  if (!profile) throw FileError(profiles.name() + ": has no profiles");
  OutputFile out(output, Unreplaceable::Refused);
  const ProfileFileKind kind =
      target == Target::Text ? ProfileFileKind::Hmmer2Text : ProfileFileKind::Hmmer2Binary;
  if (append) copy_profiles(output, kind, *profile, out);

  OutputFile report(arguments.has("quiet") ? "/dev/null" : report_to);
  write_hmmer2_banner(sink_of(report), "hmmconvert - convert between profile HMM file formats",
                      GPUHMM_VERSION);
  report.write("Input HMM file:           " + input + "\nOutput HMM file:          " + output +
               "\nConverting to:            " + kDescriptions[static_cast<std::size_t>(target)] + "\n" +
               dashed_line(kSettingsDashes) + "\n");
  int count = 0;
  for (; profile; profile = profiles.next(), ++count) {
    out.write(converted(profiles, *profile, target));
    report.write(" - converted " + profile->name + "\n");
  }
  report.write(format("\n%d HMM(s) converted and written to %s\n", count, output.c_str()));
  out.finish();
  report.commit();
  out.commit();
  statistics.count("profiles", static_cast<std::uint64_t>(count));
  statistics.print();
}

}  // namespace

Command convert_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
