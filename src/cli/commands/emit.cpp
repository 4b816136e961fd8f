// `gpuhmm emit`: sequences drawn from profiles (hmmemit).
#include "gpuhmm/emit.hpp"

#include <algorithm>

#include "cli/commands.hpp"
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

constexpr const char* kHelp = R"(emit PROFILES
Draw sequences from profiles (hmmemit)

Draws sequences from every profile of the file PROFILES, or writes its
majority-rule consensus (-c). With the same --seed the sequences are those of
HMMER 2.3.2's hmmemit.

examples:
gpuhmm emit -n 100 --seed 1 -q Pkinase.hmm > artificial.fasta
gpuhmm emit -c Pkinase.hmm)";

OptionTable options() {
  OptionTable all("options");
  all.add("number,n", value<int>("N", "10").within(0), "number of sequences per profile");
  all.add("alignment,a", "write an alignment (Stockholm), not FASTA");
  all.add("consensus,c", "write one consensus sequence per profile instead");
  add_seed_option(all);
  add_output_option(all, "write the sequences");
  add_message_options(all, "print nothing but the sequences");
  return all;
}

void write_sequences(const TextSink& out, const Profile& profile, int count, bool alignment,
                     RandomStream& stream) {
  const SequenceEmitter emitter(profile);
  std::vector<Emission> aligned;
  for (int i = 1; i <= count; ++i) {
    Emission steps = emitter.draw(stream);
    if (alignment) {
      aligned.push_back(std::move(steps));
    } else {
      write_emitted_fasta(out, profile.name + "-" + std::to_string(i), "", emitted_letters(profile, steps));
    }
  }
  if (alignment) write_emitted_alignment(out, profile, aligned);
}

void write_head(const TextSink& out, const Arguments& arguments, std::int32_t seed) {
  write_hmmer2_banner(out, "hmmemit - generate sequences from a profile HMM", GPUHMM_VERSION);
  out("HMM file:             " + arguments.positional[0] + "\n");
  if (arguments.has("consensus")) {
    out("Generating consensus sequence.\n");
  } else {
    out(format("Number of seqs:       %d\nRandom seed:          %d\n", arguments.get<int>("number"), seed));
  }
  out(dashed_line(kSettingsDashes) + "\n");
}

void run(const Arguments& arguments) {
  const bool aligned = arguments.has("alignment"), consensus = arguments.has("consensus");
  if (aligned && consensus) throw UsageError("only one of -a and -c can be used");
  const int count = std::max(arguments.get<int>("number"), 0);
  const std::int32_t seed = seed_from(arguments);
  const std::optional<std::string> output = output_file_from(arguments);
  const std::string path = locate_file(arguments.positional[0], "HMMERDB");
  const std::string report_to = output ? report_path(*output) : "-";
  FileRoles().reads(path).writes(output).writes(report_to);
  ProfileReader profiles(path);
  OutputFile report(report_to);
  OutputFile file(output.value_or("/dev/null"));
  OutputFile& sequences = output ? file : report;
  if (!arguments.has("quiet")) write_head(sink_of(report), arguments, seed);
  RunStatistics statistics(arguments.has("stats"));
  std::uint64_t drawn_from = 0;
  RandomStream stream;
  stream.seed(seed);
  while (const std::optional<Profile> profile = profiles.next()) {
    ++drawn_from;
    if (consensus) {
      write_emitted_fasta(sink_of(sequences), profile->name,
                          "profile HMM generated consensus sequence [hmmemit]", majority_consensus(*profile));
    } else {
      write_sequences(sink_of(sequences), *profile, count, aligned, stream);
    }
  }
  file.finish();
  if (output && !arguments.has("quiet")) report.write("Output saved in file " + *output + "\n");
  report.commit();
  file.commit();
  statistics.count("profiles", drawn_from);
  statistics.count("sequences", drawn_from * (consensus ? 1 : static_cast<std::uint64_t>(count)));
  statistics.print();
}

}  // namespace

Command emit_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
