// `gpuhmm help`; see the header.
#include "cli/command_help.hpp"

#include "cli/help.hpp"

namespace po = boost::program_options;

namespace gpuhmm::cli {

namespace {

po::options_description options() {
  po::options_description all("options");
  all.add_options()("man", "print the man page (roff)")("completion", "print the completion script for bash");
  return all;
}

int run(const Arguments& arguments) {
  if (arguments.options.count("man") > 0) {
    print(man_page());
  } else if (arguments.options.count("completion") > 0) {
    print(bash_completion());
  } else if (arguments.positional.empty()) {
    print(help_text());
  } else {
    const Command* command = find_command(arguments.positional[0]);
    if (command == nullptr) throw UsageError("there is no command '" + arguments.positional[0] + "'");
    print(help_text(*command));
  }
  return kDone;
}

}  // namespace

Command help_command() {
  return {"help",
          "[COMMAND]",
          "Tell what a command does and its options",
          "Without COMMAND, lists the commands.",
          "gpuhmm help search\ngpuhmm help --man | man -l -",
          options,
          run};
}

}  // namespace gpuhmm::cli
