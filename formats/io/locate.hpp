// Files looked for along a path of directories.
#pragma once

#include <string>

namespace gpuhmm {

/// Where HMMER 2.3.2 looks for a file: `path` itself, then `path` in each directory of the colon-separated
/// environment variable `variable` (HMMERDB for profiles, BLASTDB for hmmsearch's sequences). Gives the first
/// that exists, or `path` if none does; "-" is always itself.
std::string locate_file(const std::string& path, const char* variable);

}  // namespace gpuhmm
