// Makes help texts from the table of subcommands.
#pragma once

#include <string>

#include "cli/command.hpp"

namespace gpuhmm::cli {

/// Help of the whole program.
std::string help_text();
/// Help of one subcommand.
std::string help_text(const Command& command);

/// The usage line: "gpuhmm search [options] PROFILES SEQUENCES".
std::string usage_line(const Command& command);
/// The description with its appendix.
std::string whole_description(const Command& command);
/// What the option does, with its default value.
std::string explained(const Option& option);

}  // namespace gpuhmm::cli
