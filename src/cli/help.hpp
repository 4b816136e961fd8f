// Help, man pages and shell completion, all made from the table of subcommands.
#pragma once

#include <string>

#include "cli/command.hpp"

namespace gpuhmm::cli {

/// Help of the whole program.
std::string help_text();
/// Help of one subcommand.
std::string help_text(const Command& command);
/// Man page in roff: gpuhmm(1).
std::string man_page();
/// Completion script for bash.
std::string bash_completion();

}  // namespace gpuhmm::cli
