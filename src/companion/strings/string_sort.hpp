// Sorting strings on the host: most significant digit first, a word of packed characters at a time.
#pragma once

#include "companion/strings/string_set.hpp"

namespace gpuhmm {

/// Sorts with `threads` threads. Every character up to the first that sets a string apart from all others is
/// packed once; what all strings of a group share is skipped without moving any.
SortedStrings sort_strings(const StringSet& set, unsigned threads);

}  // namespace gpuhmm
