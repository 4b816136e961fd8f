// What the drop-in programs of HMMER3 do.
#pragma once

#include <string>

#include "cli/dropin/hmmer3_arguments.hpp"

namespace gpuhmm::cli {

/// `called`: the program's name as it was called. All throw what search(), scan() and press() throw.
void run_hmmsearch(const Hmmer3Arguments& arguments, const std::string& called);
void run_hmmscan(const Hmmer3Arguments& arguments, const std::string& called);
void run_hmmpress(const Hmmer3Arguments& arguments, const std::string& called);

}  // namespace gpuhmm::cli
