// Parsing as HMMER2's programs parse; see the header.
#include "cli/hmmer2_options.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>

#include "cli/options.hpp"

namespace gpuhmm::cli {

namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// The text behind blanks and a sign.
std::string_view behind_sign(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) text.remove_prefix(1);
  return text;
}

// HMMER takes a hexadecimal number and then reads the 0 before its x; nothing but a sign, or nothing at all,
// is 0.
bool is_integer(std::string_view text) {
  text = behind_sign(text);
  if (text.starts_with("0x") || text.starts_with("0X")) {
    text.remove_prefix(2);
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
  }
  return std::all_of(text.begin(), text.end(), is_digit);
}

// HMMER passes over characters that it does not know, `1x` is a number, but not over blanks before the
// first digit.
bool is_real(std::string_view text) {
  text = behind_sign(text);
  const auto exponents = std::count_if(text.begin(), text.end(), [](char c) { return c == 'e' || c == 'E'; });
  const std::string_view first = text.substr(0, text.find(' '));
  return std::any_of(first.begin(), first.end(), is_digit) && exponents <= 1 &&
         std::count(text.begin(), text.end(), '.') <= 1;
}

class Parser {
 public:
  Parser(std::span<const Hmmer2Option> options, std::span<const std::string> words)
      : options_(options), words_(words) {}

  Hmmer2Arguments run() {
    while (at_ < words_.size() && !arguments_.has("-h")) {
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
  void parse_long(const std::string& word) {
    const std::size_t equals = word.find('=');
    const Hmmer2Option& option = find_long(word.substr(0, equals));
    std::optional<std::string> value;
    if (equals != std::string::npos) value = word.substr(equals + 1);
    if (option.value == Hmmer2Value::None) {
      if (value) throw Hmmer2UsageError("option " + std::string(option.name) + " takes no argument");
      set(option, "");
    } else {
      set(option, value ? *value : next_word(option));
    }
  }

  // The option of that name, or the only one whose name begins so.
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
      const auto option = std::find_if(options_.begin(), options_.end(),
                                       [&](const Hmmer2Option& each) { return each.name == name; });
      if (option == options_.end()) throw Hmmer2UsageError("no such option \"" + name + "\"");
      if (option->value != Hmmer2Value::None) {
        set(*option, i + 1 < word.size() ? word.substr(i + 1) : next_word(*option));
        return;
      }
      set(*option, "");
    }
  }

  std::string next_word(const Hmmer2Option& option) {
    if (at_ == words_.size())
      throw Hmmer2UsageError("option " + std::string(option.name) + " requires an argument");
    return words_[at_++];
  }

  void set(const Hmmer2Option& option, const std::string& value) {
    const std::string name(option.name);
    if (option.value == Hmmer2Value::Integer && !is_integer(value)) {
      throw Hmmer2UsageError("option " + name + " requires an integer argument, not \"" + value + "\"");
    }
    if (option.value == Hmmer2Value::Real && !is_real(value)) {
      throw Hmmer2UsageError("option " + name + " requires a numerical argument, not \"" + value + "\"");
    }
    arguments_.options[name] = value;
    arguments_.order.push_back(name);
  }

  std::span<const Hmmer2Option> options_;
  std::span<const std::string> words_;
  std::size_t at_ = 0;
  Hmmer2Arguments arguments_;
};

}  // namespace

int Hmmer2Arguments::integer(std::string_view name, int otherwise) const {
  const auto found = options.find(name);
  return found == options.end() ? otherwise : std::atoi(found->second.c_str());
}

double Hmmer2Arguments::real(std::string_view name, double otherwise) const {
  const auto found = options.find(name);
  return found == options.end() ? otherwise : std::atof(found->second.c_str());
}

Hmmer2Arguments parse_hmmer2_arguments(std::span<const Hmmer2Option> options,
                                       std::span<const std::string> command) {
  Hmmer2Arguments arguments = Parser(options, command.subspan(1)).run();
  for (const std::string& word : command) {
    arguments.command_line += (arguments.command_line.empty() ? "" : " ") + word;
  }
  return arguments;
}

bool hmmer2_serial(const Hmmer2Arguments& arguments) { return arguments.integer("--cpu", 1) == 0; }

unsigned hmmer2_threads(const Hmmer2Arguments& arguments) {
  constexpr int kMost = 4096;
  if (arguments.has("--cpu")) {
    return static_cast<unsigned>(std::clamp(arguments.integer("--cpu", 1), 1, kMost));
  }
  const char* const wanted = std::getenv("HMMER_NCPU");
  return wanted != nullptr ? static_cast<unsigned>(std::clamp(std::atoi(wanted), 1, kMost)) : processors();
}

}  // namespace gpuhmm::cli
