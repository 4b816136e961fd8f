// A rival: multikey quicksort (Bentley and Sedgewick 1997), one thread.
#pragma once

#include <span>

namespace gpuhmm::experiment::sorting {

/// Sorts strings, which end with kStringEnd, by their bytes as unsigned numbers; a prefix comes before longer
/// strings.
void multikey_quicksort(std::span<const char*> strings);

}  // namespace gpuhmm::experiment::sorting
