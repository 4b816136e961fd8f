// Makes shell completion scripts from the table of subcommands and their options.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"

namespace gpuhmm::cli {

/// The script that completes commands, options, values of options and arguments in that shell.
std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

/// A shell, its script, and where the script is installed below share/.
struct ShellCompletion {
  std::string_view shell;
  std::string_view path;
  std::string (*script)();
};
std::span<const ShellCompletion> shell_completions();

/// An argument of a command.
struct ArgumentValue {
  std::string shown;  ///< its name in the usage line
  ValueKind kind = ValueKind::Free;
  std::vector<std::string> words;  ///< values to offer; a fixed argument such as "tune" has only itself
};
/// The arguments of a command, in order.
std::vector<ArgumentValue> argument_values(const Command& command);

/// The words, separated by spaces. They must not need quotes in any shell.
std::string joined(const std::vector<std::string>& words);
/// The usual endings of file names of that kind, each after `before` and separated by `between`.
std::string joined_endings(ValueKind kind, std::string_view before, std::string_view between);
/// True for kinds whose values are files.
bool is_file_kind(ValueKind kind);

}  // namespace gpuhmm::cli
