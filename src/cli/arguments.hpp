// What a command line says: values of options, and arguments.
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

/// Wrong usage: what() is one line. Ends the program with exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;

  std::optional<std::string> command;  ///< whose help explains; empty text for the program's own
};

/// Options given and positional arguments, in order.
class Arguments {
 public:
  Arguments() = default;
  /// No option is given: those of the table have their standard values.
  explicit Arguments(const OptionTable& table);

  std::vector<std::string> positional;
  std::string command_line;  ///< as given, words separated by blanks: for command logs of profiles
  bool drop_in = false;      ///< a program of HMMER 2 was called: do as that does where gpuhmm differs

  /// True if the option was given.
  bool has(std::string_view name) const { return given_.contains(name); }
  /// The value given, or else the standard one; nothing if there is neither. T is the option's type.
  template <class T>
  std::optional<T> find(std::string_view name) const {
    for (const Values* const values : {&given_, &standard_}) {
      if (const auto found = values->find(name); found != values->end()) return std::get<T>(found->second);
    }
    return std::nullopt;
  }
  std::optional<std::string> text(std::string_view name) const { return find<std::string>(name); }
  /// The same of an option that has a standard value, or that was given.
  template <class T = std::string>
  T get(std::string_view name) const {
    return find<T>(name).value();
  }

  /// Gives the option this value, or takes it back; flags have any value.
  void set(const std::string& name, OptionData value = {}) { given_[name] = std::move(value); }
  void erase(const std::string& name) { given_.erase(name); }

  /// True if nothing is to be shown while the command works.
  bool silent() const { return drop_in || has("quiet"); }

 private:
  using Values = std::map<std::string, OptionData, std::less<>>;
  Values given_, standard_;
};

/// The value that `text` stands for. Throws UsageError for what the option does not take.
OptionData converted(const Option& option, const std::string& text);

/// Parses `words`, what follows the command's name. --help becomes the option "help". Throws UsageError.
Arguments parse_arguments(const OptionTable& table, const std::vector<std::string>& words);

}  // namespace gpuhmm::cli
