// The table of subcommands: it drives dispatch, help, man pages and completion.
#pragma once

#include <span>
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
  /// `help` is what a person reads, written as it is shown: a line of name and arguments, the summary, a
  /// blank line, the description, and after a line "examples:" command lines.
  Command(std::string_view help, OptionTable (*table)(), void (*work)(const Arguments& arguments),
          std::string (*more)() = nullptr);

  std::string name;
  std::string positional;  ///< one word an argument, "[X]" if it may be left out
  std::string summary;     ///< one line
  /// Paragraphs, separated by blank lines; a line that begins with a blank is an item of a list.
  std::string description;
  std::string examples;
  OptionTable (*options)();
  void (*run)(const Arguments& arguments);
  std::string (*appendix)();  ///< more paragraphs of the description, made only to be shown; or null
};

/// All subcommands in the order of the help.
std::span<const Command> commands();
/// The subcommand called `name`. Throws UsageError, with the nearest name, if there is none.
const Command& find_command(const std::string& name);
/// Throws UsageError unless there are as many arguments as the command takes.
void check_count(const Command& command, const std::vector<std::string>& positional);

/// Parses and runs: `words` are those after the subcommand's name. Throws UsageError that names the command.
void run_command(const Command& command, const std::vector<std::string>& words);

/// Version and licence line, as --version prints it.
std::string version_line();

/// Ends the program at once, when all outputs are in place: nothing is torn down piece by piece, which
/// drivers of GPUs take a tenth of a second for.
[[noreturn]] void leave(ExitCode code);

/// Writes a short text to standard output. Throws FileError, or ClosedPipe.
void print(const std::string& text);

}  // namespace gpuhmm::cli
