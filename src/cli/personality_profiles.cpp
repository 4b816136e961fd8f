// hmmcalibrate, hmmconvert, hmmfetch and hmmindex of HMMER 2.3.2 by their own options (docs/spec/options.md,
// 8.4 to 8.6).
#include <ctime>

#include "cli/command_calibrate.hpp"
#include "cli/command_convert.hpp"
#include "cli/command_fetch.hpp"
#include "cli/command_index.hpp"
#include "cli/personality_programs.hpp"

namespace gpuhmm::cli {

namespace {

using enum Hmmer2Value;

constexpr Hmmer2Option kCalibrateOptions[] = {{"-h"},
                                              {"--cpu", Integer},
                                              {"--fixed", Integer},
                                              {"--histfile", Text},
                                              {"--mean", Real},
                                              {"--num", Integer},
                                              {"--pvm"},
                                              {"--sd", Real},
                                              {"--seed", Integer}};
constexpr Hmmer2Option kConvertOptions[] = {{"-h"}, {"-a"}, {"-b"}, {"-p"}, {"-P"}, {"-A"}, {"-F"}};
constexpr Hmmer2Option kFetchOptions[] = {{"-h"}, {"-n"}};
constexpr Hmmer2Option kIndexOptions[] = {{"-h"}};

int run_hmmcalibrate(const Hmmer2Arguments& arguments) {
  CalibrateRequest request;
  request.profiles = arguments.positional[0];
  SampleOptions& sampling = request.sampling;
  sampling.count = arguments.integer("--num", sampling.count);
  sampling.fixed_length = arguments.integer("--fixed", sampling.fixed_length);
  sampling.mean = static_cast<float>(arguments.real("--mean", static_cast<double>(sampling.mean)));
  sampling.deviation = static_cast<float>(arguments.real("--sd", static_cast<double>(sampling.deviation)));
  sampling.seed = arguments.integer("--seed", static_cast<int>(std::time(nullptr)));
  if (arguments.has("--histfile")) request.histograms = arguments.options.at("--histfile");
  request.threads = hmmer2_threads(arguments);
  request.quiet = true;
  request.report_threads = !hmmer2_serial(arguments);
  request.command_line = arguments.command_line;
  return run_calibrate(request);
}

// Of several formats the last one counts.
ConversionTarget target_from(const Hmmer2Arguments& arguments) {
  ConversionTarget target = ConversionTarget::Text;
  for (const std::string& name : arguments.order) {
    if (name == "-a") target = ConversionTarget::Text;
    if (name == "-b") target = ConversionTarget::Binary;
    if (name == "-p") target = ConversionTarget::Gcg;
    if (name == "-P") target = ConversionTarget::ExtendedGcg;
  }
  return target;
}

int run_hmmconvert(const Hmmer2Arguments& arguments) {
  return run_convert({arguments.positional[0], arguments.positional[1], target_from(arguments),
                      arguments.has("-A"), arguments.has("-F")});
}

int run_hmmfetch(const Hmmer2Arguments& arguments) {
  return run_fetch({arguments.positional[0], arguments.positional[1], arguments.has("-n")});
}

int run_hmmindex(const Hmmer2Arguments& arguments) { return run_ssi_index(arguments.positional[0]); }

}  // namespace

const Personality& hmmcalibrate_personality() {
  static constexpr Personality kHmmcalibrate = {
      "hmmcalibrate",
      "hmmcalibrate -- calibrate HMM search statistics",
      "<hmmfile>",
      1,
      "  -h             : this help\n",
      "  --cpu <n>      : <n> threads\n"
      "  --fixed <n>    : all random sequences <n> residues long\n"
      "  --histfile <f> : write histograms of the scores to file <f>\n"
      "  --mean <x>     : mean length of the random sequences [325]\n"
      "  --num <n>      : number of random sequences [5000]\n"
      "  --pvm          : not supported\n"
      "  --sd <x>       : standard deviation of the lengths [200]\n"
      "  --seed <n>     : seed of the random numbers [time()]\n",
      kCalibrateOptions,
      run_hmmcalibrate};
  return kHmmcalibrate;
}

const Personality& hmmconvert_personality() {
  static constexpr Personality kHmmconvert = {"hmmconvert",
                                              "hmmconvert - convert between profile HMM file formats",
                                              "<old hmm file> <new hmm file>",
                                              2,
                                              "   -h        : this help\n"
                                              "\n"
                                              "   -a        : write text (the default)\n"
                                              "   -b        : write binary\n"
                                              "   -p        : write a GCG profile (.prf)\n"
                                              "   -P        : write an extended GCG profile (.eprf)\n"
                                              "\n"
                                              "   -A        : append to <new hmm file>\n"
                                              "   -F        : replace <new hmm file> if it exists\n",
                                              "",
                                              kConvertOptions,
                                              run_hmmconvert};
  return kHmmconvert;
}

const Personality& hmmfetch_personality() {
  static constexpr Personality kHmmfetch = {
      "hmmfetch",
      "hmmfetch -- retrieve specific HMM from an HMM database",
      "<hmmfile> <HMM name>",
      2,
      "  -h   : this help\n"
      "  -n   : <HMM name> is a number, from 0, in the order of names\n",
      "",
      kFetchOptions,
      run_hmmfetch};
  return kHmmfetch;
}

const Personality& hmmindex_personality() {
  static constexpr Personality kHmmindex = {"hmmindex",
                                            "hmmindex -- create SSI index for an HMM database",
                                            "<hmmfile>",
                                            1,
                                            "  -h             : this help\n",
                                            "",
                                            kIndexOptions,
                                            run_hmmindex};
  return kHmmindex;
}

}  // namespace gpuhmm::cli
