// hmmalign of HMMER 2.3.2 by its own options (docs/spec/options.md, 8.9).
#include "cli/command_align.hpp"
#include "cli/options.hpp"
#include "cli/personality_programs.hpp"

namespace gpuhmm::cli {

namespace {

using enum Hmmer2Value;

constexpr Hmmer2Option kOptions[] = {{"-h"},
                                     {"-m"},
                                     {"-o", Text},
                                     {"-q"},
                                     {"--informat", Text},
                                     {"--mapali", Text},
                                     {"--oneline"},
                                     {"--outformat", Text},
                                     {"--withali", Text}};

int run_hmmalign(const Hmmer2Arguments& arguments) {
  const auto text = [&arguments](std::string_view name) -> std::optional<std::string> {
    const auto found = arguments.options.find(name);
    return found == arguments.options.end() ? std::nullopt : std::optional(found->second);
  };
  AlignRequest request;
  request.profiles = arguments.positional[0];
  request.sequences = arguments.positional[1];
  if (const auto format = text("--informat")) request.format = format_named(*format);
  if (const auto format = text("--outformat")) request.output_format = output_format_named(*format);
  request.empty_input = EmptyInput::Allowed;
  request.output = text("-o");
  request.mapped_alignment = text("--mapali");
  request.fixed_alignment = text("--withali");
  request.matches_only = arguments.has("-m");
  request.one_line = arguments.has("--oneline");
  request.quiet = arguments.has("-q");
  request.first_profile_only = true;
  request.check_alphabet = false;  // HMMER has no such warning
  request.threads = hmmer2_threads(arguments);
  return run_align(request);
}

}  // namespace

const Personality& hmmalign_personality() {
  static constexpr Personality kHmmalign = {
      "hmmalign",
      "hmmalign - align sequences to an HMM profile",
      "<hmm file> <sequence file>",
      2,
      "   -h     : this help\n"
      "   -m     : show only symbols aligned to match states\n"
      "   -o <f> : write the alignment to file <f>\n"
      "   -q     : print nothing but the alignment\n",
      "   --informat <s>  : the sequence file is in format <s>\n"
      "   --mapali <f>    : include the alignment in file <f>, by the profile's map\n"
      "   --oneline       : Stockholm with one line a sequence\n"
      "   --outformat <s> : write the alignment in format <s> [Stockholm]\n"
      "   --withali <f>   : include the alignment in file <f>, aligned as a whole\n",
      kOptions,
      run_hmmalign};
  return kHmmalign;
}

}  // namespace gpuhmm::cli
