// Which generation of HMMER a program's own name, such as hmmsearch, stands for: the folder decides.
#pragma once

#include <string>
#include <string_view>

namespace gpuhmm::cli {

/// Names of folders that decide.
inline constexpr std::string_view kHmmer2Folder = "hmmer2", kHmmer3Folder = "hmmer3";

/// "hmmer2" or "hmmer3": the nearest folder of that name above the executable called `path` (argv[0]), as in
/// bin/hmmer/hmmer2/2.3.2/hmmpfam. If there is none, follows the symbolic link and looks above its target.
/// Empty if no folder is found.
std::string generation_folder(const std::string& path);

}  // namespace gpuhmm::cli
