// Makes man pages from the tables of subcommands and of drop-in names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "cli/dropin/dropin.hpp"

namespace gpuhmm::cli {

/// gpuhmm(1), which lists the commands.
std::string man_page();
/// The page of a command: gpuhmm-search(1).
std::string man_page(const Command& command);
/// The page of a HMMER 2 program for the drop-in name `called`, one of `names`, all of which the page lists.
std::string man_page(const DropIn& program, std::string_view called, const std::vector<std::string>& names);

/// A page and its file name: "gpuhmm-search.1".
struct ManPage {
  std::string file;
  std::string text;
};
/// The pages of the program, its commands and its drop-in names, except HMMER's own names (hmmsearch):
/// HMMER's packages have those pages.
std::vector<ManPage> all_man_pages();

}  // namespace gpuhmm::cli
