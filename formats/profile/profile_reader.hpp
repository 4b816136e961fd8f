// Reads profile files of every supported kind, one profile after another (docs/spec/profile-format.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "formats/io/error.hpp"
#include "plan7/profile.hpp"

namespace gpuhmm {

/// Kinds of profile files. HMMER3 text (3/a to 3/f) is converted while reading, number by number as HMMER
/// 3.3.2's `hmmconvert -2` and then HMMER 2.3.2's reader do.
enum class ProfileFileKind { Hmmer2Text, Hmmer2Binary, Hmmer3Text };

/// The kind in words, for messages: "HMMER2 text", "HMMER2 binary", "HMMER3 text".
std::string_view name_of(ProfileFileKind kind);

/// The profiles of one file, plain or gzip, in file order. Text files come out renormalised, binary ones as
/// they are, like in HMMER 2.3.2. Not copyable.
class ProfileReader {
 public:
  /// Opens `path` ("-" is standard input) and detects its kind. Throws FileError: not to be opened, empty, or
  /// of an unsupported kind (the message says which program converts it).
  explicit ProfileReader(const std::string& path) : ProfileReader(path, 0) {}
  /// The same for the profiles from `offset` on, a byte of an uncompressed regular file at which a profile
  /// begins (see profile_index.hpp).
  ProfileReader(const std::string& path, std::uint64_t offset);
  ~ProfileReader();
  ProfileReader(ProfileReader&&) noexcept;
  ProfileReader& operator=(ProfileReader&&) noexcept;

  /// The next profile; nothing at the end of the file. Every profile has numbers a search can use. Throws
  /// FileError that names the file and the line (text) or the model number and byte offset (binary) if the
  /// next record is damaged, truncated or not a profile, or if its alphabet is not that of the profiles
  /// before it. Nothing can be read after an error.
  std::optional<Profile> next();

  /// Writes `profile`, the one that next() gave last, as HMMER2 text: byte for byte as HMMER 2.3.2 writes it,
  /// or, from a HMMER3 file, as HMMER 3.3.2's `hmmconvert -2` does. Errors are left in the stream's state.
  void write_text(std::ostream& out, const Profile& profile) const;

  /// The path as given, for messages; "standard input" for "-".
  const std::string& name() const;
  ProfileFileKind kind() const;
  /// Whether the file is gzipped.
  bool compressed() const;
  /// About which part of the file has been read, 0 to 1; nothing for standard input and pipes.
  std::optional<double> fraction_read() const;
  /// Bytes of the file up to the end of the profile read last: where the next one begins, perhaps behind
  /// blank lines. Nothing if the file is compressed, standard input or a pipe.
  std::optional<std::uint64_t> position() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// All profiles of a file, at least one. Throws as ProfileReader does.
std::vector<Profile> read_profiles(const std::string& path);

}  // namespace gpuhmm
