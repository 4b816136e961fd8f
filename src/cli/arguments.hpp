// The options and arguments of a parsed command line.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cli/option_table.hpp"

namespace gpuhmm::cli {

/// Wrong usage. what() is one line; the program ends with exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;

  /// The command whose help the message refers to; empty text for the help of the whole program.
  std::optional<std::string> command;
};

/// The options that were given, default values of the others, and the positional arguments.
class Arguments {
 public:
  Arguments() = default;
  /// No option is given: all have the table's default values.
  explicit Arguments(const OptionTable& table);

  std::vector<std::string> positional;
  std::vector<std::string> words;  ///< as parsed, for another process to parse
  std::string command_line;        ///< words separated by spaces, for the command log of profiles
  bool drop_in = false;  ///< called by a drop-in name: behave as HMMER 2 where gpuhmm's commands differ

  /// True if the option was given.
  bool has(std::string_view name) const { return given_.contains(name); }
  /// The given value, else the default value, else nothing. T is the option's type.
  template <class T>
  std::optional<T> find(std::string_view name) const {
    for (const Values* const values : {&given_, &standard_}) {
      if (const auto found = values->find(name); found != values->end()) return std::get<T>(found->second);
    }
    return std::nullopt;
  }
  /// The value that the option was given; it must have been given.
  const OptionData& data(std::string_view name) const { return given_.find(name)->second; }
  std::optional<std::string> text(std::string_view name) const { return find<std::string>(name); }
  /// The same for an option that was given or has a default value.
  template <class T = std::string>
  T get(std::string_view name) const {
    return find<T>(name).value();
  }

  /// Sets the value of an option. A flag may have any value.
  void set(const std::string& name, OptionData value = {}) { given_[name] = std::move(value); }
  /// Removes the option, as if it had not been given.
  void erase(const std::string& name) { given_.erase(name); }

  /// True if the command must not show its progress.
  bool silent() const { return drop_in || has("quiet"); }

 private:
  using Values = std::map<std::string, OptionData, std::less<>>;
  Values given_, standard_;
};

/// A value as a word that gives it again.
std::string spelled(const OptionData& value);

/// The options of the table that were given, each as one word, "--name=value", in the order of the table.
std::vector<std::string> spelled(const OptionTable& table, const Arguments& arguments);

/// Converts `text` to a value of the option. Throws UsageError if the option does not accept it.
OptionData converted(const Option& option, const std::string& text);

/// Parses `words`, which follow the command's name. --help becomes the option "help". Throws UsageError.
Arguments parse_arguments(const OptionTable& table, const std::vector<std::string>& words);

}  // namespace gpuhmm::cli
