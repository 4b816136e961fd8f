// Parsing and dispatch of subcommands; see the header.
#include "cli/command.hpp"

#include <algorithm>
#include <sstream>

#include "cli/help.hpp"
#include "cli/suggestion.hpp"

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

const Option* find_option(const OptionTable& table, const std::string& name) {
  for (const OptionGroup& group : table.groups()) {
    for (const Option& option : group.options) {
      if (option.name == name) return &option;
    }
  }
  return nullptr;
}

// What is parsed: the table's options, their other names, --help and the arguments.
po::options_description all_options(const OptionTable& table, std::vector<std::string>& positional) {
  po::options_description all;
  all.add(table.parser());
  for (const auto& [other, name, value] : table.aliases()) {
    const Option* const meant = find_option(table, name);
    if (!value.empty() || (meant != nullptr && meant->placeholder.empty())) {
      all.add_options()(other.c_str(), "");
    } else {
      all.add_options()(other.c_str(), po::value<std::string>(), "");
    }
  }
  all.add_options()("help,h", "");
  all.add_options()(kPositional, po::value<std::vector<std::string>>(&positional));
  return all;
}

// Other names of options become the names that commands look for.
void resolve_aliases(const OptionTable& table, po::parsed_options& parsed) {
  for (po::option& option : parsed.options) {
    for (const auto& [other, name, value] : table.aliases()) {
      if (option.string_key != other) continue;
      option.string_key = name;
      if (!value.empty()) option.value = {value};
    }
  }
}

void check_words(const OptionTable& table, const po::variables_map& given) {
  for (const OptionGroup& group : table.groups()) {
    for (const Option& option : group.options) {
      if (!option.only_words || given.count(option.name) == 0) continue;
      const auto& value = given[option.name].as<std::string>();
      if (std::ranges::count(option.words, value) > 0) continue;
      std::string expected;
      for (std::size_t i = 0; i < option.words.size(); ++i) {
        expected += (i == 0 ? "" : i + 1 == option.words.size() ? " or " : ", ") + option.words[i];
      }
      throw UsageError("option '--" + option.name + "' expects " + expected + ", not '" + value + "'" +
                       did_you_mean(value, option.words));
    }
  }
}

// A long option that was typed with one hyphen, or nearly so.
std::string suggested_option(const OptionTable& table, const std::string& unknown,
                             const std::vector<std::string>& words) {
  std::vector<std::string> known = {"--help"};
  for (const OptionGroup& group : table.groups()) {
    for (const Option& option : group.options) known.push_back("--" + option.name);
  }
  for (const OptionAlias& alias : table.aliases()) known.push_back("--" + alias.other);
  if (unknown.starts_with("--")) return did_you_mean(unknown.substr(0, unknown.find('=')), known);
  for (const std::string& word : words) {
    const std::string longer = "-" + word.substr(0, word.find('='));
    if (word.starts_with(unknown) && std::ranges::count(known, longer) > 0) {
      return "; did you mean '" + longer + "'?";
    }
  }
  return {};
}

po::variables_map parse(const OptionTable& table, const std::vector<std::string>& words,
                        std::vector<std::string>& positional) {
  po::variables_map given;
  const po::options_description all = all_options(table, positional);
  po::positional_options_description arguments;
  arguments.add(kPositional, -1);
  try {
    po::parsed_options parsed = po::command_line_parser(words).options(all).positional(arguments).run();
    resolve_aliases(table, parsed);
    keep_last(parsed);
    po::store(parsed, given);
    po::notify(given);
  } catch (const po::unknown_option& error) {
    throw UsageError(error.what() + suggested_option(table, error.get_option_name(), words));
  } catch (const po::error& error) {
    throw UsageError(error.what());
  }
  return given;
}

int parse_and_run(const Command& command, const std::vector<std::string>& words) {
  const OptionTable table = command.options();
  Arguments arguments;
  arguments.command_line = std::string("gpuhmm ") + command.name;
  for (const std::string& word : words) arguments.command_line += " " + word;
  arguments.options = parse(table, words, arguments.positional);
  if (arguments.options.count("help") > 0) {
    print(help_text(command));
    return kDone;
  }
  check_words(table, arguments.options);
  const auto [least, most] = positional_counts(command);
  if (arguments.positional.size() < least || arguments.positional.size() > most) {
    throw UsageError(
        std::string(arguments.positional.size() < least ? "missing argument" : "too many arguments") +
        ": expected " + (most == 0 ? "none" : command.positional));
  }
  return command.run(arguments);
}

}  // namespace

const Command& find_command(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    if (name == command.name) return command;
    names.emplace_back(command.name);
  }
  UsageError error("there is no command '" + name + "'" + did_you_mean(name, names));
  error.command = "";
  throw error;
}

int run_command(const Command& command, const std::vector<std::string>& words) {
  try {
    return parse_and_run(command, words);
  } catch (UsageError& error) {
    if (!error.command) error.command = command.name;
    throw;
  }
}

}  // namespace gpuhmm::cli
