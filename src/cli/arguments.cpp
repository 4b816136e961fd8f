// Parses command lines. Boost splits them into options and arguments; the conversion of values is here.
#include "cli/arguments.hpp"

#include <algorithm>
#include <array>
#include <boost/lexical_cast.hpp>
#include <boost/program_options.hpp>
#include <charconv>
#include <type_traits>

#include "cli/help/suggestion.hpp"
#include "util/format.hpp"

namespace po = boost::program_options;

namespace gpuhmm::cli {

namespace {

constexpr const char* kPositional = "positional-arguments";

// Whether Boost may take the word for one option or more; "-" and other words are arguments.
bool may_be_option(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

// Whether one of `words` can be the option or begins as its name does.
bool may_be_given(const std::string& name, char letter, const std::vector<std::string>& words) {
  return std::ranges::any_of(words, [&](std::string_view word) {
    if (!word.starts_with("--")) {
      return letter != '\0' && word.starts_with('-') && word.find(letter) != std::string_view::npos;
    }
    word.remove_prefix(2);
    return name.starts_with(word.substr(0, word.find('=')));
  });
}

// Describes the arguments and those options, aliases and --help to Boost that `words` may give. A description
// takes more time than a word, and Boost's answers do not depend on the others. All values are texts.
po::options_description description_of(const OptionTable& table, const std::vector<std::string>& words) {
  po::options_description all;
  const auto add = [&](const std::string& name, char letter, bool flag) {
    if (!may_be_given(name, letter, words)) return;
    const std::string names = letter == '\0' ? name : name + "," + letter;
    const po::value_semantic* const kind =
        flag ? static_cast<po::value_semantic*>(new po::untyped_value(true)) : po::value<std::string>();
    all.add_options()(names.c_str(), kind, "");
  };
  for (const Option* const option : table.options()) add(option->name, option->letter, option->is_flag());
  for (const auto& [other, name, value] : table.aliases()) {
    add(other, '\0', !value.empty() || table.find("--" + name)->is_flag());
  }
  add("help", 'h', true);
  all.add_options()(kPositional, po::value<std::string>(), "");
  return all;
}

std::string listed(const std::vector<std::string>& words) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    list += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  }
  return list;
}

std::string range_text(double least, double most) {
  if (most == std::numeric_limits<double>::max()) return "a finite number";
  return most == std::numeric_limits<double>::infinity() ? format("at least %g", least)
                                                         : format("%g to %g", least, most);
}

void check_range(const Option& option, const OptionData& data) {
  const double number = std::visit(
      []<class T>(const T& value) {
        if constexpr (std::is_arithmetic_v<T>) return static_cast<double>(value);
        return 0.0;
      },
      data);
  const auto [least, most] = *option.range;
  if (!(number >= least && number <= most)) {
    throw UsageError("option '--" + option.name + "' expects " + range_text(least, most));
  }
}

OptionData converted_as(const OptionData& type, const std::string& text) {
  return std::visit(
      [&]<class T>(const T& /*type*/) -> OptionData {
        if constexpr (std::is_arithmetic_v<T>) return boost::lexical_cast<T>(text);
        return text;
      },
      type);
}

// The end of the message about an unknown option: which option may be meant, or why there is none.
std::string advice(const OptionTable& table, const std::string& unknown,
                   const std::vector<std::string>& words) {
  if (unknown == "--cpu") return "; this command has no work to share among threads";
  if (unknown == "--device") return "; this command computes on the host";
  std::vector<std::string> known = {"--help"};
  for (const Option* const option : table.options()) known.push_back("--" + option->name);
  for (const OptionAlias& alias : table.aliases()) known.push_back("--" + alias.other);
  if (unknown.starts_with("--")) return did_you_mean(unknown.substr(0, unknown.find('=')), known);
  for (const std::string& word : words) {  // a long option with only one hyphen
    const std::string longer = "-" + word.substr(0, word.find('='));
    if (word.starts_with(unknown) && std::ranges::count(known, longer) > 0) {
      return "; did you mean '" + longer + "'?";
    }
  }
  return {};
}

std::vector<po::option> split(const OptionTable& table, const std::vector<std::string>& words) {
  const po::options_description all = description_of(table, words);
  try {
    return po::command_line_parser(words)
        .options(all)
        .positional(po::positional_options_description().add(kPositional, -1))
        .run()
        .options;
  } catch (const po::unknown_option& error) {
    throw UsageError(error.what() + advice(table, error.get_option_name(), words));
  } catch (const po::error& error) {
    throw UsageError(error.what());
  }
}

void check_choices(const OptionTable& table, const Arguments& arguments) {
  for (const std::vector<std::string>& choice : table.choices()) {
    std::vector<std::string> given;
    std::ranges::copy_if(choice, std::back_inserter(given),
                         [&](const std::string& name) { return arguments.has(name); });
    if (given.size() > 1)
      throw UsageError("only one of --" + given[0] + " and --" + given[1] + " can be used");
  }
}

}  // namespace

