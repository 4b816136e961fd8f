// Steps that the readers of HMMER2 and HMMER3 text profiles share.
#pragma once

#include <string>
#include <string_view>

#include "formats/profile/text_lines.hpp"
#include "gpuhmm/profile.hpp"

namespace gpuhmm {

/// What messages call the record being read: "profile 'NAME'", or "the header of a profile" before its name
/// is known.
std::string record_name(const std::string& profile);

/// The value of a LENG line, 1 to kLongestProfile nodes. Throws FileError.
int parse_profile_length(const TextLines& lines, std::string_view word);

/// Throws FileError: the header of this profile has no line with this tag.
[[noreturn]] void fail_missing(const TextLines& lines, const std::string& profile, const char* tag);

/// Sizes the tables that are indexed by node, and the annotations that the header announces.
void size_tables(Profile& profile, bool rf, bool cs, bool map);

/// Renormalises a profile that was read. Throws FileError if its numbers cannot be used (profile_fault).
void finish(const TextLines& lines, Profile& profile);

}  // namespace gpuhmm
