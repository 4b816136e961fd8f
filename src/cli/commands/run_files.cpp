// Opens each output file once and commits all together.
#include "cli/commands/run_files.hpp"

#include <algorithm>

namespace gpuhmm::cli {

RunFiles::RunFiles() : RunFiles([](const std::string& path) { return std::make_unique<OutputFile>(path); }) {}

RunFiles::Opened RunFiles::open(const std::string& path) {
  const auto known = std::ranges::find(entries_, path, &Entry::path);
  if (known != entries_.end()) return {*known->file, true};
  return {*entries_.emplace_back(path, opener_(path)).file, false};
}

void RunFiles::commit() {
  for (const Entry& entry : entries_) entry.file->finish();
  for (const Entry& entry : entries_) entry.file->commit();
}

}  // namespace gpuhmm::cli
