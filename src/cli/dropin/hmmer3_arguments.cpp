// Parses command lines as HMMER3's programs do.
#include "cli/dropin/hmmer3_arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace gpuhmm::cli {

namespace {

using Value = Hmmer3Option::Value;

[[noreturn]] void refuse(const std::string& message) {
  throw Hmmer3UsageError("Failed to parse command line: " + message);
}

// The program cuts names and lists in its messages.
std::string cut(std::string_view text) {
  constexpr std::size_t kLongest = 24;
  return std::string(text.substr(0, kLongest));
}

// White space may follow a number.
bool ends_number(const std::string& text, const char* end) {
  return end != text.c_str() && std::strspn(end, " \t\n\v\f\r") == std::strlen(end);
}

bool is_integer(const std::string& text) {
  char* end = nullptr;
  std::strtol(text.c_str(), &end, 10);
  return ends_number(text, end);
}

// The program keeps the lower 32 bits.
int integer_of(const std::string& text) { return static_cast<int>(std::strtol(text.c_str(), nullptr, 10)); }

bool is_real(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return ends_number(text, end);
}

// `range`: a letter, a relation and a number.
bool in_range(double number, std::string_view range) {
  if (range.empty()) return true;
  const bool or_equal = range.find('=') != std::string_view::npos;
  const std::string_view digits = range.substr(or_equal ? 3 : 2);
  double bound = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), bound);
  return or_equal ? number >= bound : number > bound;
}

// Checks a value; `source` is where it comes from.
void check(const Hmmer3Option& option, const std::string& text, const std::string& source) {
  const std::string name = cut(option.name);
  if (option.value == Value::Integer) {
    if (!is_integer(text))
      throw Hmmer3UsageError("Option " + name + " takes integer arg; got " + cut(text) + source);
    if (!in_range(integer_of(text), option.range)) {
      throw Hmmer3UsageError("option " + name + " takes integer arg in range " + std::string(option.range) +
                             "; got " + cut(text) + source);
    }
  } else if (option.value == Value::Real) {
    if (!is_real(text)) {
      throw Hmmer3UsageError("Option " + name + " takes real-valued arg; got " + cut(text) + source);
    }
    if (!in_range(std::strtod(text.c_str(), nullptr), option.range)) {
      throw Hmmer3UsageError("Option " + name + " takes real-valued arg in range " +
                             std::string(option.range) + "; got " + cut(text) + source);
    }
  }
}

class Parser {
 public:
  Parser(std::span<const Hmmer3Option> options, std::span<const std::string> words)
      : options_(options), words_(words) {}

  Hmmer3Arguments run() {
    read_environment();
    while (at_ < words_.size()) {
      const std::string& word = words_[at_];
      if (word.size() < 2 || word.front() != '-') break;
      ++at_;
      if (word == "--") break;
      word.starts_with("--") ? parse_long(word) : parse_short(word);
    }
    arguments_.positional.assign(words_.begin() + static_cast<std::ptrdiff_t>(at_), words_.end());
    check_conflicts();
    return std::move(arguments_);
  }

 private:
  void read_environment() {
    for (const Hmmer3Option& option : options_) {
      if (option.variable.empty()) continue;
      const char* const text = std::getenv(std::string(option.variable).c_str());
      if (text == nullptr) continue;
      try {
        check(option, text, " in env");
      } catch (const Hmmer3UsageError& error) {
        throw Hmmer3UsageError(std::string("Failed to process environment: ") + error.what());
      }
      arguments_.options.push_back({std::string(option.name), text});
      from_environment_.push_back(option.name);
    }
  }

  void parse_long(const std::string& word) {
    const std::size_t equals = word.find('=');
    const bool attached = equals != std::string::npos;
    const Hmmer3Option& option = find_long(word.substr(0, equals), word);
    if (option.value == Value::None) {
      if (attached) refuse("Option " + std::string(option.name) + " does not take an argument.");
      return set(option, "");
    }
    if (attached) return set(option, word.substr(equals + 1));
    if (at_ == words_.size()) refuse("Option " + std::string(option.name) + " requires an argument.");
    set(option, next_value(option, std::string(option.name) + "="));
  }

