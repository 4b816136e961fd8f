// Reads the profiles of a file many at a time, text with several threads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formats/io/error.hpp"
#include "plan7/profile.hpp"

namespace gpuhmm {

/// The same profiles as a ProfileReader gives. The text of a file is cut behind lines that begin with `//`,
/// and the pieces are parsed at the same time. Binary files are read by one thread. Not copyable.
class ProfileBlocks {
 public:
  /// Opens `path` as ProfileReader does. Throws FileError.
  ProfileBlocks(const std::string& path, unsigned threads);
  ~ProfileBlocks();
  ProfileBlocks(ProfileBlocks&&) noexcept;
  ProfileBlocks& operator=(ProfileBlocks&&) noexcept;

  /// The next profiles in file order, of about `nodes` nodes together and at least one; none at the end of
  /// the file. Throws FileError as ProfileReader::next does.
  std::vector<Profile> next(double nodes);

  /// About which part of the file has been read, 0 to 1; nothing for standard input and pipes.
  std::optional<double> fraction_read() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gpuhmm
