// Drop-in names of HMMER3: called as hmmsearch of a folder hmmer3, hmmscan or hmmpress, the executable takes
// exactly the options of that HMMER 3.3.2 program and gives its outputs, messages and exit codes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/dropin/hmmer3_arguments.hpp"

namespace gpuhmm::cli {

/// One program of HMMER 3.3.2.
struct Hmmer3Program {
  std::string_view name;
  std::string_view title;  ///< of its help page
  std::string_view usage;  ///< what follows the name in the usage line
  std::size_t arguments;   ///< how many it takes
  std::span<const Hmmer3Option> options;
  std::string_view help;  ///< what options do; lines of options that it has not are left out
  void (*run)(const Hmmer3Arguments& arguments, const std::string& called);
};

/// All programs.
std::span<const Hmmer3Program> hmmer3_programs();

/// The program that an executable called `path` (argv[0]) stands for; null if there is none. hmmsearch stands
/// for HMMER3's only if the nearest folder named hmmer2 or hmmer3 above it is hmmer3 (see find_drop_in).
const Hmmer3Program* find_hmmer3_program(const std::string& path);

/// Parses the command line `called`, whose first word is the program's name, and runs the program. Returns
/// the exit code. Throws ClosedPipe.
int run_hmmer3_program(const Hmmer3Program& program, const std::vector<std::string>& called);

}  // namespace gpuhmm::cli
