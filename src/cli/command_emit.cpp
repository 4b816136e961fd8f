// `gpuhmm emit`: sequences drawn from profiles (hmmemit).
#include "cli/command_emit.hpp"

#include <algorithm>


#include "cli/file_roles.hpp"
#include "cli/options.hpp"
#include "cli/output_sink.hpp"
#include "cli/run_statistics.hpp"
#include "formats/io/locate.hpp"
#include "formats/profile/profile_reader.hpp"
#include "formats/report/emitted_sequences.hpp"
#include "formats/report/format.hpp"
#include "formats/report/hmmer2_banner.hpp"

namespace po = boost::program_options;

namespace gpuhmm::cli {

namespace {

constexpr const char* kDescription = R"(
Draws sequences from every profile of the file PROFILES, or writes its
majority-rule consensus (-c). With the same --seed the sequences are those of
HMMER 2.3.2's hmmemit.)";

constexpr const char* kExamples = R"(
gpuhmm emit -n 100 --seed 1 -q Pkinase.hmm > artificial.fasta
gpuhmm emit -c Pkinase.hmm)";

OptionTable options() {
  OptionTable all("options");
  all.add("number,n", value<int>("N", 10, "10"), "sequences a profile");
  all.add("alignment,a", "write an alignment (Stockholm), not FASTA");
  all.add("consensus,c", "write one consensus sequence a profile instead");
  add_seed_option(all);
  add_output_option(all, "write the sequences");
  add_quiet_option(all, "print nothing but the sequences");
  add_stats_option(all);
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

void write_head(const TextSink& out, const EmitRequest& request) {
  write_hmmer2_banner(out, "hmmemit - generate sequences from a profile HMM", GPUHMM_VERSION);
  out("HMM file:             " + request.profiles + "\n");
  if (request.consensus) {
    out("Generating consensus sequence.\n");
  } else {
    out(format("Number of seqs:       %d\nRandom seed:          %d\n", request.count, request.seed));
  }
  out(dashed_line(kSettingsDashes) + "\n");
}

int run(const Arguments& arguments) {
  const po::variables_map& given = arguments.options;
  EmitRequest request;
  request.profiles = arguments.positional[0];
  request.alignment = given.count("alignment") > 0;
  request.consensus = given.count("consensus") > 0;
  request.count = given["number"].as<int>();
  if (request.count < 0) throw UsageError("option '-n' expects 0 or more sequences");
  request.seed = seed_from(given);
  request.output = output_file_from(given);
  request.quiet = is_quiet(given);
  request.statistics = wants_stats(given);
  return run_emit(request);
}

}  // namespace

int run_emit(const EmitRequest& request) {
  if (request.alignment && request.consensus) throw UsageError("only one of -a and -c can be used");
  const std::string path = locate_file(request.profiles, "HMMERDB");
  const std::string report_to = request.output ? report_path(*request.output) : "-";
  FileRoles().reads(path).writes(request.output).writes(report_to);
  ProfileReader profiles(path);
  OutputFile report(report_to);
  OutputFile file(request.output.value_or("/dev/null"));
  OutputFile& sequences = request.output ? file : report;
  if (!request.quiet) write_head(sink_of(report), request);
  RunStatistics statistics(request.statistics);
  std::uint64_t count_of_profiles = 0;
  RandomStream stream;
  stream.seed(request.seed);
  while (const std::optional<Profile> profile = profiles.next()) {
    ++count_of_profiles;
    if (request.consensus) {
      write_emitted_fasta(sink_of(sequences), profile->name,
                          "profile HMM generated consensus sequence [hmmemit]", majority_consensus(*profile));
    } else {
      write_sequences(sink_of(sequences), *profile, request.count, request.alignment, stream);
    }
  }
  file.finish();
  if (request.output && !request.quiet) report.write("Output saved in file " + *request.output + "\n");
  report.commit();
  file.commit();
  statistics.count("profiles", count_of_profiles);
  statistics.count("sequences", count_of_profiles * (request.consensus ? 1 : static_cast<std::uint64_t>(std::max(request.count, 0))));
  statistics.print();
  return kDone;
}

Command emit_command() {
  return {"emit",  "PROFILES", "Draw sequences from profiles (hmmemit)", kDescription, kExamples,
          options, run};
}

}  // namespace gpuhmm::cli
