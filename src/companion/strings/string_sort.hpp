// Sorting strings on the host: most significant digit first, a word of packed characters at a time.
#pragma once

#include "companion/strings/string_set.hpp"

namespace gpuhmm {

/// Sorts with `threads` threads. Characters are packed once, up to the first that distinguishes a string from
/// all others; characters that all strings of a group share are skipped without moving a string.
SortedStrings sort_strings(const StringSet& set, unsigned threads);

}  // namespace gpuhmm
