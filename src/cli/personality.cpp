// The table of drop-in names; see the header. The programs themselves are in personality_*.cpp.
#include "cli/personality.hpp"

#include <exception>
#include <iostream>
#include <new>

#include "cli/command.hpp"
#include "cli/message.hpp"
#include "cli/personality_programs.hpp"
#include "formats/io/output.hpp"
#include "formats/report/hmmer2_banner.hpp"

namespace gpuhmm::cli {

namespace {

// Those of Debian's packages (hmm2...) and of other distributions (...2).
constexpr DropInName kNames[] = {
    {"hmm2search", hmmsearch_personality},       {"hmmsearch2", hmmsearch_personality},
    {"hmm2pfam", hmmpfam_personality},           {"hmmpfam2", hmmpfam_personality},
    {"hmm2calibrate", hmmcalibrate_personality}, {"hmmcalibrate2", hmmcalibrate_personality},
    {"hmm2convert", hmmconvert_personality},     {"hmmconvert2", hmmconvert_personality},
    {"hmm2fetch", hmmfetch_personality},         {"hmmfetch2", hmmfetch_personality},
    {"hmm2build", hmmbuild_personality},         {"hmmbuild2", hmmbuild_personality},
    {"hmm2align", hmmalign_personality},         {"hmmalign2", hmmalign_personality},
};

std::string usage(const Personality& personality) {
  return "Usage: " + std::string(personality.program) + " [-options] " + std::string(personality.positional) +
         "\n  Available options are:\n" + std::string(personality.common) + "\n";
}

std::string help(const Personality& personality) {
  std::string text;
  write_hmmer2_banner([&text](std::string_view part) { text += part; }, personality.title, GPUHMM_VERSION);
  return text + usage(personality) + std::string(personality.expert) + "\n";
}

int fail(const std::string& message, const std::string& usage_text = {}) {
  write_message("\nFATAL: ", message);
  std::cerr << usage_text;
  return kFailed;
}

}  // namespace

std::span<const DropInName> drop_in_names() { return kNames; }

const Personality* find_personality(std::string_view path) {
  const std::string_view called = path.substr(path.rfind('/') + 1);
  for (const auto& [name, personality] : kNames) {
    if (name == called) return &personality();
  }
  return nullptr;
}

int run_personality(const Personality& personality, const std::vector<std::string>& command) {
  try {
    const Hmmer2Arguments arguments = parse_hmmer2_arguments(personality.options, command);
    if (arguments.has("-h")) {
      print(help(personality));
      return kDone;
    }
    if (arguments.positional.size() != personality.positional_count) {
      throw Hmmer2UsageError("incorrect number of arguments: expected " +
                             std::string(personality.positional));
    }
    if (arguments.has("--pvm")) return fail("PVM is not supported; --pvm does not work. Use --cpu instead");
    return personality.run(arguments);
  } catch (const ClosedPipe&) {
    throw;
  } catch (const Hmmer2UsageError& error) {
    return fail(error.what(), usage(personality));
  } catch (const std::bad_alloc&) {
    return fail("out of memory");
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

}  // namespace gpuhmm::cli
