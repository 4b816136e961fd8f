// A rival: multikey quicksort (Bentley and Sedgewick 1997), one thread.
#pragma once

#include <span>

namespace gpuhmm::experiment::sorting {

/// Sorts strings that kStringEnd ends, by their bytes (unsigned; a string comes before those it begins).
void multikey_quicksort(std::span<const char*> strings);

}  // namespace gpuhmm::experiment::sorting
