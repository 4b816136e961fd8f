// The command line syntax of HMMER 2.3.2's programs (docs/spec/options.md, 8.1).
#pragma once

#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gpuhmm::cli {

/// A command line that the HMMER2 program would refuse: what() is its complaint.
class Hmmer2UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Hmmer2Value { None, Integer, Real, Text };

/// One option: "-E" or "--domE".
struct Hmmer2Option {
  std::string_view name;
  Hmmer2Value value = Hmmer2Value::None;
};

/// What a command line says.
struct Hmmer2Arguments {
  std::vector<std::string> positional;
  std::map<std::string, std::string, std::less<>>
      options;                     ///< value of each option given; the last one counts
  std::vector<std::string> order;  ///< names of the options as they came
  std::string command_line;        ///< as given, words separated by blanks: for command logs of profiles

  bool has(std::string_view name) const { return options.contains(name); }
  /// Values as C's atoi and atof give them, or `otherwise` if the option was not given.
  int integer(std::string_view name, int otherwise) const;
  double real(std::string_view name, double otherwise) const;
};

/// Parses a command line, the program's name in front: joined short options, values attached or as the next
/// word, long options cut short, the end of the options at the first other word, at "-" or after "--". Stops
/// at -h. Throws Hmmer2UsageError.
Hmmer2Arguments parse_hmmer2_arguments(std::span<const Hmmer2Option> options,
                                       std::span<const std::string> command);

/// True with --cpu 0: HMMER works without worker threads, and counts and reports otherwise.
bool hmmer2_serial(const Hmmer2Arguments& arguments);

/// Threads by --cpu, HMMER_NCPU or the number of processors, as HMMER2's programs have them; at least 1.
unsigned hmmer2_threads(const Hmmer2Arguments& arguments);

}  // namespace gpuhmm::cli
