// Man pages; see the header.
#include "cli/man_pages.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "cli/help.hpp"

namespace gpuhmm::cli {

namespace {

// The drop-in names of a program, but for its own, which HMMER 3 may have a page for.
std::vector<std::string> pages_of(const Personality& program) {
  std::vector<std::string> names = names_of(program);
  std::erase(names, program.program);
  return names;
}

constexpr std::string_view kExitStatus =
    ".SH EXIT STATUS\n0 done, 1 failed while running, 2 wrong usage, 3 no usable device.\n";

// Escapes text for roff, so that it is shown as it is and can be copied into a shell.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '\\':
        escaped += "\\e";
        break;
      case '-':
        escaped += "\\-";
        break;
      case '\'':
        escaped += "\\(aq";
        break;
      case '`':
        escaped += "\\(ga";
        break;
      case '^':
        escaped += "\\(ha";
        break;
      case '~':
        escaped += "\\(ti";
        break;
      default:
        escaped += c;
    }
  }
  if (escaped.starts_with('.')) escaped.insert(0, "\\&");
  return escaped;
}

std::string roff_paragraphs(const std::string& text) {
  std::istringstream lines(text);
  std::string page;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) {
      page += ".PP\n";
    } else if (line.starts_with(' ')) {
      page += ".IP \\(bu 2\n" + roff(line.substr(1)) + "\n";
    } else {
      page += roff(line) + "\n";
    }
  }
  return page;
}

// Lines shown as they are, indented.
std::string verbatim(const std::string& text) {
  std::istringstream lines(text);
  std::string page = ".PP\n.nf\n.RS 4\n";
  for (std::string line; std::getline(lines, line);) page += (line.empty() ? "\\&" : roff(line)) + "\n";
  return page + ".RE\n.fi\n";
}

std::string upper(std::string_view text) {
  std::string raised(text);
  for (char& c : raised) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return raised;
}

std::string head(const std::string& name) {
  const std::string version = version_line();
  return ".TH " + roff(upper(name)) + " 1 \"\" \"" + roff(version.substr(0, version.find(" ("))) +
         "\" \"User Commands\"\n.nh\n";
}

std::string option_line(const Option& option) {
  std::string line = option.letter == '\0' ? "" : std::string("\\fB\\-") + option.letter + "\\fR, ";
  line += "\\fB" + roff("--" + option.name) + "\\fR";
  if (!option.placeholder.empty()) line += " \\fI" + roff(option.placeholder) + "\\fR";
  return ".TP\n" + line + "\n" + roff(explained(option)) + "\n";
}

// First letter in lower case, as NAME sections have it, unless the word is a name.
std::string lower_first(std::string text) {
  const bool word = text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])) != 0;
  if (word) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

std::string page_of(const Command& command) { return std::string("gpuhmm-") + command.name; }

// What the lines of a usage text say: "   -A <n>    : at most <n> alignments".
std::string usage_options(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string page;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos) continue;
    const std::size_t colon = line.find(':');
    if (line[begin] != '-' || colon == std::string::npos) {
      page += roff(line.substr(begin)) + "\n";  // goes on with the option before
      continue;
    }
    std::istringstream words(line.substr(begin, colon - begin));
    std::string name, operand;
    words >> name >> operand;
    page += ".TP\n\\fB" + roff(name) + "\\fR" + (operand.empty() ? "" : " \\fI" + roff(operand) + "\\fR") +
            "\n" + roff(line.substr(line.find_first_not_of(' ', colon + 1))) + "\n";
  }
  return page;
}

}  // namespace

std::string man_page() {
  std::string page =
      head("gpuhmm") +
      ".SH NAME\ngpuhmm \\- profile\\-HMM search with the answers of HMMER 2.3.2\n"
      ".SH SYNOPSIS\n.B gpuhmm\n\\fICOMMAND\\fR [\\fIoptions\\fR] ...\n"
      ".SH DESCRIPTION\ngpuhmm searches sequence databases with profile HMMs and gives exactly the\n"
      "answers of HMMER 2.3.2. Each command has a page of its own.\n.SH COMMANDS\n";
  for (const Command& command : commands()) {
    page += ".TP\n.BR " + roff(page_of(command)) + " (1)\n" + roff(command.summary) + "\n";
  }
  page += std::string(kExitStatus);
  page += ".SH SEE ALSO\n";
  std::string others;
  for (const Personality* program : personalities()) {
    for (const std::string& name : pages_of(*program)) {
      others += (others.empty() ? ".BR " : " ,\n.BR ") + roff(name) + " (1)";
    }
  }
  return page + others + "\n";
}

std::string man_page(const Command& command) {
  std::istringstream words(command.positional);
  std::string arguments;
  for (std::string word; words >> word;) arguments += " \\fI" + roff(word) + "\\fR";
  std::string page = head(page_of(command)) + ".SH NAME\n" + roff(page_of(command)) + " \\- " +
                     roff(lower_first(command.summary)) + "\n.SH SYNOPSIS\n.B gpuhmm " + roff(command.name) +
                     "\n[\\fIoptions\\fR]" + arguments + "\n.SH DESCRIPTION\n" +
                     roff_paragraphs(whole_description(command)) + ".SH OPTIONS\n";
  const OptionTable options = command.options();
  for (const OptionGroup& group : options.groups()) {
    if (options.groups().size() > 1) page += ".SS " + roff(group.title) + "\n";
    for (const Option& option : group.options) page += option_line(option);
  }
  if (command.examples[0] != '\0') page += ".SH EXAMPLES\n" + verbatim(examples_of(command));
  return page + std::string(kExitStatus) + ".SH SEE ALSO\n.BR gpuhmm (1)\n";
}

std::string man_page(const Personality& program, std::string_view called,
                     const std::vector<std::string>& names) {
  std::string list = roff(called);
  for (const std::string& name : names) list += name == called ? "" : ", " + roff(name);
  const std::string_view title = program.title.substr(program.title.find(' '));
  const std::string what(title.substr(title.find_first_not_of(" -")));
  return head(std::string(called)) + ".SH NAME\n" + list + " \\- " + roff(what) + "\n.SH SYNOPSIS\n.B " +
         roff(called) + "\n[\\fIoptions\\fR] " + roff(program.positional) + "\n.SH DESCRIPTION\n" +
         "This is gpuhmm with the options and the answers of " + roff(program.program) +
         " of HMMER 2.3.2.\nOn any error it writes a line that begins with FATAL and ends with exit code 1.\n"
         ".SH OPTIONS\n" +
         usage_options(program.common) + usage_options(program.expert) +
         ".SH EXIT STATUS\n0 done, 1 any error.\n.SH SEE ALSO\n.BR gpuhmm (1)\n";
}

std::vector<ManPage> all_man_pages() {
  std::vector<ManPage> pages = {{"gpuhmm.1", man_page()}};
  for (const Command& command : commands()) pages.push_back({page_of(command) + ".1", man_page(command)});
  for (const Personality* program : personalities()) {
    const std::vector<std::string> names = pages_of(*program);
    for (const std::string& name : names) {
      pages.push_back({name + ".1", man_page(*program, name, names)});
    }
  }
  return pages;
}

}  // namespace gpuhmm::cli
