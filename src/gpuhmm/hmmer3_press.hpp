// Pressed databases of HMMER3 profiles: the four files that hmmpress makes and hmmscan reads
// (docs/spec/hmmer3/hmmscan.md, 2 to 4).
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "gpuhmm/hmmer3_profile_file.hpp"

namespace gpuhmm::hmmer3 {

/// The files of the database of the profile file `path`.
struct PressedFiles {
  explicit PressedFiles(const std::string& path)
      : profiles(path + ".h3m"), index(path + ".h3i"), filters(path + ".h3f"), scores(path + ".h3p") {}

  std::string profiles;  ///< the profiles, binary
  std::string index;     ///< names and accessions
  std::string filters;   ///< scores of the first filter
  std::string scores;    ///< all other scores
};

/// What a database holds.
struct PressReport {
  std::size_t profiles = 0, names = 0, accessions = 0;
};

/// What keeps hmmpress from pressing. It prints the text on standard error without `Error: ` before it.
class PressError : public ProfileFileError {
 public:
  PressError(const std::string& what, std::string hmmer3_text, bool working, bool aborts = false)
      : ProfileFileError(what, std::move(hmmer3_text), aborts), working_(working) {}
  /// Whether hmmpress has said `Working...` before.
  bool working() const { return working_; }

 private:
  bool working_;
};

/// Writes the database of `path`, text or binary profiles, byte for byte as hmmpress does; PATH.h3m itself is
/// not read. The four files appear whole and together or not at all. Existing ones are replaced if `force`.
/// Throws PressError: existing files, a name or accession that comes twice, a damaged profile. Throws
/// ProfileFileError: no profile file, a compressed one, standard input. Throws FileError: a file that cannot
/// be written. `drop_unfinished`: as in ReadingOptions.
PressReport press(const std::string& path, bool force, bool drop_unfinished = false);

/// Opens the database of `path` as hmmscan does: `path` or, if it has none, that of the same name in a folder
/// of the environment variable PFAMDB; all four files must be there and begin as they should, .h3f with
/// a whole profile. Throws ProfileFileError, also if there are only profiles that were never pressed.
ProfileReader open_pressed(const std::string& path);

}  // namespace gpuhmm::hmmer3
