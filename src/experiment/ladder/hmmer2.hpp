// HMMER 2's own search as a process, where it is installed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "filter/sequence_set.hpp"
#include "gpuhmm/profile.hpp"

namespace gpuhmm::experiment::ladder {

/// A folder of its own for the process's input, removed at the end.
class Hmmer2 {
 public:
  Hmmer2();
  ~Hmmer2();
  Hmmer2(const Hmmer2&) = delete;
  Hmmer2& operator=(const Hmmer2&) = delete;

  /// Whether there is a program hmm2search in the PATH.
  bool installed() const { return program_.has_value(); }
  /// Writes the sequences that are searched from now on. Throws FileError.
  void set_sequences(const SequenceSet& sequences);
  /// The wall time, in seconds, of `hmm2search --cpu 1 -A 0`, whole; nothing if it fails. Throws FileError.
  std::optional<double> seconds(const Profile& profile) const;

 private:
  std::optional<std::string> program_;
  std::filesystem::path folder_;
};

}  // namespace gpuhmm::experiment::ladder
