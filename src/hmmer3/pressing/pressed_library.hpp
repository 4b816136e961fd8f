// Reads .h3f and .h3p of a pressed database: of each profile the costs of SSV and MSV, used where they lie in
// the file, and all other scores once they are needed (docs/spec/hmmer3/hmmscan.md, 3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpuhmm/hmmer3_press.hpp"
#include "hmmer3/fast_filters.hpp"
#include "hmmer3/pressing/mapped_part.hpp"
#include "hmmer3/search_profile.hpp"

namespace gpuhmm::hmmer3 {

class ScoreCursor;

/// What .h3f has of one profile.
struct FilterRecord {
  std::size_t number;  ///< of the profile in the file, from 1
  std::string_view name;
  AlphabetKind alphabet;
  std::optional<std::int32_t> max_length;
  StripedBytes costs;  ///< refers to the file's bytes
  Statistics statistics;
  const char* composition;    ///< kCompositionPlaces numbers in the file's bytes
  std::uint64_t scores_from;  ///< where its record of .h3p begins
};

/// Consecutive profiles. Threads may share it.
class PressedGroup {
 public:
  const std::vector<FilterRecord>& records() const { return records_; }
  /// The whole profile of a record of this group, but for its probabilities and, without `first_filter`, the
  /// costs of SSV and MSV. Throws ProfileFileError.
  SearchProfile whole(const FilterRecord& record, bool first_filter) const;

 private:
  friend class PressedLibrary;
  explicit PressedGroup(const std::string& library) : library_(library), files_(library) {}

  std::string library_;
  PressedFiles files_;
  MappedPart filters_, scores_;
  std::vector<FilterRecord> records_;
};

/// The profiles of a database in file order.
class PressedLibrary {
 public:
  /// The database whose .h3m `reader` reads; nothing if there is none, or if it is of an older format.
  static std::optional<PressedLibrary> of(const ProfileReader& reader);

  /// The next profiles, until they have `nodes` nodes together or are `most`; none at the end. Throws
  /// ProfileFileError: a damaged profile, one of another alphabet than the first, or not as many as the index
  /// has.
  PressedGroup next(double nodes, std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
  /// Whether next() has given all profiles.
  bool at_end() const { return at_end_; }
  /// The fraction of .h3f that has been read.
  double fraction_read() const;

 private:
  explicit PressedLibrary(const std::string& path);

  bool is_of_current_format() const;
  FilterRecord read_record(ScoreCursor& cursor);
  void check_alphabet(const FilterRecord& record);
  void check_count() const;

  std::string path_;
  PressedFiles files_;
  MappedPart filters_, scores_;      // for the first group
  std::uint64_t at_ = 0, size_ = 0;  // of .h3f: what has been read, and all of it
  bool at_end_ = false;
  std::size_t count_ = 0;  // profiles read
  std::optional<AlphabetKind> alphabet_;
};

}  // namespace gpuhmm::hmmer3
