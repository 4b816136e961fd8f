// The completion script for fish.
#include "cli/help/completion.hpp"

namespace gpuhmm::cli {

namespace {

std::string quoted(std::string_view text) {
  std::string escaped = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped + "'";
}

// The values to offer: words, and files, those with an expected ending first.
std::string values(ValueKind kind, const std::vector<std::string>& words) {
  std::string offered = joined(words);
  if (kind == ValueKind::Commands) offered = "$gpuhmm_commands";
  const std::string endings = joined_endings(kind, " .", "");
  if (!endings.empty()) {
    offered += std::string(offered.empty() ? "" : " ") + "(__gpuhmm_files" + endings + ")";
  }
  return offered;
}

std::string option_line(const std::string& begin, const Option& option) {
  std::string line = begin;
  if (option.letter != '\0') line += std::string(" -s ") + option.letter;
  line += " -l " + option.name;
  if (!option.is_flag()) {
    const std::string offered = values(option.kind, option.words);
    line += option.kind == ValueKind::File ? " -r -F" : " -x";
    // single quotes: fish lists the files at completion time
    if (!offered.empty()) line += " -a '" + offered + "'";
  }
  return line + " -d " + quoted(option.text) + "\n";
}

}  // namespace

std::string fish_completion() {
  std::string names, lines;
  for (const Command& command : commands()) {
    const std::string name = command.name;
    names += " " + name;
    lines += "complete -c gpuhmm -n '__gpuhmm_at 1' -x -a " + name + " -d " + quoted(command.summary) + "\n";
    const std::string begin = "complete -c gpuhmm -n '__gpuhmm_command " + name + "'";
    const OptionTable table = command.options();
    for (const Option* const option : table.options()) lines += option_line(begin, *option);
    lines += begin + " -s h -l help -d 'show the help'\n";
    std::string endings, words;
    bool any_file = false;
    for (const ArgumentValue& argument : argument_values(command)) {
      any_file = any_file || argument.kind == ValueKind::File;
      words += values(argument.kind, argument.words) + " ";
    }
    lines += begin + (any_file ? " -F\n" : " -x -a '" + words + "'\n");
  }
  return R"(# fish completion for gpuhmm; written by `gpuhmm help --completion fish`
function __gpuhmm_at # true if this number of words precedes the current one
    test (count (commandline -opc)) -eq $argv[1]
end
function __gpuhmm_command # true if the command line has this command
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test $words[2] = $argv[1]
end
function __gpuhmm_files # files with these endings, then the others
    __fish_complete_suffix (commandline -ct) $argv
end
set -g gpuhmm_commands)" +
         names + R"(
complete -c gpuhmm -n '__gpuhmm_at 1' -l help -s h -d 'show the help'
complete -c gpuhmm -n '__gpuhmm_at 1' -l version -s V -d 'show the version'
)" + lines;
}

}  // namespace gpuhmm::cli
