// Sorting a file of lines or of FASTA records, of any size.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "companion/strings/sorter.hpp"
#include "gpuhmm/input.hpp"
#include "gpuhmm/progress.hpp"

namespace gpuhmm {

/// What records are sorted by: whole lines; of FASTA records the name (what follows ">", up to the first
/// blank) or the sequence (its lines joined).
enum class SortKey : std::uint8_t { Line, Name, Sequence };

struct SortOptions {
  SortKey key = SortKey::Line;
  bool unique = false;   ///< only the first of records with equal keys
  bool reverse = false;  ///< descending; equal ones still in input order
  unsigned threads = 1;
  /// Bytes of memory to use, about. An input of more than an eighth is sorted in runs of that
  /// size, which go to temporary files. A record has to fit in any case.
  std::uint64_t memory = std::uint64_t{4} << 30;
  WorkMeter* meter = nullptr;  ///< counts bytes read and written; may be null
};

struct SortStatistics {
  std::uint64_t bytes = 0;                                       ///< read
  std::uint64_t records = 0;                                     ///< read
  std::uint64_t runs = 0;                                        ///< in temporary files
  double read_seconds = 0, sort_seconds = 0, merge_seconds = 0;  ///< sorting includes writing
};

/// Sorts by the unsigned bytes of the keys and gives the text of the result, in pieces, to `take`: lines with
/// their ends, FASTA records as they were. Throws FileError (unreadable, not FASTA, temporary files).
SortStatistics sort_records(Input& input, const SortOptions& options, Sorter& sorter,
                            const std::function<void(std::string_view)>& take);

}  // namespace gpuhmm
