// A run that writes what it finds as a part (gpuhmm/parts.hpp) in place of reports and tables.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "gpuhmm/database.hpp"
#include "gpuhmm/hmmer3_run.hpp"
#include "gpuhmm/parts.hpp"
#include "gpuhmm/scan.hpp"

namespace gpuhmm::cli {

/// Which part of a run is wanted, how far it has come, and what takes its records.
class PartRun {
 public:
  /// Takes a record; called in the order of the places.
  using Taker = std::function<void(const QueryPlace& place, std::string_view content)>;

  /// Share `number` of `count` of the sequences, or of the profiles of a scan.
  PartRun(ReportKind kind, PartsOf divided, std::uint64_t number, std::uint64_t count, Taker take);
  /// The sequences of a range.
  PartRun(ReportKind kind, const RecordRange& sequences, Taker take);

  /// `ended` is called behind the last record, with the number of sections.
  void at_end(std::function<void(std::uint64_t sections)> ended) { ended_ = std::move(ended); }
  /// The records before `place` are there already.
  void resume_at(const QueryPlace& place) { start_ = place; }

  /// Enters the next section of the profiles; the first call enters the first one.
  void begin_section();
  /// The run has come to its end.
  void end() const {
    if (ended_) ended_(sections_);
  }

  /// A reader of the sequences of this section that belong to the part.
  std::unique_ptr<SequenceReader> open(const SequenceSource& source, const Alphabet& alphabet);
  /// The profiles of a search.
  RecordRange searched_profiles();
  /// The profiles of a scan. The file is read to its end if it is to be divided.
  RecordRange scanned_profiles(const ProfileOpener& open);
  RecordRange scanned_profiles(const hmmer3::ProfileOpener& open);

  /// Takes the next result of the section. `content` is packed().
  void add(std::string_view content);

 private:
  // The whole or what is left of it in this section.
  RecordRange left(RecordRange whole) const;
  RecordRange share(const RecordCensus& census) const { return census.share(number_, count_); }

  ReportKind kind_;
  PartsOf divided_ = PartsOf::Sequences;
  std::uint64_t number_ = 1, count_ = 1;
  std::optional<RecordRange> sequences_;  // once it is known
  Taker take_;
  std::function<void(std::uint64_t sections)> ended_;
  QueryPlace start_;
  std::uint64_t sections_ = 0;
  std::uint64_t next_ = 0;  // index of the next result
};

}  // namespace gpuhmm::cli
