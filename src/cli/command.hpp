// The table of subcommands: it drives dispatch, help, man pages and completion.
#pragma once

#include <boost/program_options.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/option_table.hpp"

namespace gpuhmm::cli {

/// Wrong usage: what() is one line. Ends the program with exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;

  std::optional<std::string> command;  ///< whose help tells more; empty text for the program's own
};

/// Exit codes of every command.
enum ExitCode : int { kDone = 0, kFailed = 1, kWrongUsage = 2, kNoDevice = 3 };

/// Options given and positional arguments, in order.
struct Arguments {
  boost::program_options::variables_map options;
  std::vector<std::string> positional;
  std::string command_line;  ///< as given, words separated by blanks: for command logs of profiles
};

/// One subcommand.
struct Command {
  const char* name;
  const char* positional;  ///< shown in the usage line; one word an argument, "[X]" if it may be left out
  const char* summary;     ///< one line
  /// Paragraphs for the man page and the long help, separated by blank lines. They are wrapped when they are
  /// shown; a line that begins with a blank is an item of a list.
  const char* description;
  const char* examples;  ///< command lines, one a line, shown as they are
  OptionTable (*options)();
  int (*run)(const Arguments& arguments);
  std::string (*appendix)() = nullptr;  ///< more paragraphs of the description, made only to be shown
};

/// All subcommands in the order of the help.
std::span<const Command> commands();
/// The subcommand called `name`. Throws UsageError, with the nearest name, if there is none.
const Command& find_command(const std::string& name);

/// Parses and runs: `words` are those after the subcommand's name. Throws UsageError that names the command.
int run_command(const Command& command, const std::vector<std::string>& words);

/// Version and licence line, as --version prints it.
std::string version_line();

/// Ends the program at once, when all outputs are in place: nothing is torn down piece by piece, which
/// drivers of GPUs take a tenth of a second for.
[[noreturn]] void leave(ExitCode code);

/// Writes a short text to standard output. Throws FileError, or ClosedPipe.
void print(const std::string& text);

}  // namespace gpuhmm::cli
