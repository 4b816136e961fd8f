// HMMER3's profile files as HMMER 3.3.2 reads them: text of the formats 3/a to 3/f, binary files and pressed
// databases (docs/spec/hmmer3/profile-and-configuration.md, 2; hmmscan.md, 2 and 3). profile_file.hpp
// converts the same text to HMMER2.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "gpuhmm/error.hpp"
#include "gpuhmm/hmmer3_profile.hpp"
#include "gpuhmm/input.hpp"

namespace gpuhmm::hmmer3 {

/// The program whose profiles a file holds.
enum class Generation { Hmmer2, Hmmer3 };

/// The generation of the profile that `input` is at the start of, text or binary; nothing is consumed, so
/// that a reader can be given the input. Throws ProfileFileError if it is no profile of either.
Generation generation_of(Input& input);

/// What is wrong with a file of HMMER3 profiles, also in HMMER 3.3.2's words.
class ProfileFileError : public FileError {
 public:
  /// `aborts`: HMMER3 ends itself by SIGABRT.
  ProfileFileError(const std::string& what, std::string hmmer3_text, bool aborts = false)
      : FileError(what), hmmer3_text_(std::move(hmmer3_text)), aborts_(aborts) {}
  /// What hmmsearch, hmmscan or hmmpress say behind `Error: `, with all its line ends but the last one.
  const std::string& hmmer3_text() const { return hmmer3_text_; }
  bool aborts() const { return aborts_; }

 private:
  std::string hmmer3_text_;
  bool aborts_;
};

/// How a reader treats its file.
struct ReadingOptions {
  /// Read PATH.h3m, if there is one, in place of PATH, which then need not exist.
  bool prefer_pressed = true;
  /// A HMMER2 text profile ends the reading without an error (ProfileReader::hmmer2_follows).
  bool stop_at_hmmer2 = false;
  /// Keep probabilities of text that are below the smallest normal number, as hmmpress does. hmmsearch's
  /// arithmetic flushes them to zero.
  bool keep_subnormals = false;
  /// The pressed database whose .h3m an input is (ProfileReader::pressed_database).
  std::optional<std::string> database = std::nullopt;
  /// A text profile that the file's end cuts off at a line's end is not there, as for HMMER3's programs;
  /// otherwise it is an error.
  bool drop_unfinished = false;
};

/// The profiles of one file, plain or gzip, in file order. As in HMMER3, all text profiles of a file must
/// have one format version, all profiles one alphabet. Not copyable.
class ProfileReader {
 public:
  /// Opens `path`; "-" is standard input. Throws ProfileFileError: not to be opened, empty, of an unknown
  /// kind, or a pressed database of which a part is missing or damaged.
  explicit ProfileReader(const std::string& path, ReadingOptions options = {});
  /// Reads from where `input` is; `prefer_pressed` has no effect.
  explicit ProfileReader(std::unique_ptr<Input> input, ReadingOptions options = {});
  ~ProfileReader();
  ProfileReader(ProfileReader&&) noexcept;
  ProfileReader& operator=(ProfileReader&&) noexcept;

  /// The next profile; nothing at the end of the file or before a HMMER2 profile. Throws ProfileFileError
  /// that names the file and the line (text) or the profile's number and byte (binary). Nothing can be read
  /// after an error.
  std::optional<Profile> next();
  /// Starts a thread that reads profiles until they have `nodes` nodes together; next() gives these first.
  /// Call it at most once, and next() before any other function: next() waits for the thread, the destructor
  /// for the profile at which it is. hmmer2_follows(), fraction_read() and position() then tell where the
  /// thread has stopped.
  void read_ahead(double nodes);

  /// Whether next() gave nothing because the next profile is one of HMMER2.
  bool hmmer2_follows() const;
  /// Hands on the input, which begins with the line at which next() gave nothing.
  std::unique_ptr<Input> release();

  /// The path of the file as given, for messages, also if its .h3m is read; "standard input" for "-".
  const std::string& name() const;
  /// The path without .h3m of the pressed database that is read; nothing for other files.
  const std::optional<std::string>& pressed_database() const;
  /// Whether the file is binary, a pressed one included.
  bool binary() const;
  /// Whether the file is gzipped.
  bool compressed() const;
  /// About which part of the file has been read, 0 to 1; nothing for standard input and pipes.
  std::optional<double> fraction_read() const;
  /// Bytes of the (decompressed) input up to the end of the profile read last.
  std::uint64_t position() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gpuhmm::hmmer3
