// Builds the profiles of an alignment file, one after the other.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/commands/build_options.hpp"
#include "gpuhmm/alignment.hpp"
#include "gpuhmm/build.hpp"
#include "gpuhmm/random.hpp"

namespace gpuhmm::cli {

/// Reads alignments and builds the profile of each.
class ProfileBuilder {
 public:
  /// Opens the file. `request` must outlive this object. `warn` is called with warnings of one line. Throws
  /// FileError.
  ProfileBuilder(const BuildRequest& request, std::function<void(const std::string&)> warn);

  /// hmmbuild's name of the alignments' format.
  std::string format_name() const;
  /// The part of the file that has been read, 0 to 1; absent for pipes.
  std::optional<double> fraction_read() const { return alignments_.fraction_read(); }

  /// Reads the next alignment and builds its profile; false at the end of the file. Throws FileError.
  bool next();

  int number = 0;  ///< of the current alignment, counted from 1
  Alignment alignment;
  TrainingAlignment training;
  BuildResult result;

 private:
  [[noreturn]] void fail(const std::string& message) const;
  std::string where() const;
  void build();
  void read_parameters(AlphabetKind alphabet);
  void read_matrix(const std::string& path, AlphabetKind alphabet);
  std::string profile_name() const;

  const BuildRequest& request_;
  std::function<void(const std::string&)> warn_;
  AlignmentFile alignments_;
  std::optional<AlphabetKind> alphabet_;
  NullModel null_;
  ProfilePrior prior_;
  RandomStream random_;
};

}  // namespace gpuhmm::cli
