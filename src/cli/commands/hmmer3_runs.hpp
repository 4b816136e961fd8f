// What the drop-in programs of HMMER3 do.
#pragma once

#include <string>
#include <string_view>

#include "cli/dropin/hmmer3_arguments.hpp"

namespace gpuhmm::cli {

/// Options of hmmsearch that its help does not list and gpuhmm does not have; they count for abbreviations.
inline constexpr std::string_view kHmmer3Unsupported[] = {"--restrictdb_stkey", "--restrictdb_n",
                                                          "--ssifile"};

/// `called`: the program's name as it was called. All throw what search(), scan() and press() throw.
void run_hmmsearch(const Hmmer3Arguments& arguments, const std::string& called);
void run_hmmscan(const Hmmer3Arguments& arguments, const std::string& called);
void run_hmmpress(const Hmmer3Arguments& arguments, const std::string& called);

}  // namespace gpuhmm::cli
