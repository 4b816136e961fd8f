// `gpuhmm help`: shows help, man pages and completion scripts.
#include "cli/help/help.hpp"

#include <filesystem>

#include "cli/commands.hpp"
#include "cli/help/completion.hpp"
#include "cli/help/man_pages.hpp"
#include "cli/options.hpp"
#include "gpuhmm/output.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kHelp = R"(help [COMMAND]
Show what a command does and its options

Without COMMAND, lists the commands. With --man, COMMAND may also be a drop-in
name, such as hmm2search. With --completion, COMMAND is a shell: bash (the
default), zsh or fish.

examples:
gpuhmm help search
gpuhmm help --man search | man -l -
gpuhmm help --completion bash > gpuhmm.bash)";

OptionTable options() {
  OptionTable all("options");
  all.add("man", "print the man page (roff)");
  all.add("completion", "print the completion script for a shell");
  all.add("files", file("DIR"), "write all man pages and completion scripts to the folder DIR, for packages");
  return all;
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);  // OutputFile reports errors
  OutputFile file(path.string());
  file.write(text);
  file.commit();
}

void write_files(const std::filesystem::path& folder) {
  for (const ManPage& page : all_man_pages()) write_file(folder / "man/man1" / page.file, page.text);
  for (const ShellCompletion& shell : shell_completions()) write_file(folder / shell.path, shell.script());
}

std::string page_named(const std::string& topic) {
  for (const ManPage& page : all_man_pages()) {
    if (page.file == topic + ".1") return page.text;
  }
  return man_page(find_command(topic));
}

std::string completion_for(const std::string& name) {
  for (const ShellCompletion& shell : shell_completions()) {
    if (shell.shell == name) return shell.script();
  }
  throw UsageError("there is no completion for '" + name + "'; expected bash, zsh or fish");
}

void run(const Arguments& arguments) {
  const std::string topic = arguments.positional.empty() ? "" : arguments.positional[0];
  if (const std::optional<std::string> folder = arguments.text("files")) {
    write_files(*folder);
  } else if (arguments.has("man")) {
    print(topic.empty() ? man_page() : page_named(topic));
  } else if (arguments.has("completion")) {
    print(completion_for(topic.empty() ? "bash" : topic));
  } else {
    print(topic.empty() ? help_text() : help_text(find_command(topic)));
  }
}

}  // namespace

Command help_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
