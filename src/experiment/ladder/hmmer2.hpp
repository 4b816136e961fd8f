// Runs hmm2search of HMMER 2, if it is installed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "filter/sequence_set.hpp"
#include "gpuhmm/profile.hpp"

namespace gpuhmm::experiment::ladder {

/// Runs hmm2search with its input in a temporary folder, which the destructor removes.
class Hmmer2 {
 public:
  Hmmer2();
  ~Hmmer2();
  Hmmer2(const Hmmer2&) = delete;
  Hmmer2& operator=(const Hmmer2&) = delete;

  /// Whether there is a program hmm2search in the PATH.
  bool installed() const { return program_.has_value(); }
  /// Sets the sequences that the next runs search. Throws FileError.
  void set_sequences(const SequenceSet& sequences);
  /// The wall time in seconds of the whole process `hmm2search --cpu 1 -A 0`; nothing if it fails. Throws
  /// FileError.
  std::optional<double> seconds(const Profile& profile) const;

 private:
  std::optional<std::string> program_;
  std::filesystem::path folder_;
};

}  // namespace gpuhmm::experiment::ladder
