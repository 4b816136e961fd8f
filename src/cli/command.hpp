// The table of subcommands, from which dispatch, help, man pages and completion are made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/option_table.hpp"

namespace gpuhmm::cli {

/// Exit codes of every command.
enum ExitCode : int { kDone = 0, kFailed = 1, kWrongUsage = 2, kNoDevice = 3 };

/// One subcommand.
struct Command {
  /// `help` holds, in this order: a line with the name and the arguments, the summary, a blank line, the
  /// description, a blank line, the line "examples:", and command lines. `more` makes the appendix.
  Command(std::string_view help, OptionTable (*table)(), void (*work)(const Arguments& arguments),
          std::string (*more)() = nullptr);

  std::string name;
  /// One word per argument: "[X]" for an optional one; "X...", the last, for one or more.
  std::string positional;
  std::string summary;  ///< one line
  /// Paragraphs separated by blank lines. A line that begins with a space is a list item.
  std::string description;
  std::string examples;
  OptionTable (*options)();
  void (*run)(const Arguments& arguments);
  std::string (*appendix)();  ///< makes further paragraphs of the description; may be null
};

/// All subcommands in the order of the help.
std::vector<Command> commands();
/// The subcommand called `name`. Throws UsageError, which suggests the nearest name, if there is none.
Command find_command(const std::string& name);
/// Throws UsageError unless the number of arguments is one that the command takes.
void check_count(const Command& command, const std::vector<std::string>& positional);

/// Parses `words`, which follow the subcommand's name, and runs the command. A UsageError that it throws
/// names the command.
void run_command(const Command& command, const std::vector<std::string>& words);

/// Version and licence line, as --version prints it.
std::string version_line();

/// Ends the program at once, without destructors, and before devices are released (start_release_process()).
/// All outputs must be in place.
[[noreturn]] void leave(ExitCode code);

/// Writes a short text to standard output. Throws FileError or ClosedPipe.
void print(const std::string& text);

}  // namespace gpuhmm::cli
