// The output files of a run that has several sections: each section writes behind the one before it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpuhmm/output.hpp"

namespace gpuhmm::cli {

/// All output files of a run.
class RunFiles {
 public:
  /// Makes the file for a path that the user gave. Throws FileError.
  using Opener = std::function<std::unique_ptr<OutputFile>(const std::string& path)>;

  /// Files of the file system.
  RunFiles();
  explicit RunFiles(Opener opener) : opener_(std::move(opener)) {}

  /// One of the files, as a section of the run sees it.
  struct Opened {
    OutputFile& file;
    bool continued;  ///< an earlier section has opened it
  };
  /// Opens the file, unless an earlier section has. Throws FileError.
  Opened open(const std::string& path);
  /// Writes all files to the end, then puts all in place. Throws FileError or ClosedPipe.
  void commit();

 private:
  struct Entry {
    std::string path;
    std::unique_ptr<OutputFile> file;
  };
  Opener opener_;
  std::vector<Entry> entries_;  // in the order in which they were opened
};

}  // namespace gpuhmm::cli
