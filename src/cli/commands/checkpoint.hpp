// The folder of --checkpoint: the pieces of a run that are done.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpuhmm/parts.hpp"

namespace gpuhmm::cli {

/// A folder with one part for each piece. While this lives, no other process can use the folder.
class Checkpoint {
 public:
  /// A piece that a run which was ended has begun to write.
  struct Unfinished {
    RecordRange sequences;
    QueryPlace next;   ///< the first result that is not there
    std::string path;  ///< of its file, cut behind its last whole record
  };

  /// Opens the folder, or makes it. `header` is that of all pieces, but for their sequences. Throws FileError
  /// if the folder holds anything else, is in use, or is of another run: of other inputs or options.
  Checkpoint(std::string folder, PartHeader header);
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  const std::string& folder() const { return folder_; }
  /// The pieces that were there, done.
  const std::vector<RecordRange>& done() const { return done_; }
  const std::optional<Unfinished>& unfinished() const { return unfinished_; }
  /// Forgets the piece that is not finished: it will be done anew.
  void drop_unfinished();

  /// The header of a piece.
  PartHeader header_of(const RecordRange& sequences) const;
  /// The file of a piece.
  std::string path_of(const RecordRange& sequences) const;
  /// Writes a piece that is done; `records` is what stands behind the header of its part.
  void store(const RecordRange& sequences, std::string_view records);

  /// The files of all pieces in the order of their sequences.
  std::vector<std::string> parts() const;
  /// Removes the folder with all pieces.
  void remove();

 private:
  // A lock file that no other process holds.
  class Lock {
   public:
    Lock() = default;
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    ~Lock();
    // Throws FileError.
    void take(const std::string& folder);

   private:
    int file_ = -1;
  };

  void take_up(const std::string& path);

  std::string folder_;
  PartHeader header_;
  Lock lock_;
  std::vector<RecordRange> done_;
  std::optional<Unfinished> unfinished_;
};

}  // namespace gpuhmm::cli
