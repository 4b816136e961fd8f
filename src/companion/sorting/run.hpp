// Sorted runs of records in temporary files, and merging them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/io/spool.hpp"
#include "gpuhmm/input.hpp"
#include "gpuhmm/progress.hpp"

namespace gpuhmm {

/// The part of the progress that reading the input and sorting it into runs counts as; the rest is writing.
inline constexpr double kReadingPart = 0.5;
/// The progress when this part of the input has been read.
inline std::optional<double> reading_part(std::optional<double> read) {
  return read ? std::optional(kReadingPart * *read) : std::nullopt;
}

/// What is sorted: the bytes compared, and what goes with them.
struct SortRecord {
  std::string_view key, body;
};

/// Adds a record in the form in which runs hold it: both sizes, each 7 bits a byte from the low end with the
/// highest bit set on all but the last, then the bytes.
void append_run_record(const SortRecord& record, std::string& to);

/// A sorted run: written once, then read once.
class Run {
 public:
  /// Adds records in the form of append_run_record.
  void append(std::string_view records) { spool_.append(records); }
  /// Ends writing. `meter`, if there is one, counts bytes read.
  void rewind(WorkMeter* meter = nullptr) {
    spool_.rewind();
    meter_ = meter;
  }
  /// Bytes written.
  std::uint64_t size() const { return spool_.size(); }
  /// Moves to the next record; false at the end.
  bool next();
  /// Valid until the next call of next().
  const SortRecord& record() const { return record_; }

 private:
  std::uint64_t size_at(std::size_t& offset);
  bool hold(std::size_t size);

  Spool spool_;
  ByteQueue buffer_;
  SortRecord record_;
  WorkMeter* meter_ = nullptr;
  std::size_t taken_ = 0;  // of the buffer: the record
};

/// Sorted runs, in the order of the input they come from.
class RunMerger {
 public:
  /// Called with every record, in order; `same`: its key equals that of the record before.
  using Take = std::function<void(const SortRecord& record, bool same)>;

  /// `reverse`: the runs are in descending order.
  explicit RunMerger(bool reverse) : reverse_(reverse) {}

  /// Adds a run after all others. If there are many, they are first merged into one.
  Run& add();
  std::size_t runs() const { return made_; }
  /// Merges all; equal keys come in the order of the runs. `meter`, if there is one, counts this as the
  /// last stretch.
  void merge(const Take& take, WorkMeter* meter = nullptr);

 private:
  bool reverse_;
  std::size_t made_ = 0;
  std::vector<std::unique_ptr<Run>> runs_;
};

}  // namespace gpuhmm
