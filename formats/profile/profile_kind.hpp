// What all readers of profile files check: the kind of the file, and that its profiles have one alphabet.
#pragma once

#include <memory>
#include <string>

#include "formats/profile/record_reader.hpp"
#include "gpuhmm/alphabet.hpp"
#include "gpuhmm/input.hpp"
#include "gpuhmm/profile_file.hpp"

namespace gpuhmm {

/// Detects the kind of a profile file from its first bytes and consumes none of them. Throws FileError for an
/// unsupported kind; the message says which program converts it.
ProfileFileKind find_kind(Input& input);

/// The reader of files of that kind.
std::unique_ptr<RecordReader> make_record_reader(ProfileFileKind kind, Input& input);

/// Checks that all profiles of a file have the alphabet of the first one.
class OneAlphabet {
 public:
  /// Throws FileError, which names `file` and both profiles, if this one has another alphabet.
  void check(const Profile& profile, const std::string& file);

 private:
  AlphabetKind kind_ = AlphabetKind::Amino;
  std::string first_;  // name of the first profile; empty before it was checked
};

}  // namespace gpuhmm
