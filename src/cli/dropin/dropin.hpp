// Drop-in names: called as hmmsearch2, hmm2pfam, hmmpfam and so on, the executable takes exactly the options
// of that HMMER 2.3.2 program and returns its exit codes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpuhmm::cli {

/// One program of HMMER 2.3.2. `common` and `expert` list its options; each stands for the option of the same
/// name or letter of the gpuhmm command.
struct DropIn {
  std::string_view program;     ///< HMMER's name of the program, as in the usage line
  const char* command;          ///< gpuhmm command that does the work
  std::string_view title;       ///< first line of the help
  std::string_view positional;  ///< arguments in the usage line
  std::string_view common;      ///< lines of the usage text that describe the common options
  std::string_view expert;      ///< lines for the other options; only -h shows them
};

/// All programs of HMMER 2.3.2 that gpuhmm stands in for.
std::span<const DropIn> drop_ins();

/// The names that stand for a program. For hmmpfam: `hmmpfam`, Debian's `hmm2pfam`, and other distributions'
/// `hmmpfam2`.
std::vector<std::string> names_of(const DropIn& program);

/// An option as the usage text describes it.
struct DescribedOption {
  std::string_view name, operand;       ///< "-A" and "<n>"; a flag has no operand
  std::vector<std::string_view> lines;  ///< what it does
};
/// All options of the program, in order. The texts are those of the program.
std::vector<DescribedOption> described_options(const DropIn& program);

/// The program that an executable called `path` (argv[0]) stands for; null for gpuhmm itself. A name that
/// HMMER 3 uses, too (hmmsearch), stands for the program of HMMER 2.3.2, unless the nearest folder named
/// hmmer2 or hmmer3 above it is hmmer3: then UsageError is thrown. Symbolic links from there to the
/// executable are followed.
const DropIn* find_drop_in(const std::string& path);

/// Parses the command line `called`, whose first word is the program's name, and runs the program. Returns
/// the exit code. Like HMMER it reports errors as "FATAL: " lines on standard error with exit code 1, and
/// wrong usage in the same way with the usage text. Throws ClosedPipe.
int run_drop_in(const DropIn& program, const std::vector<std::string>& called);

}  // namespace gpuhmm::cli
