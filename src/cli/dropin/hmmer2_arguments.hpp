// The command line syntax of HMMER 2.3.2's programs (docs/spec/options.md, 8.1).
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "cli/arguments.hpp"

namespace gpuhmm::cli {

/// A command line that the HMMER2 program would refuse. what() is its error message.
class Hmmer2UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One option of a HMMER 2 program.
struct Hmmer2Option {
  std::string_view name;  ///< "-E" or "--domE"
  const Option* option;   ///< the gpuhmm command's option, which has the value's type; null for -h and --pvm
  bool whole = false;     ///< the program takes whole numbers only, where the command takes any
};

/// Parses `command`, whose first word is the program's name. Short options can be joined, long options
/// abbreviated, and a value can be attached or be the next word. Options end at the first other word, at "-"
/// or after "--". Numbers are what C's atoi and atof read. Parsing stops at -h, which becomes the option
/// "help"; --pvm becomes "pvm". `table` has the gpuhmm command's options. Throws Hmmer2UsageError.
Arguments parse_hmmer2_arguments(const OptionTable& table, std::span<const Hmmer2Option> options,
                                 std::span<const std::string> command);

}  // namespace gpuhmm::cli
