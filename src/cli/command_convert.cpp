// `gpuhmm convert`: profiles from one file format to another (hmmconvert).
#include "cli/command_convert.hpp"

#include <array>
#include <sstream>

#include "cli/file_roles.hpp"
#include "cli/options.hpp"
#include "cli/output_sink.hpp"
#include "cli/profile_appending.hpp"
#include "cli/run_statistics.hpp"
#include "formats/io/locate.hpp"
#include "formats/profile/gcg_profile.hpp"
#include "formats/profile/profile_reader.hpp"
#include "formats/profile/profile_writer.hpp"
#include "formats/report/format.hpp"
#include "formats/report/hmmer2_banner.hpp"

namespace po = boost::program_options;

namespace gpuhmm::cli {

namespace {

constexpr const char* kDescription = R"(
Writes all profiles of the file PROFILES (HMMER2 text or binary, HMMER3 text,
gzipped or '-' for standard input) to the file OUTPUT, byte for byte as
hmmconvert of HMMER 2.3.2 does; HMMER3 profiles become the text of HMMER 3's
hmmconvert -2. OUTPUT '-' is standard output; otherwise the report of hmmconvert
goes there.

OUTPUT appears, or is changed, when all profiles are converted; with -F it may
be PROFILES itself.)";

constexpr const char* kExamples = R"(
gpuhmm convert -b Pkinase.hmm Pkinase.bin
gpuhmm convert Pfam-A.hmm.gz - | gpuhmm calibrate -o Pfam_ls -)";

using Target = ConversionTarget;

struct TargetOption {
  const char* name;
  Target target;
};
constexpr std::array<TargetOption, 4> kTargets = {{{"text", Target::Text},
                                                   {"binary", Target::Binary},
                                                   {"gcg", Target::Gcg},
                                                   {"extended-gcg", Target::ExtendedGcg}}};

// As in the report.
const char* description_of(Target target) {
  switch (target) {
    case Target::Binary:
      return "HMMER Plan7 binary";
    case Target::Gcg:
      return "GCG Profile .prf";
    case Target::ExtendedGcg:
      return "Compugen .eprf profile";
    case Target::Text:
      break;
  }
  return "HMMER Plan7 ASCII";
}

OptionTable options() {
  OptionTable all("options");
  all.add("text,a", "HMMER2 text (the default)");
  all.add("binary,b", "HMMER2 binary");
  all.add("gcg,p", "GCG profile (.prf)");
  all.add("extended-gcg,P", "Compugen's extended GCG profile (.eprf)");
  all.add("append,A", "append to OUTPUT, which holds profiles of the same format, if it exists");
  all.add("force,F", "replace OUTPUT if it exists");
  add_quiet_option(all, "no report");
  add_stats_option(all);
  return all;
}

Target target_from(const po::variables_map& given) {
  const TargetOption* chosen = nullptr;
  for (const TargetOption& option : kTargets) {
    if (given.count(option.name) == 0) continue;
    if (chosen != nullptr) throw UsageError("only one of -a, -b, -p and -P can be used");
    chosen = &option;
  }
  return chosen == nullptr ? Target::Text : chosen->target;
}

std::string converted(const ProfileReader& profiles, const Profile& profile, Target target) {
  std::ostringstream bytes;
  switch (target) {
    case Target::Text:
      profiles.write_text(bytes, profile);
      break;
    case Target::Binary:
      write_hmmer2_binary(bytes, profile);
      break;
    case Target::Gcg:
      write_gcg_profile(bytes, profile, GcgKind::Plain);
      break;
    case Target::ExtendedGcg:
      write_gcg_profile(bytes, profile, GcgKind::Extended);
      break;
  }
  return std::move(bytes).str();
}

int run(const Arguments& arguments) {
  const po::variables_map& given = arguments.options;
  return run_convert({arguments.positional[0], arguments.positional[1], target_from(given),
                      given.count("append") > 0, given.count("force") > 0, is_quiet(given),
                      wants_stats(given)});
}

}  // namespace

int run_convert(const ConvertRequest& request) {
  const auto& [input, output, target, appending, forced, quiet, wanted_statistics] = request;
  RunStatistics statistics(wanted_statistics);
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
  OutputFile out(output);
  const ProfileFileKind kind =
      target == Target::Text ? ProfileFileKind::Hmmer2Text : ProfileFileKind::Hmmer2Binary;
  if (append) copy_profiles(output, kind, *profile, out);

  OutputFile report(quiet ? "/dev/null" : report_to);
  write_hmmer2_banner(sink_of(report), "hmmconvert - convert between profile HMM file formats",
                      GPUHMM_VERSION);
  report.write("Input HMM file:           " + input + "\nOutput HMM file:          " + output +
               "\nConverting to:            " + description_of(target) + "\n" + dashed_line(kSettingsDashes) +
               "\n");
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
  return kDone;
}

Command convert_command() {
  return {"convert",    "PROFILES OUTPUT", "Convert profiles between file formats (hmmconvert)",
          kDescription, kExamples,         options,
          run};
}

}  // namespace gpuhmm::cli
