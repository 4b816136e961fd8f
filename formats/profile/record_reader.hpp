// The interface of the readers of profile files, one for each kind.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "gpuhmm/input.hpp"
#include "gpuhmm/profile.hpp"
#include "gpuhmm/profile_file.hpp"

namespace gpuhmm {

/// Upper limit of a profile's length in nodes, so that a damaged length cannot allocate much memory.
inline constexpr int kLongestProfile = 100'000;

/// Reads the profiles of an open file of one kind. The input must outlive the reader.
class RecordReader {
 public:
  virtual ~RecordReader() = default;
  /// The next profile, with numbers that a search can use (profile_fault); nothing at the end of the file.
  /// Throws FileError.
  virtual std::optional<Profile> next() = 0;
  /// Bytes of the input up to the end of the profile read last.
  virtual std::uint64_t position() const = 0;
  /// A profile of the other version, HMMER2 or HMMER3, is to end the reading of text, and lines between
  /// profiles may be blank or comments; whether it did; and giving the line with which it begins, and all
  /// behind it, back to the input.
  virtual void stop_at_other() {}
  virtual bool other_follows() const { return false; }
  virtual void put_back() {}
  /// Writes the profile read last as HMMER2 text.
  virtual void write_text(std::ostream& out, const Profile& profile) const {
    write_hmmer2_text(out, profile);
  }
};

/// HMMER2.0 text.
std::unique_ptr<RecordReader> make_hmmer2_text_reader(Input& input);
/// HMMER2.0 binary, either byte order.
std::unique_ptr<RecordReader> make_hmmer2_binary_reader(Input& input);
/// HMMER3/a to HMMER3/f text.
std::unique_ptr<RecordReader> make_hmmer3_text_reader(Input& input);
/// Text in which profiles of both versions may follow one another; of `first`, HMMER2 or HMMER3 text, is the
/// first one.
std::unique_ptr<RecordReader> make_either_text_reader(ProfileFileKind first, Input& input);

}  // namespace gpuhmm
