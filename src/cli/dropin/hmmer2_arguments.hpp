// The command line syntax of HMMER 2.3.2's programs (docs/spec/options.md, 8.1).
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "cli/arguments.hpp"

namespace gpuhmm::cli {

/// A command line that the HMMER2 program would refuse: what() is its complaint.
class Hmmer2UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One option of a program of HMMER 2.
struct Hmmer2Option {
  std::string_view name;  ///< "-E" or "--domE"
  const Option* option;   ///< of the command, with the value's type; null for -h and --pvm
};

/// Parses a command line, the program's name in front: joined short options, values attached or as the next
/// word, long options cut short, the end of the options at the first other word, at "-" or after "--".
/// Numbers are what C's atoi and atof read. Stops at -h, which becomes the option "help"; --pvm becomes
/// "pvm". `table`, of the command, holds the options. Throws Hmmer2UsageError.
Arguments parse_hmmer2_arguments(const OptionTable& table, std::span<const Hmmer2Option> options,
                                 std::span<const std::string> command);

}  // namespace gpuhmm::cli
