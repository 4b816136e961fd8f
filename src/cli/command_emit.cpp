// `gpuhmm emit`: sequences drawn from profiles (hmmemit).
#include "cli/command_emit.hpp"

#include "cli/file_roles.hpp"
#include "cli/options.hpp"
#include "cli/output_sink.hpp"
#include "formats/io/locate.hpp"
#include "formats/profile/profile_reader.hpp"
#include "formats/report/emitted_sequences.hpp"
#include "formats/report/format.hpp"
#include "formats/report/hmmer2_banner.hpp"

namespace po = boost::program_options;

namespace gpuhmm::cli {

namespace {

constexpr const char* kDescription =
    "Draws sequences from every profile of the file PROFILES, or writes its majority-rule consensus (-c). "
    "With the same "
    "--seed\nthe sequences are those of HMMER 2.3.2's hmmemit.";

po::options_description options() {
  po::options_description options("options");
  options.add_options()("number,n", po::value<int>()->value_name("N")->default_value(10),
                        "sequences a profile")("alignment,a", "write an alignment (Stockholm), not FASTA")(
      "consensus,c", "write one consensus sequence a profile instead")(
      "seed", po::value<std::int32_t>()->value_name("N"),
      "seed of the random numbers (default: the time in seconds)")(
      "output,o", po::value<std::string>()->value_name("FILE"), "write the sequences to FILE")(
      "quiet,q", "print nothing but the sequences");
  return options;
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

  const std::string profile_path = locate_file(path, "HMMERDB");
  std::optional<std::string> output = text_option(given, "output");
  if (output && is_standard_output(*output)) output.reset();
  const std::string report_to = output ? report_path(*output) : "-";
  FileRoles().reads(profile_path).writes(output).writes(report_to);
  ProfileReader profiles(profile_path);
  OutputFile report(report_to);
  OutputFile file(output.value_or("/dev/null"));
  OutputFile& sequences = output ? file : report;
  const bool quiet = given.count("quiet") > 0;
  if (!quiet) write_head(sink_of(report), path, consensus, count, seed);
  RandomStream stream;
  stream.seed(seed);
  while (const std::optional<Profile> profile = profiles.next()) {
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
  return kDone;
}

}  // namespace

Command emit_command() {
  return {"emit",
          "PROFILES",
          "Draw sequences from profiles (hmmemit)",
          kDescription,
          "gpuhmm emit -n 100 --seed 1 -q Pkinase.hmm > artificial.fasta\n"
          "gpuhmm emit -c Pkinase.hmm",
          options,
          run};
}

}  // namespace gpuhmm::cli
