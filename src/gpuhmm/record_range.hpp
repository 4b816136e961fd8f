// Shares of a file: consecutive records, and where to cut a file into shares of equal size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace gpuhmm {

class SequenceReader;

/// Consecutive records of a file, from number `first` (counted from 0) up to, but without, number `end`.
struct RecordRange {
  std::uint64_t first = 0;
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();

  bool whole() const { return first == 0 && end == std::numeric_limits<std::uint64_t>::max(); }
  bool empty() const { return end <= first; }
  bool operator==(const RecordRange&) const = default;
};

/// The number of records of a file and their sizes (residues of sequences, nodes of profiles), to cut the
/// file between records.
class RecordCensus {
 public:
  /// Adds the next record.
  void add(std::uint64_t size);

  std::uint64_t records() const { return records_; }
  /// All sizes together.
  std::uint64_t size() const { return size_; }
  /// Share `number` (from 1) of `count`: consecutive shares of about the same size; some are empty if there
  /// are few records. The last one has no end.
  RecordRange share(std::uint64_t number, std::uint64_t count) const;
  /// The first place for a cut that has `size` or more before it: the number of the record behind it, up to
  /// records(). In files of many records there is not a place in front of each record.
  std::uint64_t cut_behind(std::uint64_t size) const;
  /// The size of the records before number `record`; exact at places for cuts and beyond the last record,
  /// otherwise up to the next place before it.
  std::uint64_t size_before(std::uint64_t record) const;

 private:
  std::uint64_t records_ = 0, size_ = 0;
  std::uint64_t stride_ = 1;          // records from one mark to the next
  std::vector<std::uint64_t> marks_;  // the size before record number place * stride_
};

/// Reads all sequences; sizes are in residues. Throws FileError.
RecordCensus census_of(SequenceReader& sequences);

}  // namespace gpuhmm
