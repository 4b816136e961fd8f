// Binary profiles of HMMER3, as in its .h3m files (docs/spec/hmmer3/hmmscan.md, 3).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "formats/profile/record_bytes.hpp"
#include "gpuhmm/hmmer3_profile.hpp"

namespace gpuhmm {

/// The format, 'a' to 'f', of the binary HMMER3 profile that `head`, four bytes or more, starts.
std::optional<char> hmmer3_binary_version(std::string_view head);

/// Number of a HMMER3 alphabet in binary files.
std::int32_t hmmer3_alphabet_number(AlphabetKind alphabet);
/// The alphabet of a number; nothing for other numbers.
std::optional<AlphabetKind> hmmer3_alphabet_of(std::int32_t number);

/// Little-endian numbers and strings in the order in which they are added.
class Hmmer3Bytes {
 public:
  Hmmer3Bytes& word(std::uint32_t value) { return number(value, 4); }
  Hmmer3Bytes& integer(std::int32_t value) { return number(static_cast<std::uint32_t>(value), 4); }
  Hmmer3Bytes& real(float value);
  Hmmer3Bytes& number(std::uint64_t value, std::size_t size);
  /// The bytes and a zero.
  Hmmer3Bytes& text(std::string_view value);
  Hmmer3Bytes& statistics(const hmmer3::Statistics& statistics);
  Hmmer3Bytes& cutoffs(const hmmer3::Profile& profile);
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// One profile in the format 3/f.
std::string hmmer3_binary(const hmmer3::Profile& profile);

/// Reads the profiles of a file one after another; all have the format version of the first one.
class Hmmer3BinaryParser {
 public:
  explicit Hmmer3BinaryParser(Input& input) : bytes_(input) {}
  /// The next profile; nothing at the end of the file, which may have up to three other bytes. Throws
  /// FileError.
  std::optional<hmmer3::Profile> next();
  /// Bytes of the file up to the end of the profile read last.
  std::uint64_t position() const { return bytes_.consumed(); }

 private:
  std::uint32_t word();
  std::int32_t integer();
  float real();
  void reals(float* values, std::size_t count);
  std::optional<std::string> text(const char* what);
  std::string annotation(int nodes, bool present);
  void read_sizes(hmmer3::Profile& profile);
  void read_annotation(hmmer3::Profile& profile, std::uint32_t flags);
  void read_provenance(hmmer3::Profile& profile, std::uint32_t flags);
  void read_scores(hmmer3::Profile& profile, std::uint32_t flags);

  RecordBytes bytes_;
  char version_ = '\0';
};

}  // namespace gpuhmm
