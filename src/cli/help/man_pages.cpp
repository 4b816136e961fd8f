// Writes man pages in roff.
#include "cli/help/man_pages.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "cli/help/help.hpp"

namespace gpuhmm::cli {

namespace {

// The drop-in names of a program that get a man page. HMMER's own name (hmmsearch) does not: HMMER's packages
// have that page.
std::vector<std::string> pages_of(const DropIn& program) {
  std::vector<std::string> names = names_of(program);
  std::erase(names, program.program);
  return names;
}

constexpr std::string_view kExitStatus = R"(.SH EXIT STATUS
0 done, 1 failed while running, 2 wrong usage, 3 no usable device.
)";

// Escapes text for roff, so that it is shown unchanged and can be copied into a shell.
std::string roff(std::string_view text) {
  constexpr std::pair<char, std::string_view> kEscapes[] = {{'\\', "\\e"},  {'-', "\\-"},   {'\'', "\\(aq"},
                                                            {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}};
  std::string escaped;
  for (const char c : text) {
    const auto* const known = std::ranges::find(kEscapes, c, &std::pair<char, std::string_view>::first);
    escaped += known == std::end(kEscapes) ? std::string_view(&c, 1) : known->second;
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

// Indented lines that are not filled.
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

// First letter in lower case, as in NAME sections, unless the first word is an acronym.
std::string lower_first(std::string text) {
  const bool word = text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])) != 0;
  if (word) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

std::string page_of(const Command& command) { return "gpuhmm-" + command.name; }

std::string option_entry(const DescribedOption& option) {
  std::string page = ".TP\n\\fB" + roff(option.name) + "\\fR";
  if (!option.operand.empty()) page += " \\fI" + roff(option.operand) + "\\fR";
  for (const std::string_view line : option.lines) page += "\n" + roff(line);
  return page + "\n";
}

}  // namespace

std::string man_page() {
  std::string page = head("gpuhmm") + R"(.SH NAME
gpuhmm \- profile\-HMM search with the answers of HMMER 2.3.2 and HMMER 3.3.2
.SH SYNOPSIS
.B gpuhmm
\fICOMMAND\fR [\fIoptions\fR] ...
.SH DESCRIPTION
gpuhmm searches sequence databases with profile HMMs and gives exactly the
answers of HMMER 2.3.2 and, with HMMER3 profiles, of HMMER 3.3.2. Each command
has a page of its own.
.SH COMMANDS
)";
  for (const Command& command : commands()) {
    page += ".TP\n.BR " + roff(page_of(command)) + " (1)\n" + roff(command.summary) + "\n";
  }
  page += std::string(kExitStatus);
  page += ".SH SEE ALSO\n";
  std::string others;
  for (const DropIn& program : drop_ins()) {
    for (const std::string& name : pages_of(program)) {
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
  return page + ".SH EXAMPLES\n" + verbatim(command.examples) + std::string(kExitStatus) +
         ".SH SEE ALSO\n.BR gpuhmm (1)\n";
}

std::string man_page(const DropIn& program, std::string_view called, const std::vector<std::string>& names) {
  std::string list = roff(called);
  for (const std::string& name : names) list += name == called ? "" : ", " + roff(name);
  const std::string_view title = program.title.substr(program.title.find(' '));
  std::string page = head(std::string(called)) + ".SH NAME\n" + list + " \\- " +
                     roff(title.substr(title.find_first_not_of(" -"))) + "\n.SH SYNOPSIS\n.B " +
                     roff(called) + "\n[\\fIoptions\\fR] " + roff(program.positional) +
                     "\n.SH DESCRIPTION\nThis is gpuhmm with the options and the answers of " +
                     roff(program.program) + R"( of HMMER 2.3.2.
On any error it writes a line that begins with FATAL and ends with exit code 1.
.SH OPTIONS
)";
  for (const DescribedOption& option : described_options(program)) page += option_entry(option);
  return page + R"(.SH EXIT STATUS
0 done, 1 any error.
.SH SEE ALSO
.BR gpuhmm (1)
)";
}

std::vector<ManPage> all_man_pages() {
  std::vector<ManPage> pages = {{"gpuhmm.1", man_page()}};
  for (const Command& command : commands()) pages.push_back({page_of(command) + ".1", man_page(command)});
  for (const DropIn& program : drop_ins()) {
    const std::vector<std::string> names = pages_of(program);
    for (const std::string& name : names) pages.push_back({name + ".1", man_page(program, name, names)});
  }
  return pages;
}

}  // namespace gpuhmm::cli
