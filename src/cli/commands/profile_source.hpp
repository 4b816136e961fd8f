// The profiles of a search or a scan: whose answer is wanted, and readers of the file's sections.
#pragma once

#include <memory>
#include <string>

#include "cli/arguments.hpp"
#include "cli/commands/run_context.hpp"
#include "gpuhmm/input.hpp"
#include "gpuhmm/mixed_profiles.hpp"

namespace gpuhmm::cli {

/// The file PROFILES of a command line. Standard input and pipes can be read once.
class ProfileSource {
 public:
  /// Looks at the first profile of `input`, unless --as or a drop-in name of HMMER2 decides. Throws
  /// UsageError, FileError.
  ProfileSource(const Arguments& arguments, const RunInput& input);

  /// Whose answer the first profile gets.
  hmmer3::Generation first() const { return first_; }
  /// Whether the file may hold profiles of both generations that each get their own answer; reads a file
  /// that can be opened again. Throws FileError.
  bool may_hold_both() const;
  /// The same, where such a file would be known now.
  bool holds_both() const { return reopenable_ && may_hold_both(); }

  /// The sections of the file in its order. Throws FileError.
  ProfileSections sections();

  /// Whether the next two can be called more than once.
  bool reopenable() const { return reopenable_; }
  /// The profiles that get HMMER2's answer, read by `threads` threads. Throws FileError.
  ProfileBlocks open_hmmer2(unsigned threads);
  /// Those that get HMMER3's answer. Throws FileError.
  hmmer3::ProfileReader open_hmmer3();
  /// Whether the profiles of the first generation, now read to the end, have left out others.
  bool others_follow() const { return others_.any; }

 private:
  std::unique_ptr<Input> open() const;
  std::unique_ptr<Input> open_first();
  std::unique_ptr<Input> open_only(hmmer3::Generation wanted);
  hmmer3::ProfileReader open_single_hmmer3();

  std::string path_;
  std::shared_ptr<const HeldInput> held_;  // null: the file
  bool reopenable_;
  bool single_ = true;  // all profiles get the same answer
  OtherVersion other_;  // then, if that is HMMER2's: what becomes of text of the other version
  hmmer3::Generation first_ = hmmer3::Generation::Hmmer2;
  std::unique_ptr<Input> input_;  // what was opened and is the next to be read
  OtherProfiles others_;
};

}  // namespace gpuhmm::cli