  // Letters can be joined; the last one may have its value attached.
  void parse_short(const std::string& word) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      const std::string name{'-', word[i]};
      const auto found = std::find_if(options_.begin(), options_.end(),
                                      [&name](const Hmmer3Option& option) { return option.name == name; });
      if (found == options_.end()) refuse("No such option \"" + name + "\".");
      if (found->value == Value::None) {
        set(*found, "");
        continue;
      }
      if (i + 1 < word.size()) return set(*found, word.substr(i + 1));
      if (at_ == words_.size()) refuse("Option " + name + " requires an argument");
      return set(*found, next_value(*found, name));
    }
  }

  std::string next_value(const Hmmer3Option& option, const std::string& joined) {
    const std::string& value = words_[at_++];
    if (option.value == Value::Text && value.size() > 1 && value.front() == '-') {
      refuse("Arg looks like option? Use " + joined + value + " if you really mean it.");
    }
    return value;
  }

  const Hmmer3Option& find_long(const std::string& name, const std::string& word) const {
    const Hmmer3Option* found = nullptr;
    for (const Hmmer3Option& option : options_) {
      if (option.name == name) return option;
      if (!option.name.starts_with(name)) continue;
      if (found != nullptr) refuse("Abbreviated option \"" + name + "\" is ambiguous.");
      found = &option;
    }
    if (found == nullptr) refuse("No such option \"" + cut(word) + "\".");
    return *found;
  }

  void set(const Hmmer3Option& option, const std::string& text) {
    const auto from_environment = std::find(from_environment_.begin(), from_environment_.end(), option.name);
    if (from_environment != from_environment_.end()) {
      from_environment_.erase(from_environment);
      std::erase_if(arguments_.options, [&option](const auto& given) { return given.name == option.name; });
    }
    if (arguments_.has(option.name))
      refuse("Option " + std::string(option.name) + " has already been set on cmdline.");
    try {
      check(option, text, " on cmdline");
    } catch (const Hmmer3UsageError& error) {
      refuse(error.what());
    }
    arguments_.options.push_back({std::string(option.name), text});
  }

  void check_conflicts() const {
    for (const Hmmer3Option& option : options_) {
      if (option.conflicts.empty() || !arguments_.has(option.name)) continue;
      for (std::string_view left = option.conflicts; !left.empty();) {
        const std::string_view other = left.substr(0, left.find(','));
        left.remove_prefix(std::min(other.size() + 1, left.size()));
        if (other == option.name || !arguments_.has(other)) continue;
        refuse("Option " + cut(option.name) + " is incompatible with option(s) " + cut(option.conflicts));
      }
    }
  }

  std::span<const Hmmer3Option> options_;
  std::span<const std::string> words_;
  Hmmer3Arguments arguments_;
  std::vector<std::string_view> from_environment_;  // options that the command line may still give
  std::size_t at_ = 0;
};

}  // namespace

const std::string* Hmmer3Arguments::find(std::string_view name) const {
  for (const hmmer3::GivenOption& option : options) {
    if (option.name == name) return &option.value;
  }
  return nullptr;
}

std::optional<double> Hmmer3Arguments::real(std::string_view name) const {
  const std::string* const value = find(name);
  return value == nullptr ? std::nullopt : std::optional(std::strtod(value->c_str(), nullptr));
}

std::optional<int> Hmmer3Arguments::integer(std::string_view name) const {
  const std::string* const value = find(name);
  return value == nullptr ? std::nullopt : std::optional(integer_of(*value));
}

std::optional<std::string> Hmmer3Arguments::text(std::string_view name) const {
  const std::string* const value = find(name);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

Hmmer3Arguments parse_hmmer3_arguments(std::span<const Hmmer3Option> options,
                                       std::span<const std::string> words) {
  return Parser(options, words).run();
}

}  // namespace gpuhmm::cli