Arguments::Arguments(const OptionTable& table) {
  for (const Option* const option : table.options()) {
    if (!option->standard.empty()) standard_[option->name] = converted_as(option->type, option->standard);
  }
}

std::string spelled(const OptionData& value) {
  return std::visit(
      []<class T>(const T& data) -> std::string {
        if constexpr (std::is_arithmetic_v<T>) {
          std::array<char, 64> text;
          const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), data);
          return {text.data(), end};
        } else {
          return data;
        }
      },
      value);
}

std::vector<std::string> spelled(const OptionTable& table, const Arguments& arguments) {
  std::vector<std::string> words;
  for (const Option* const option : table.options()) {
    if (!arguments.has(option->name)) continue;
    const std::string name = "--" + option->name;
    words.push_back(option->is_flag() ? name : name + "=" + spelled(arguments.data(option->name)));
  }
  return words;
}

OptionData converted(const Option& option, const std::string& text) {
  const bool wrong_word = option.only_words && std::ranges::count(option.words, text) == 0;
  if (wrong_word) {
    throw UsageError("option '--" + option.name + "' expects " + listed(option.words) + ", not '" + text +
                     "'" + did_you_mean(text, option.words));
  }
  try {
    OptionData data = converted_as(option.type, text);
    if (option.range) check_range(option, data);
    return data;
  } catch (const boost::bad_lexical_cast&) {
    throw UsageError("the argument ('" + text + "') for option '--" + option.name + "' is invalid");
  }
}

Arguments parse_arguments(const OptionTable& table, const std::vector<std::string>& words) {
  Arguments arguments(table);
  if (std::ranges::none_of(words, may_be_option)) {  // what small jobs are often called with: without Boost
    arguments.positional = words;
    return arguments;
  }
  std::map<std::string, std::string> texts;  // the last value counts if an option is given more than once
  for (const po::option& part : split(table, words)) {
    const auto alias = std::ranges::find(table.aliases(), part.string_key, &OptionAlias::other);
    const bool is_alias = alias != table.aliases().end();
    const std::string value = part.value.empty() ? "" : part.value.front();
    if (part.string_key == kPositional) {
      arguments.positional.push_back(value);
    } else {
      texts[is_alias ? alias->name : part.string_key] =
          is_alias && !alias->value.empty() ? alias->value : value;
    }
  }
  if (texts.contains("help")) {
    arguments.set("help");
    return arguments;
  }
  for (const auto& [name, text] : texts) {
    const Option& option = *table.find("--" + name);
    arguments.set(name, option.is_flag() ? OptionData{} : converted(option, text));
  }
  check_choices(table, arguments);
  if (const auto& named = table.named_argument(); named && arguments.has(named->first)) {
    const std::size_t place = std::min(named->second, arguments.positional.size());
    arguments.positional.insert(arguments.positional.begin() + static_cast<std::ptrdiff_t>(place),
                                arguments.get(named->first));
  }
  return arguments;
}

}  // namespace gpuhmm::cli
