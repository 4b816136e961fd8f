// The options of a command, in groups. Parsing, help, man pages, completion and drop-in names read this
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

/// What a value stands for. Shell completion offers values accordingly.
enum class ValueKind {
  None,        ///< a flag has no value
  Free,        ///< a number or a name: completion offers nothing
  Words,       ///< one of some words
  File,        ///< any file, to be read or written
  Profiles,    ///< a profile file
  Sequences,   ///< a sequence file or a prepared database
  Alignments,  ///< an alignment file
  Numbers,     ///< a file of numbers: a vector, a matrix, an image
  Commands     ///< the name of a command
};

/// The value of an option, in one of the types that options have.
using OptionData = std::variant<std::string, std::int32_t, std::int64_t, float, double>;

/// How the value of an option is shown, checked, completed and converted.
struct OptionValue {
  std::string_view placeholder;  ///< stands for the value in help: "FILE"; empty for flags
  ValueKind kind = ValueKind::None;
  std::vector<std::string> words;                  ///< values that completion offers
  bool only_words = false;                         ///< no other value is accepted
  std::string standard;                            ///< the default value; empty if there is none
  OptionData type;                                 ///< any value of the type that texts are converted to
  std::optional<std::pair<double, double>> range;  ///< smallest and largest number that is accepted

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

/// A number, or a text that is not a file name. `standard` is the default value, if not empty.
template <class T>
OptionValue value(const char* placeholder, const std::string& standard = "") {
  return {placeholder, ValueKind::Free, {}, false, standard, T{}, std::nullopt};
}
/// One of `words`; other values are wrong usage. If `standard`, the first word is the default value.
OptionValue one_of(const char* placeholder, std::vector<std::string> words, bool standard);
/// A text for which completion offers `words`. `standard` is the default value, if not empty.
OptionValue any_text(const char* placeholder, std::vector<std::string> words,
                     const std::string& standard = "");
/// A file, or one of `words` instead. `standard` is the default value, if not empty.
OptionValue file(const char* placeholder = "FILE", ValueKind kind = ValueKind::File,
                 std::vector<std::string> words = {}, const std::string& standard = "");

/// One option with its value.
struct Option : OptionValue {
  Option(OptionValue&& value, std::string_view long_name, char short_name, std::string&& explanation)
      : OptionValue(std::move(value)), name(long_name), letter(short_name), text(std::move(explanation)) {}

  std::string name;  ///< long name, without "--"
  char letter;       ///< short name, without "-"; 0 if there is none
  std::string text;  ///< what the option does

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
  std::string value;        ///< if not empty: `other` is a flag that stands for this value
};

/// The options of a command.
class OptionTable {
 public:
  explicit OptionTable(const std::string& title) { group(title); }

  /// Begins a group: options added from now on are listed under this heading.
  OptionTable& group(const std::string& title);
  /// Adds an option to the last group. `names` is "output,o" or "output". Without a value the option is a
  /// flag.
  OptionTable& add(std::string_view names, OptionValue value, std::string text);
  OptionTable& add(std::string_view names, std::string text);
  /// Adds `other` as an older name of the option `name`. Help does not list it. With `value` the older name
  /// is a flag that stands for the option with this value.
  OptionTable& alias(const std::string& other, const std::string& name, const std::string& value = "");
  /// Only one of these options can be used. Drop-ins accept several, of which the last one counts.
  OptionTable& only_one(std::vector<std::string> names);
  /// The option `name` can be used instead of the argument number `place`, counted from 0.
  OptionTable& names_argument(const std::string& name, std::size_t place);

  const std::vector<OptionGroup>& groups() const { return groups_; }
  const std::vector<OptionAlias>& aliases() const { return aliases_; }
  const std::vector<std::vector<std::string>>& choices() const { return choices_; }
  /// The option and the place given to names_argument().
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

/// Whether an argument shown as `placeholder` ("X...") may be given more than once.
bool is_repeated(std::string_view placeholder);
/// The kind of the argument that a usage line shows as `placeholder`: "PROFILES", "[B]".
ValueKind argument_kind(std::string_view placeholder);
/// Usual endings of names of files of that kind, without the dot. Empty for kinds without such endings.
std::vector<std::string_view> file_endings(ValueKind kind);

}  // namespace gpuhmm::cli
