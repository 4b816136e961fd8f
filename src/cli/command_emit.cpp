// `gpuhmm emit`: sequences drawn from profiles (hmmemit).
#include "cli/command_emit.hpp"

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

void write_head(const TextSink& out, const std::string& path, bool consensus, int count, std::int32_t seed) {
  write_hmmer2_banner(out, "hmmemit - generate sequences from a profile HMM", GPUHMM_VERSION);
  out("HMM file:             " + path + "\n");
  if (consensus) {
    out("Generating consensus sequence.\n");
  } else {
    out(format("Number of seqs:       %d\nRandom seed:          %d\n", count, seed));
  }
  out(dashed_line(kSettingsDashes) + "\n");
}

int run(const Arguments& arguments) {
  const po::variables_map& given = arguments.options;
  const std::string& path = arguments.positional[0];
  const bool alignment = given.count("alignment") > 0;
  const bool consensus = given.count("consensus") > 0;
  if (alignment && consensus) throw UsageError("only one of -a and -c can be used");
  const int count = given["number"].as<int>();
  if (count < 0) throw UsageError("option '-n' expects 0 or more sequences");
  const std::int32_t seed = seed_from(given);

  ProfileReader profiles(locate_file(path, "HMMERDB"));
  const std::optional<std::string> output = output_file_from(given);
  OutputFile report("-");
  OutputFile file(output.value_or("/dev/null"));
  OutputFile& sequences = output ? file : report;
  const bool quiet = is_quiet(given);
  if (!quiet) write_head(sink_of(report), path, consensus, count, seed);
  RunStatistics statistics(wants_stats(given));
  std::uint64_t count_of_profiles = 0;
  RandomStream stream;
  stream.seed(seed);
  while (const std::optional<Profile> profile = profiles.next()) {
    ++count_of_profiles;
    if (consensus) {
      write_emitted_fasta(sink_of(sequences), profile->name,
                          "profile HMM generated consensus sequence [hmmemit]", majority_consensus(*profile));
    } else {
      write_sequences(sink_of(sequences), *profile, count, alignment, stream);
    }
  }
  file.finish();
  if (output && !quiet) report.write("Output saved in file " + *output + "\n");
  report.commit();
  file.commit();
  statistics.count("profiles", count_of_profiles);
  statistics.count("sequences", count_of_profiles * (consensus ? 1 : static_cast<std::uint64_t>(count)));
  statistics.print();
  return kDone;
}

}  // namespace

Command emit_command() {
  return {"emit",  "PROFILES", "Draw sequences from profiles (hmmemit)", kDescription, kExamples,
          options, run};
}

}  // namespace gpuhmm::cli
