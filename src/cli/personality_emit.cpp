// hmmemit of HMMER 2.3.2 by its own options.
#include <ctime>

#include "cli/command_emit.hpp"
#include "cli/personality_programs.hpp"

namespace gpuhmm::cli {

namespace {

using enum Hmmer2Value;

constexpr Hmmer2Option kOptions[] = {
    {"-a"}, {"-c"}, {"-h"}, {"-n", Integer}, {"-o", Text}, {"-q"}, {"--seed", Integer}};

int run_hmmemit(const Hmmer2Arguments& arguments) {
  EmitRequest request;
  request.profiles = arguments.positional[0];
  request.count = arguments.integer("-n", request.count);
  request.alignment = arguments.has("-a");
  request.consensus = arguments.has("-c");
  request.seed = arguments.integer("--seed", static_cast<int>(std::time(nullptr)));
  if (arguments.has("-o")) request.output = arguments.options.at("-o");
  request.quiet = arguments.has("-q");
  return run_emit(request);
}

}  // namespace

const Personality& hmmemit_personality() {
  static constexpr Personality kHmmemit = {"hmmemit",
                                           "hmmemit - generate sequences from a profile HMM",
                                           "<hmm file>",
                                           1,
                                           "   -a     : an alignment, not FASTA\n"
                                           "   -c     : one consensus sequence a profile instead\n"
                                           "   -h     : this help\n"
                                           "   -n <n> : <n> sequences a profile [10]\n"
                                           "   -o <f> : write the sequences to file <f>\n"
                                           "   -q     : print nothing but the sequences\n",
                                           "   --seed <n>     : seed of the random numbers [time()]\n",
                                           kOptions,
                                           run_hmmemit};
  return kHmmemit;
}

}  // namespace gpuhmm::cli
