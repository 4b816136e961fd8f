// Profile files: reads HMMER2 text and binary and HMMER3 text one profile after another; writes HMMER2's and
// GCG's formats (docs/spec/profile-format.md).
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

/// Kinds of profile files. HMMER3 text (3/a to 3/f) is converted while reading, with the numbers that HMMER
/// 3.3.2's `hmmconvert -2` and then HMMER 2.3.2's reader give.
enum class ProfileFileKind { Hmmer2Text, Hmmer2Binary, Hmmer3Text };

/// Name of a kind, for messages: "HMMER2 text", "HMMER2 binary", "HMMER3 text".
std::string_view name_of(ProfileFileKind kind);

/// What a reader does at a text profile of the other version, HMMER2 or HMMER3, than those before it. Unless
/// it refuses it, lines between profiles may be blank or comments.
enum class OtherVersion {
  Refuse,
  Stop,  ///< it ends the reading without an error (ProfileReader::other_follows)
  Read
};

/// Reads the profiles of one file, plain or gzip, in file order. As in HMMER 2.3.2, text files are
/// renormalised and binary ones are not. Not copyable.
class ProfileReader {
 public:
  /// Opens `path` ("-" is standard input) and detects its kind. Throws FileError: cannot be opened, empty, or
  /// of an unsupported kind (the message names a program that converts it).
  explicit ProfileReader(const std::string& path) : ProfileReader(path, 0) {}
  /// The same from `offset` on, the byte of an uncompressed regular file at which a profile begins (see
  /// profile_index.hpp).
  ProfileReader(const std::string& path, std::uint64_t offset);
  /// The same from where `input` is.
  explicit ProfileReader(std::unique_ptr<Input> input, OtherVersion other = OtherVersion::Refuse);
  ~ProfileReader();
  ProfileReader(ProfileReader&&) noexcept;
  ProfileReader& operator=(ProfileReader&&) noexcept;

  /// Reads the next profile; nothing at the end of the file. All numbers are checked to be usable by a
  /// search. Throws FileError, with the file and the line (text) or the model number and byte offset
  /// (binary), if the next record is damaged, truncated or not a profile, or if its alphabet differs from
  /// that of the profiles before it. Do not read on after an error.
  std::optional<Profile> next();

  /// Whether next() returned nothing because the next profile is one of the other version.
  bool other_follows() const;
  /// Hands on the input, which begins with the line at which next() returned nothing. The reader cannot be
  /// used any more.
  std::unique_ptr<Input> release();

  /// Writes `profile`, the one that next() returned last, as HMMER2 text: byte for byte as HMMER 2.3.2 or,
  /// for a HMMER3 file, HMMER 3.3.2's `hmmconvert -2` writes it. Errors are left in the stream's state.
  void write_text(std::ostream& out, const Profile& profile) const;

  /// The path as given, for messages; "standard input" for "-".
  const std::string& name() const;
  /// The kind of the file, or of its first profile.
  ProfileFileKind kind() const;
  /// Whether the file is gzipped.
  bool compressed() const;
  /// The fraction of the file that has been read, roughly, 0 to 1; nothing for standard input and pipes.
  std::optional<double> fraction_read() const;
  /// Bytes of the file up to the end of the profile read last. The next one begins there, perhaps after blank
  /// lines. Nothing for compressed files, standard input and pipes.
  std::optional<std::uint64_t> position() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads all profiles of a file, at least one. Throws as ProfileReader does.
std::vector<Profile> read_profiles(const std::string& path);

/// Reads the same profiles as ProfileReader with several threads. Text is cut after lines that begin with
/// `//`, and the pieces are parsed at the same time; one thread reads binary files. Not copyable.
class ProfileBlocks {
 public:
  /// Opens `path` as ProfileReader does. Throws FileError.
  ProfileBlocks(const std::string& path, unsigned threads);
  /// Reads from where `input` is; `other` is Refuse or Read. Throws FileError.
  ProfileBlocks(std::unique_ptr<Input> input, unsigned threads, OtherVersion other = OtherVersion::Refuse);
  /// Gives profiles that were read before, without reading.
  explicit ProfileBlocks(std::shared_ptr<const std::vector<Profile>> profiles);
  ~ProfileBlocks();
  ProfileBlocks(ProfileBlocks&&) noexcept;
  ProfileBlocks& operator=(ProfileBlocks&&) noexcept;

  /// Reads the next profiles in file order, at least one and about `nodes` nodes in all; returns none at the
  /// end of the file. Throws FileError as ProfileReader::next does.
  std::vector<Profile> next(double nodes);

  /// The fraction of the file that has been read, roughly, 0 to 1; nothing for standard input and pipes.
  std::optional<double> fraction_read() const;

  struct State;

 private:
  std::unique_ptr<State> state_;
};

/// Writes one profile as HMMER2.0 text, byte for byte as HMMER 2.3.2 does (docs/spec/profile-format.md, 1.4).
/// `profile` must be complete. Errors are left in the stream's state.
void write_hmmer2_text(std::ostream& out, const Profile& profile);

/// Writes one profile as HMMER2.0 binary in little-endian byte order (docs/spec/profile-format.md, 1.5).
/// Padding, which HMMER 2.3.2 leaves undefined, is zero.
void write_hmmer2_binary(std::ostream& out, const Profile& profile);

/// GCG's own format, or the extended one of Compugen's machines, which has gap penalties for both sequences.
enum class GcgKind { Plain, Extended };

/// Writes one profile as a GCG profile, which keeps only match scores and gap penalties. Errors are left in
/// the stream's state.
void write_gcg_profile(std::ostream& out, const Profile& profile, GcgKind kind);

/// The first profile of the file with the name `key`, or else the first with the accession `key`; nothing if
/// there is none. Uses the index of the file (profile_index.hpp) if there is one, otherwise reads the file
/// from its start. Throws FileError.
std::optional<Profile> find_profile(const std::string& path, const std::string& key);

/// The profile at place `number`, from 0, when names are sorted bytewise, as hmmfetch -n counts; nothing if
/// there are not so many. Uses the index likewise.
std::optional<Profile> find_profile(const std::string& path, std::int64_t number);

}  // namespace gpuhmm
