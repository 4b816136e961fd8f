// Drop-in names: called as hmmsearch2, hmm2pfam, hmmpfam and so on, the executable takes exactly the options
// of that HMMER 2.3.2 program, prints its usage text and ends with its exit codes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpuhmm::cli {

/// One program of HMMER 2.3.2. Its help lists its options: each is the option of that name, long or a letter,
/// of the gpuhmm command that does the work.
struct DropIn {
  std::string_view program;     ///< its own name, as in the usage line
  const char* command;          ///< of gpuhmm
  std::string_view title;       ///< line 1 of the help
  std::string_view positional;  ///< the arguments in the usage line
  std::string_view common;      ///< lines of the usage text that describe the frequent options
  std::string_view expert;      ///< the other options; only -h shows them
};

/// All of them.
std::span<const DropIn> drop_ins();

/// The names that stand for a program, as for hmmpfam: its own, Debian's `hmm2pfam`, and `hmmpfam2` of other
/// distributions.
std::vector<std::string> names_of(const DropIn& program);

/// An option as the help describes it.
struct DescribedOption {
  std::string name, operand;       ///< "-A" and "<n>", or no operand
  std::vector<std::string> lines;  ///< what it does
};
/// All options of the program, in order.
std::vector<DescribedOption> described_options(const DropIn& program);

/// The program that an executable called `path` (argv[0]) stands for; null for gpuhmm itself. Its own name,
/// which HMMER 3 has, too, stands for HMMER 2.3.2's unless it is called from below a folder named hmmer3 (the
/// nearest folder named hmmer2 or hmmer3 decides; links from there to the executable are followed). Throws
/// UsageError for a name below hmmer3.
const DropIn* find_drop_in(const std::string& path);

/// Parses the command line, the name that the program was called by in front, and runs it. Errors are "FATAL:
/// " lines on standard error and exit code 1, as HMMER's, and so are wrong usages, with the usage text.
/// Throws ClosedPipe.
int run_drop_in(const DropIn& program, const std::vector<std::string>& called);

}  // namespace gpuhmm::cli
