// The options of a command, in groups: parsing, help, man pages, completion and drop-in names read this
// table.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
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

/// A value, of one of the types that options have.
using OptionData = std::variant<std::string, std::int32_t, std::int64_t, float, double>;

/// The value of an option: how it is shown, checked, offered and read.
struct OptionValue {
  std::string placeholder;  ///< stands for it in help: "FILE"; empty for flags
  ValueKind kind = ValueKind::None;
  std::vector<std::string> words;                  ///< values that can be offered
  bool only_words = false;                         ///< no other value is taken
  std::string standard;                            ///< the value without the option; empty if there is none
  OptionData type;                                 ///< any value of the type that texts are converted to
  std::optional<std::pair<double, double>> range;  ///< of numbers; others are wrong usage

  /// The same with a range, ends included.
  OptionValue within(double least, double most = std::numeric_limits<double>::infinity()) const {
    OptionValue limited = *this;
    limited.range = {least, most};
    return limited;
  }
  /// The same without infinities and NaN.
  OptionValue finite() const {
    return within(std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max());
  }
};

/// A number, or a text that is not a name of a file. `standard`, unless empty, holds without the option.
template <class T>
OptionValue value(const char* placeholder, const std::string& standard = "") {
  return {placeholder, ValueKind::Free, {}, false, standard, T{}, std::nullopt};
}
/// One of `words`; the first holds without the option if `standard`. Other values are wrong usage.
OptionValue one_of(const char* placeholder, std::vector<std::string> words, bool standard);
/// A text for which `words` are offered; `standard`, unless empty, holds without the option.
OptionValue any_text(const char* placeholder, std::vector<std::string> words,
                     const std::string& standard = "");
/// A file; for which `words` may stand instead.
OptionValue file(const char* placeholder = "FILE", ValueKind kind = ValueKind::File,
                 std::vector<std::string> words = {}, const std::string& standard = "");

/// One option with its value.
struct Option : OptionValue {
  std::string name;    ///< after "--"
  char letter = '\0';  ///< after "-"; 0 if it has none
  std::string text;    ///< what it does

  bool is_flag() const { return kind == ValueKind::None; }
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
  explicit OptionTable(const std::string& title) { group(title); }

  /// Options added from here on stand under this heading.
  OptionTable& group(const std::string& title);
  /// Adds an option, "output,o" or "output", to the last group. Without a value it is a flag.
  OptionTable& add(std::string_view names, OptionValue value, const std::string& text);
  OptionTable& add(std::string_view names, const std::string& text);
  /// An older name of the option `name`, which works as well and is not shown. With `value` it is a flag
  /// that stands for the option with this value.
  OptionTable& alias(const std::string& other, const std::string& name, const std::string& value = "");
  /// Only one of these options can be used. Of several that a drop-in name is given the last one counts.
  OptionTable& only_one(std::vector<std::string> names);
  /// The option `name` may stand for the argument at `place`, counted from 0.
  OptionTable& names_argument(const std::string& name, std::size_t place);

  const std::vector<OptionGroup>& groups() const { return groups_; }
  const std::vector<OptionAlias>& aliases() const { return aliases_; }
  const std::vector<std::vector<std::string>>& choices() const { return choices_; }
  /// The option that names an argument, and the argument's place.
  const std::optional<std::pair<std::string, std::size_t>>& named_argument() const { return named_argument_; }
  /// All options, in order.
  std::vector<const Option*> options() const;
  /// The option called "--output" or "-o"; null if there is none.
  const Option* find(std::string_view called) const;

 private:
  std::vector<OptionGroup> groups_;
  std::vector<OptionAlias> aliases_;
  std::vector<std::vector<std::string>> choices_;
  std::optional<std::pair<std::string, std::size_t>> named_argument_;
};

/// What the argument shown as `placeholder` in a usage line is: "PROFILES", "[B]".
ValueKind argument_kind(std::string_view placeholder);
/// Ends of the names of files of that kind, without the dot; none if any file may be one.
std::vector<std::string_view> file_endings(ValueKind kind);

}  // namespace gpuhmm::cli
