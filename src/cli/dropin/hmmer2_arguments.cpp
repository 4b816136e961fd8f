// Parses command lines as HMMER 2's programs do.
#include "cli/dropin/hmmer2_arguments.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>

namespace gpuhmm::cli {

namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// The text after leading white space and a sign.
std::string_view behind_sign(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) text.remove_prefix(1);
  return text;
}

// HMMER accepts a hexadecimal number, of which atoi then reads the 0 before the x. It also accepts empty text
// and a lone sign, as 0.
bool is_integer(std::string_view text) {
  text = behind_sign(text);
  if (text.starts_with("0x") || text.starts_with("0X")) {
    text.remove_prefix(2);
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
  }
  return std::all_of(text.begin(), text.end(), is_digit);
}

// HMMER ignores characters that are not part of a number (`1x` is a number), but not a space before the first
// digit.
bool is_real(std::string_view text) {
  text = behind_sign(text);
  const auto exponents = std::count_if(text.begin(), text.end(), [](char c) { return c == 'e' || c == 'E'; });
  const std::string_view first = text.substr(0, text.find(' '));
  return std::any_of(first.begin(), first.end(), is_digit) && exponents <= 1 &&
         std::count(text.begin(), text.end(), '.') <= 1;
}

// Converts `text` to the option's type. Throws Hmmer2UsageError for text that HMMER does not accept as a
// number.
OptionData value_of(const Hmmer2Option& option, const std::string& text) {
  return std::visit(
      [&]<class T>(const T& /*type*/) -> OptionData {
        const auto require = [&](bool valid, const std::string& what) {
          if (valid) return;
          throw Hmmer2UsageError("option " + std::string(option.name) + " requires " + what +
                                 " argument, not \"" + text + "\"");
        };
        if constexpr (std::is_integral_v<T>) {
          require(is_integer(text), "an integer");
          return static_cast<T>(std::atoi(text.c_str()));
        } else if constexpr (std::is_floating_point_v<T>) {
          if (option.whole) {
            require(is_integer(text), "an integer");
            return static_cast<T>(std::atoi(text.c_str()));
          }
          require(is_real(text), "a numerical");
          return static_cast<T>(std::atof(text.c_str()));
        } else {
          return text;
        }
      },
      option.option->type);
}

class Parser {
 public:
  Parser(const OptionTable& table, std::span<const Hmmer2Option> options, std::span<const std::string> words)
      : table_(table), options_(options), words_(words), arguments_(table) {}

  Arguments run() {
    while (at_ < words_.size() && !arguments_.has("help")) {
      const std::string& word = words_[at_];
      if (word.size() < 2 || word.front() != '-') break;
      ++at_;
      if (word == "--") break;
      word.starts_with("--") ? parse_long(word) : parse_short(word);
    }
    arguments_.positional.assign(words_.begin() + static_cast<std::ptrdiff_t>(at_), words_.end());
    return std::move(arguments_);
  }

 private:
  static bool takes_value(const Hmmer2Option& option) {
    return option.option != nullptr && !option.option->is_flag();
  }

  void parse_long(const std::string& word) {
    const std::size_t equals = word.find('=');
    const bool attached = equals != std::string::npos;
    const Hmmer2Option& option = find_long(word.substr(0, equals));
    if (takes_value(option)) {
      set(option, attached ? word.substr(equals + 1) : next_word(option));
    } else {
      if (attached) throw Hmmer2UsageError("option " + std::string(option.name) + " takes no argument");
      set(option, "");
    }
  }

  // The option of that name, or the only one whose name begins with it.
  const Hmmer2Option& find_long(const std::string& name) const {
    const Hmmer2Option* found = nullptr;
    for (const Hmmer2Option& option : options_) {
      if (option.name == name) return option;
      if (!option.name.starts_with(name)) continue;
      if (found != nullptr) throw Hmmer2UsageError("option \"" + name + "\" is ambiguous");
      found = &option;
    }
    if (found == nullptr) throw Hmmer2UsageError("no such option \"" + name + "\"");
    return *found;
  }

  void parse_short(const std::string& word) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      const std::string name = {'-', word[i]};
      const auto option = std::ranges::find(options_, name, &Hmmer2Option::name);
      if (option == options_.end()) throw Hmmer2UsageError("no such option \"" + name + "\"");
      if (takes_value(*option)) {
        set(*option, i + 1 < word.size() ? word.substr(i + 1) : next_word(*option));
        return;
      }
      set(*option, "");
    }
  }

  std::string next_word(const Hmmer2Option& option) {
    if (at_ < words_.size()) return words_[at_++];
    throw Hmmer2UsageError("option " + std::string(option.name) + " requires an argument");
  }

  void set(const Hmmer2Option& option, const std::string& text) {
    if (option.option == nullptr) return arguments_.set(option.name == "-h" ? "help" : "pvm");
    const std::string& name = option.option->name;
    for (const std::vector<std::string>& choice : table_.choices()) {
      if (std::ranges::count(choice, name) == 0) continue;
      for (const std::string& other : choice) arguments_.erase(other);
    }
    arguments_.set(name, takes_value(option) ? value_of(option, text) : OptionData{});
  }

  const OptionTable& table_;
  std::span<const Hmmer2Option> options_;
  std::span<const std::string> words_;
  std::size_t at_ = 0;
  Arguments arguments_;
};

}  // namespace

Arguments parse_hmmer2_arguments(const OptionTable& table, std::span<const Hmmer2Option> options,
                                 std::span<const std::string> command) {
  Arguments arguments = Parser(table, options, command.subspan(1)).run();
  for (const std::string& word : command) {
    arguments.command_line += (arguments.command_line.empty() ? "" : " ") + word;
  }
  arguments.drop_in = true;
  return arguments;
}

}  // namespace gpuhmm::cli
