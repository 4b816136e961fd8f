// The command line syntax of HMMER 3.3.2's programs (docs/spec/hmmer3/reports.md, 9).
#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "gpuhmm/hmmer3_report.hpp"

namespace gpuhmm::cli {

/// A command line that the program refuses. what() is the line that it prints before its usage.
class Hmmer3UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One option of a HMMER3 program.
struct Hmmer3Option {
  enum class Value { None, Integer, Real, Text };

  std::string_view name;  ///< "-E" or "--domE"
  Value value = Value::None;
  std::string_view range = {};      ///< "x>0", "n>=120"; empty: any
  std::string_view conflicts = {};  ///< options that cannot be given with it, separated by commas
  std::string_view variable = {};   ///< of the environment that may give it
  bool supported = true;            ///< false: refused, but known, for its abbreviations
};

/// A parsed command line.
struct Hmmer3Arguments {
  std::vector<hmmer3::GivenOption> options;
  std::vector<std::string> positional;

  bool has(std::string_view name) const { return find(name) != nullptr; }
  /// The value as given; null if the option was not given.
  const std::string* find(std::string_view name) const;
  std::optional<double> real(std::string_view name) const;
  std::optional<int> integer(std::string_view name) const;
  std::optional<std::string> text(std::string_view name) const;
};

/// Parses `words`, without the program's name. Options come before the arguments; long ones can be
/// abbreviated. Throws Hmmer3UsageError.
Hmmer3Arguments parse_hmmer3_arguments(std::span<const Hmmer3Option> options,
                                       std::span<const std::string> words);

}  // namespace gpuhmm::cli
