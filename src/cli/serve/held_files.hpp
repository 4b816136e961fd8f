// The databases and libraries that a server keeps open and parsed.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/commands/run_context.hpp"
#include "cli/commands/run_exchange.hpp"
#include "gpuhmm/engine.hpp"

namespace gpuhmm::cli {

/// What a held file is.
enum class HeldKind { Profiles, PressedLibrary, Sequences, Database };
/// "profiles", "pressed library", "sequences", "database".
const char* name_of(HeldKind kind);

/// A file that was opened at the start.
struct OpenedFile {
  std::string given;  ///< as the user named it
  HeldKind kind;
  HeldFile file;
  std::shared_ptr<const HeldInput> input;       ///< null: a pressed library, to be read from its path
  std::unique_ptr<ResidentSequences> resident;  ///< of `input`
};

/// Files that do not change. Any thread may call.
class HeldFiles {
 public:
  /// Reads, checks and prepares the files with `threads` threads; sequences for `engines`, which must outlive
  /// this. Throws FileError.
  HeldFiles(const std::vector<std::string>& paths, const EnginePool& engines, unsigned threads);

  /// The file called `name`: its full path, or its name in its folder if no other has the same. Null if there
  /// is none.
  const OpenedFile* find(const std::string& name) const;
  std::span<const OpenedFile> all() const { return files_; }

 private:
  std::vector<OpenedFile> files_;
};

}  // namespace gpuhmm::cli
