// Lays out help for a terminal.
#include "cli/help/help.hpp"

#include <algorithm>
#include <sstream>

#include "cli/help/text_layout.hpp"

namespace gpuhmm::cli {

namespace {

// Indents options without a letter, so that all long names begin in the same column.
std::string aligned(const Option& option) { return (option.letter == '\0' ? "    " : "") + option.shown(); }

std::string group_text(const OptionGroup& group) {
  constexpr std::size_t kWidest = 26;  // the text of wider options begins on the next line
  constexpr std::size_t kMargins = 4;
  std::size_t width = 0;
  for (const Option& option : group.options) {
    const std::size_t size = aligned(option).size();
    if (size <= kWidest) width = std::max(width, size);
  }
  std::string text = "\n" + group.title + ":\n";
  for (const Option& option : group.options) {
    text += two_columns(aligned(option), explained(option), width + kMargins);
  }
  return text;
}

}  // namespace

std::string usage_line(const Command& command) {
  return "gpuhmm " + command.name + " [options]" +
         (command.positional.empty() ? "" : " " + command.positional);
}

std::string whole_description(const Command& command) {
  return command.description + (command.appendix == nullptr ? "" : "\n\n" + command.appendix());
}

std::string explained(const Option& option) {
  const bool stated = option.standard.empty() || option.text.find("default") != std::string::npos;
  return stated ? option.text : option.text + " (default " + option.standard + ")";
}

std::string help_text() {
  constexpr std::size_t kSummaries = 14;
  std::string text = version_line() + R"(
Profile-HMM search with the answers of HMMER 2.3.2 and HMMER 3.3.2.

usage: gpuhmm COMMAND [options] ...

commands:
)";
  for (const Command& command : commands()) text += two_columns(command.name, command.summary, kSummaries);
  return text + R"(
`gpuhmm help COMMAND` or `gpuhmm COMMAND --help` shows a command's options.
exit codes: 0 done, 1 failed while running, 2 wrong usage, 3 no usable device
)";
}

std::string help_text(const Command& command) {
  std::string text = "usage: " + usage_line(command) + "\n\n" + wrapped(command.summary, 0, "") + "\n" +
                     wrapped_paragraphs(whole_description(command));
  const OptionTable options = command.options();
  for (const OptionGroup& group : options.groups()) text += group_text(group);
  text += "\nexamples:\n";
  std::istringstream examples(command.examples);
  for (std::string line; std::getline(examples, line);) text += "  " + line + "\n";
  return text;
}

}  // namespace gpuhmm::cli
