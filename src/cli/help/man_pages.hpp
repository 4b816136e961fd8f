// Man pages in roff, made from the tables of subcommands and of drop-in names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "cli/dropin/dropin.hpp"

namespace gpuhmm::cli {

/// gpuhmm(1): the commands and what they have in common.
std::string man_page();
/// gpuhmm-search(1) and so on.
std::string man_page(const Command& command);
/// The page of a program of HMMER 2 under the drop-in name `called`; `names` are all that it has.
std::string man_page(const DropIn& program, std::string_view called, const std::vector<std::string>& names);

/// A page and the name of its file: "gpuhmm-search.1".
struct ManPage {
  std::string file;
  std::string text;
};
/// All pages: the program, its commands, the drop-in names. A program's own name (hmmsearch) has none: the
/// packages of HMMER have one.
std::vector<ManPage> all_man_pages();

}  // namespace gpuhmm::cli
