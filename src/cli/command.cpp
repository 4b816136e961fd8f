// Parsing and dispatch of subcommands; see the header.
#include "cli/command.hpp"

#include <algorithm>
#include <sstream>

#include "cli/help.hpp"

namespace po = boost::program_options;

namespace gpuhmm::cli {

namespace {

constexpr const char* kPositional = "positional-arguments";

// The words of the usage line and how many of them must be given.
std::pair<std::size_t, std::size_t> positional_counts(const Command& command) {
  std::istringstream words(command.positional);
  std::size_t least = 0;
  std::size_t most = 0;
  for (std::string word; words >> word;) {
    ++most;
    if (word.front() != '[') ++least;
  }
  return {least, most};
}

// Of an option given more than once the last one counts, as in HMMER.
void keep_last(po::parsed_options& parsed) {
  std::vector<po::option> kept;
  for (auto option = parsed.options.rbegin(); option != parsed.options.rend(); ++option) {
    const bool repeated = std::any_of(kept.begin(), kept.end(), [&option](const po::option& later) {
      return option->position_key < 0 && later.string_key == option->string_key;
    });
    if (!repeated) kept.push_back(std::move(*option));
  }
  parsed.options.assign(kept.rbegin(), kept.rend());
}

}  // namespace

const Command* find_command(const std::string& name) {
  for (const Command& command : commands()) {
    if (name == command.name) return &command;
  }
  return nullptr;
}

int run_command(const Command& command, const std::vector<std::string>& words) {
  Arguments arguments;
  arguments.command_line = std::string("gpuhmm ") + command.name;
  for (const std::string& word : words) arguments.command_line += " " + word;
  po::options_description all = command.options();
  all.add_options()("help,h", "show this help");
  all.add_options()(kPositional, po::value<std::vector<std::string>>(&arguments.positional));
  po::positional_options_description positional;
  positional.add(kPositional, -1);
  try {
    po::parsed_options parsed = po::command_line_parser(words).options(all).positional(positional).run();
    keep_last(parsed);
    po::store(parsed, arguments.options);
    po::notify(arguments.options);
  } catch (const po::error& error) {
    throw UsageError(error.what());
  }
  if (arguments.options.count("help") > 0) {
    print(help_text(command));
    return kDone;
  }
  const auto [least, most] = positional_counts(command);
  if (arguments.positional.size() < least || arguments.positional.size() > most) {
    throw UsageError(
        std::string(arguments.positional.size() < least ? "missing argument" : "too many arguments") +
        ": expected " + (most == 0 ? "none" : command.positional));
  }
  return command.run(arguments);
}

}  // namespace gpuhmm::cli
