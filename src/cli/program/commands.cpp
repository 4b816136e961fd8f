// The table of subcommands, and their dispatch.
#include "cli/commands.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <sstream>

#include "cli/command.hpp"
#include "cli/help/help.hpp"
#include "cli/help/suggestion.hpp"
#include "cli/one_device.hpp"

namespace gpuhmm::cli {

namespace {

constexpr Command (*kCommands[])() = {
    search_command,   scan_command,      plan_command,        merge_command,     serve_command,
    makedb_command,   index_command,     press_command,       calibrate_command, convert_command,
    fetch_command,    stat_command,      build_command,       emit_command,      align_command,
    segments_command, submatrix_command, subsequence_command, reduce_command,    kmers_command,
    sort_command,     devices_command,   bench_command,       help_command};

// Removes the text up to `end` from the front and returns it; removes `end`, too.
std::string take_until(std::string_view& text, std::string_view end) {
  const std::size_t size = std::min(text.find(end), text.size());
  const std::string front(text.substr(0, size));
  text.remove_prefix(std::min(size + end.size(), text.size()));
  return front;
}

void parse_and_run(const Command& command, const std::vector<std::string>& words) {
  Arguments arguments = parse_arguments(command.options(), words);
  arguments.words = words;
  arguments.command_line = "gpuhmm " + command.name;
  for (const std::string& word : words) arguments.command_line += " " + word;
  if (arguments.has("help")) {
    return print(help_text(command));
  }
  check_count(command, arguments.positional);
  const std::optional<std::string> device = arguments.text("device");
  if (device && !arguments.has("mpi")) start_one_device(*device);  // ranks share the devices that they list
  command.run(arguments);
}

}  // namespace

Command::Command(std::string_view help, OptionTable (*table)(), void (*work)(const Arguments& arguments),
                 std::string (*more)())
    : positional(take_until(help, "\n")),
      summary(take_until(help, "\n\n")),
      description(take_until(help, "\n\nexamples:\n")),
      examples(help),
      options(table),
      run(work),
      appendix(more) {
  std::string_view usage = positional;
  name = take_until(usage, " ");
  positional = std::string(usage);
}

std::vector<Command> commands() {
  std::vector<Command> all;
  for (const auto make_command : kCommands) all.push_back(make_command());
  return all;
}

// Makes no more commands than it must: that takes a small job noticeable time.
Command find_command(const std::string& name) {
  std::vector<std::string> names;
  for (const auto make_command : kCommands) {
    Command command = make_command();
    if (name == command.name) return command;
    names.push_back(command.name);
  }
  UsageError error("there is no command '" + name + "'" + did_you_mean(name, names));
  error.command = "";
  throw error;
}

void check_count(const Command& command, const std::vector<std::string>& positional) {
  std::istringstream words(command.positional);
  std::size_t least = 0, most = 0;
  bool repeated = false;
  for (std::string word; words >> word; ++most) {
    least += word.front() == '[' ? 0 : 1;
    repeated = is_repeated(word);
  }
  if (repeated) most = std::numeric_limits<std::size_t>::max();
  if (positional.size() >= least && positional.size() <= most) return;
  throw UsageError(std::string(positional.size() < least ? "missing argument" : "too many arguments") +
                   ": expected " + (most == 0 ? "none" : command.positional));
}

void run_command(const Command& command, const std::vector<std::string>& words) {
  try {
    parse_and_run(command, words);
  } catch (UsageError& error) {
    if (!error.command) error.command = command.name;
    throw;
  }
}

std::string version_line() { return "gpuhmm " GPUHMM_VERSION " (BSD-3-Clause)"; }

}  // namespace gpuhmm::cli
