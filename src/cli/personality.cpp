// The table of drop-in names; see the header. The programs themselves are in personality_*.cpp.
#include "cli/personality.hpp"

#include <sys/auxv.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <system_error>

#include "cli/command.hpp"
#include "cli/message.hpp"
#include "cli/personality_programs.hpp"
#include "formats/io/output.hpp"
#include "formats/report/hmmer2_banner.hpp"

namespace gpuhmm::cli {

namespace {

// The folders that plain names are installed in, below libexec/gpuhmm.
constexpr std::string_view kHmmer2Folder = "hmmer2", kHmmer3Folder = "hmmer3";

// The path by which the executable was started: what a search of PATH found, where argv[0] is the name only.
std::filesystem::path started_by(const std::string& called) {
  if (called.find('/') != std::string::npos) return called;
  const auto address = ::getauxval(AT_EXECFN);
  return address == 0 ? called.c_str() : reinterpret_cast<const char*>(address);
}

// The folder of one generation of HMMER that `path` lies in, or else that a link on the way lies in: the
// nearest above the program, as in bin/hmmer/hmmer2/2.3.2/hmmpfam. Empty if there is none.
std::string generation_folder(std::filesystem::path path) {
  constexpr int kMostLinks = 40;
  for (int links = 0; links < kMostLinks; ++links) {
    std::error_code error;
    const std::filesystem::path folder =
        std::filesystem::canonical(std::filesystem::absolute(path, error).parent_path(), error);
    if (error) break;
    for (std::filesystem::path above = folder; above.has_filename(); above = above.parent_path()) {
      const std::string name = above.filename();
      if (name == kHmmer2Folder || name == kHmmer3Folder) return name;
    }
    const std::filesystem::path target = std::filesystem::read_symlink(path, error);
    if (error) break;
    path = folder / target;
  }
  return {};
}

std::string usage(const Personality& personality) {
  return "Usage: " + std::string(personality.program) + " [-options] " + std::string(personality.positional) +
         "\n  Available options are:\n" + std::string(personality.common) + "\n";
}

std::string help(const Personality& personality) {
  std::string text;
  write_hmmer2_help_banner([&text](std::string_view part) { text += part; }, personality.title,
                           GPUHMM_VERSION);
  return text + usage(personality) + std::string(personality.expert) + "\n";
}

int fail(const std::string& message, const std::string& usage_text = {}) {
  write_message("\nFATAL: ", message);
  std::cerr << usage_text;
  return kFailed;
}

}  // namespace

std::span<const Personality* const> personalities() {
  static const Personality* const kPrograms[] = {
      &hmmalign_personality(),   &hmmbuild_personality(), &hmmcalibrate_personality(),
      &hmmconvert_personality(), &hmmemit_personality(),  &hmmfetch_personality(),
      &hmmindex_personality(),   &hmmpfam_personality(),  &hmmsearch_personality()};
  return kPrograms;
}

std::vector<std::string> names_of(const Personality& personality) {
  const std::string plain(personality.program);
  return {plain, "hmm2" + plain.substr(3), plain + "2"};
}

const Personality* find_personality(const std::string& path) {
  const std::string called = path.substr(path.rfind('/') + 1);
  for (const Personality* const personality : personalities()) {
    const std::vector<std::string> names = names_of(*personality);
    if (std::ranges::find(names, called) == names.end()) continue;
    if (called == personality->program && generation_folder(started_by(path)) == kHmmer3Folder) {
      throw UsageError("called as " + called + " of a folder " + std::string(kHmmer3Folder) +
                       ": gpuhmm stands in for HMMER 2.3.2's programs only; expected a folder " +
                       std::string(kHmmer2Folder));
    }
    return personality;
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
