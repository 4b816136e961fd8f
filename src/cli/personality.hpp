// Drop-in names: called as hmmsearch2, hmm2pfam, hmmpfam and so on, the executable takes exactly the options
// of that HMMER 2.3.2 program, prints its usage text and ends with its exit codes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/hmmer2_options.hpp"

namespace gpuhmm::cli {

/// One program of HMMER 2.3.2.
struct Personality {
  std::string_view program;      ///< its own name, as in the usage line
  std::string_view title;        ///< line 1 of the help
  std::string_view positional;   ///< the arguments in the usage line
  std::size_t positional_count;  ///< how many there must be
  std::string_view common;       ///< lines of the usage text that describe the frequent options
  std::string_view expert;       ///< the other options; only -h shows them
  std::span<const Hmmer2Option> options;
  int (*run)(const Hmmer2Arguments& arguments);
};

/// All of them.
std::span<const Personality* const> personalities();

/// The names that stand for a program, as for hmmpfam: its own, Debian's `hmm2pfam`, and `hmmpfam2` of other
/// distributions.
std::vector<std::string> names_of(const Personality& personality);

/// The program that an executable called `path` (argv[0]) stands for; null for gpuhmm itself. Its own name,
/// which HMMER 3 has, too, stands for HMMER 2.3.2's unless it is called from below a folder named hmmer3 (the
/// nearest folder named hmmer2 or hmmer3 decides; links from there to the executable are followed). Throws
/// UsageError for a name below hmmer3.
const Personality* find_personality(const std::string& path);

/// Parses the command line, the name that the program was called by in front, and runs it. Errors are "FATAL:
/// " lines on standard error and exit code 1, as HMMER's, and so are wrong usages, with the usage text.
/// Throws ClosedPipe.
int run_personality(const Personality& personality, const std::vector<std::string>& command);

}  // namespace gpuhmm::cli
