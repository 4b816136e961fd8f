// The options of a command, in groups: parsing, help, man pages and completion all read this table.
#pragma once

#include <boost/program_options.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuhmm::cli {

/// What a value is, so that shells can offer such values.
enum class ValueKind {
  None,        ///< a flag
  Free,        ///< a number, a name: nothing can be offered
  Words,       ///< one of some words
  File,        ///< a file of any kind, to be read or written
  Profiles,    ///< a file of profiles
  Sequences,   ///< a sequence file or a prepared database
  Alignments,  ///< an alignment
  Numbers,     ///< a file of numbers: a vector, a matrix, an image
  Commands     ///< the name of a command
};

/// The value of an option: how it is shown, checked, offered and parsed.
struct OptionValue {
  std::string placeholder;  ///< stands for it in help: "FILE"; empty for flags
  ValueKind kind = ValueKind::None;
  std::vector<std::string> words;  ///< values that can be offered
  bool only_words = false;         ///< no other value is taken
  std::string standard;            ///< the value without the option; empty if there is none to show
  std::unique_ptr<boost::program_options::value_semantic> parser;
};

/// A number or a text that is not a name of a file.
template <class T>
OptionValue value(const char* placeholder) {
  return {placeholder,
          ValueKind::Free,
          {},
          false,
          "",
          std::unique_ptr<boost::program_options::value_semantic>(boost::program_options::value<T>())};
}
/// Likewise, with the value that holds without the option and its text.
template <class T>
OptionValue value(const char* placeholder, const T& standard, const std::string& shown) {
  OptionValue made = value<T>(placeholder);
  made.parser.reset(boost::program_options::value<T>()->default_value(standard, shown));
  made.standard = shown;
  return made;
}
/// One of `words`; the first holds without the option if `standard`. Other values are wrong usage.
OptionValue one_of(const char* placeholder, std::vector<std::string> words, bool standard);
/// A text for which `words` are offered; `standard`, unless empty, holds without the option.
OptionValue any_text(const char* placeholder, std::vector<std::string> words,
                     const std::string& standard = "");
/// A file; for which `words` may stand instead.
OptionValue file(const char* placeholder = "FILE", ValueKind kind = ValueKind::File,
                 std::vector<std::string> words = {}, const std::string& standard = "");

/// One option as it is shown.
struct Option {
  std::string name;                  ///< after "--"
  char letter = '\0';                ///< after "-"; 0 if it has none
  std::string text;                  ///< what it does
  std::string placeholder;           ///< of its value; empty for a flag
  ValueKind kind = ValueKind::None;  ///< of its value
  std::vector<std::string> words;    ///< values that can be offered
  bool only_words = false;           ///< no other value is taken
  std::string standard;              ///< the value without the option; empty if there is none to show

  /// "-o, --output FILE"
  std::string shown() const;
};

/// Options under one heading.
struct OptionGroup {
  std::string title;
  std::vector<Option> options;
};

/// Another name of an option.
struct OptionAlias {
  std::string other, name;  ///< `other` stands for the option `name`
  std::string value;        ///< and for this value of it, unless empty
};

/// The options of a command.
class OptionTable {
 public:
  OptionTable() = default;
  explicit OptionTable(const std::string& title) { group(title); }

  /// Options added from here on stand under this heading.
  OptionTable& group(const std::string& title);
  /// Adds an option, "output,o" or "output", to the last group. Without a value it is a flag.
  OptionTable& add(const char* names, OptionValue value, const std::string& text);
  OptionTable& add(const char* names, const std::string& text);
  /// An older name of the option `name`, which works as well and is not shown. With `value` it is a flag
  /// that stands for the option with this value.
  OptionTable& alias(const std::string& other, const std::string& name, const std::string& value = "");

  const std::vector<OptionGroup>& groups() const { return groups_; }
  /// What Boost parses, without the aliases.
  const boost::program_options::options_description& parser() const { return parser_; }
  const std::vector<OptionAlias>& aliases() const { return aliases_; }

 private:
  std::vector<OptionGroup> groups_;
  boost::program_options::options_description parser_;
  std::vector<OptionAlias> aliases_;
};

/// What the argument shown as `placeholder` in a usage line is: "PROFILES", "[B]".
ValueKind argument_kind(std::string_view placeholder);
/// Ends of the names of files of that kind, without the dot; none if any file may be one.
std::vector<std::string_view> file_endings(ValueKind kind);

}  // namespace gpuhmm::cli
