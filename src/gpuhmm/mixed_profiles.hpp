// Files in which text profiles of HMMER2 and of HMMER3 follow one another: their sections in file order, and
// all profiles of one generation.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "gpuhmm/hmmer3_profile_file.hpp"
#include "gpuhmm/input.hpp"
#include "gpuhmm/profile_file.hpp"

namespace gpuhmm {

/// The sections of a file: profiles of one generation that follow one another, with a reader for each
/// section. The rules of a reader (one alphabet, for HMMER3 one format version) hold for each section.
class ProfileSections {
 public:
  using Generation = hmmer3::Generation;

  /// The sections of `input`, which is at the start of a profile. Throws FileError if it is not.
  explicit ProfileSections(std::unique_ptr<Input> input);
  /// One section, which is all that this reader reads.
  explicit ProfileSections(ProfileReader reader);
  explicit ProfileSections(hmmer3::ProfileReader reader);

  /// The generation of the current section; at first of the first one.
  Generation generation() const;
  /// The reader of the current section, which must be of that generation.
  ProfileReader& hmmer2() { return *hmmer2_; }
  hmmer3::ProfileReader& hmmer3() { return *hmmer3_; }
  /// Whether profiles of the other generation follow the current section. Known once its reader has given
  /// nothing.
  bool another() const;
  /// Goes to the next section, of which another() tells.
  void advance();

 private:
  void open(std::unique_ptr<Input> input, Generation generation);

  std::optional<ProfileReader> hmmer2_;
  std::optional<hmmer3::ProfileReader> hmmer3_;  // one of both
};

/// What only_profiles left out.
struct OtherProfiles {
  bool any = false;   ///< a profile of the other generation
  bool keep = false;  ///< to be set before: keep the text in `text`
  std::string text;   ///< the file with empty lines in place of the others, so that line numbers are the same
};

/// The text profiles of `input` of the generation `wanted`; lines of the others are empty or, at the start of
/// the file, left out. A binary file stays as it is. `others`, unless it is null, must outlive the result.
std::unique_ptr<Input> only_profiles(std::unique_ptr<Input> input, hmmer3::Generation wanted,
                                     OtherProfiles* others = nullptr);

/// Whether `input` holds text profiles of both generations; reads it up to the first of the second one.
/// Throws FileError.
bool holds_both_generations(std::unique_ptr<Input> input);

}  // namespace gpuhmm
