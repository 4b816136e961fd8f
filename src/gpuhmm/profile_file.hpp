// Profile files: HMMER2 text and binary and HMMER3 text are read one profile after another, HMMER2's and
// GCG's formats are written (docs/spec/profile-format.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "gpuhmm/error.hpp"
#include "gpuhmm/input.hpp"
#include "gpuhmm/profile.hpp"

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
  /// The same from where `input` is. If `stop_at_hmmer3`, a HMMER3 profile after text profiles of HMMER2 ends
  /// the reading without an error (hmmer3_follows).
  explicit ProfileReader(std::unique_ptr<Input> input, bool stop_at_hmmer3 = false);
  ~ProfileReader();
  ProfileReader(ProfileReader&&) noexcept;
  ProfileReader& operator=(ProfileReader&&) noexcept;

  /// The next profile; nothing at the end of the file. Every profile has numbers a search can use. Throws
  /// FileError that names the file and the line (text) or the model number and byte offset (binary) if the
  /// next record is damaged, truncated or not a profile, or if its alphabet is not that of the profiles
  /// before it. Nothing can be read after an error.
  std::optional<Profile> next();

  /// Whether next() gave nothing because the next profile is one of HMMER3.
  bool hmmer3_follows() const;
  /// Hands on the input, which begins with the line at which next() gave nothing.
  std::unique_ptr<Input> release();

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

/// Writes one profile as HMMER2.0 text, byte for byte as HMMER 2.3.2 does (docs/spec/profile-format.md, 1.4).
/// `profile` must be complete. Errors are left in the stream's state.
void write_hmmer2_text(std::ostream& out, const Profile& profile);

/// Writes one profile as HMMER2.0 binary in little-endian byte order (docs/spec/profile-format.md, 1.5).
/// Padding, which HMMER 2.3.2 leaves undefined, is zero.
void write_hmmer2_binary(std::ostream& out, const Profile& profile);

/// GCG's own profiles, or those of Compugen's machines, which have gap penalties for both sequences.
enum class GcgKind { Plain, Extended };

/// Writes one profile. What GCG profiles cannot hold is lost: all but match scores and gap penalties. Errors
/// are left in the stream's state.
void write_gcg_profile(std::ostream& out, const Profile& profile, GcgKind kind);

/// The first profile of the file with the name `key`, or else the first with the accession `key`; nothing if
/// there is none. Uses the index of the file (profile_index.hpp), or reads the file from its start if there
/// is none. Throws FileError.
std::optional<Profile> find_profile(const std::string& path, const std::string& key);

/// The profile at place `number`, from 0, in the order of the names' bytes, as hmmfetch -n counts them;
/// nothing if there are not so many. Likewise.
std::optional<Profile> find_profile(const std::string& path, std::int64_t number);

}  // namespace gpuhmm
