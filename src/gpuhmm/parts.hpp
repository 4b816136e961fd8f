// Parts of a run: what a share of a search or a scan has found, in a file, so that several shares together
// give the results of the whole run (docs/clusters.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gpuhmm/error.hpp"
#include "gpuhmm/histogram.hpp"
#include "gpuhmm/hits.hpp"
#include "gpuhmm/hmmer3_hits.hpp"
#include "gpuhmm/hmmer3_report.hpp"
#include "gpuhmm/output.hpp"
#include "gpuhmm/profile.hpp"
#include "gpuhmm/record_range.hpp"

namespace gpuhmm {

/// An input of a run, as far as two runs must agree on it.
struct InputIdentity {
  std::string name;            ///< the path as the user gave it
  std::uint64_t size = 0;      ///< bytes
  std::uint32_t checksum = 0;  ///< CRC-32
  bool operator==(const InputIdentity&) const = default;
};

/// The identity of the input `name`, whose bytes are those of the files `paths`, one after the other. Throws
/// FileError.
InputIdentity identity_of(const std::string& name, const std::vector<std::string>& paths);

/// What all parts of a run have in common.
struct RunIdentity {
  std::string version;  ///< of gpuhmm
  ReportKind kind = ReportKind::Search;
  std::vector<std::string> words;  ///< of the command line that may change the results
  InputIdentity profiles, sequences;
  bool operator==(const RunIdentity&) const = default;
};

/// Says in a few words in what `other` differs from `one`; empty if they are equal.
std::string difference(const RunIdentity& one, const RunIdentity& other);

/// What a run is divided by.
enum class PartsOf : std::uint8_t { Sequences, Profiles };

/// The beginning of a part.
struct PartHeader {
  RunIdentity run;
  std::vector<std::string> mentioned;  ///< words of the command line that only reports show
  PartsOf divided = PartsOf::Sequences;
  std::uint64_t number = 1, count = 1;  ///< share `number` (from 1) of `count`
  RecordRange records;                  ///< the sequences or profiles, where they are known beforehand
};

/// What a search has found with a HMMER2 profile. Of the profile only what reports mention.
struct SearchRecord {
  Profile profile;
  Thresholds thresholds;
  RegisteredHits hits;
  ScoreHistogram histogram;
  std::int64_t searched = 0;  ///< sequences up to the end of this share
};

/// What a scan has found in a sequence with HMMER2 profiles.
struct ScanRecord {
  std::string name, accession, description;
  std::int64_t length = 0;
  RegisteredHits hits;
  Thresholds thresholds;
  std::int64_t profiles = 0;  ///< in the library
  double database_size = 0;
};

/// What a search or a scan has found with HMMER3 profiles.
struct Hmmer3Record {
  hmmer3::Query query;
  hmmer3::QueryResult result;
  hmmer3::QueryTimes times;
};

/// The results of one query.
using PartContent = std::variant<SearchRecord, ScanRecord, Hmmer3Record>;

/// The place of a query in its run: sections are the profiles of one generation that follow each other in the
/// profile file (a search), or all of one generation (a scan); `index` counts profiles of the section or
/// sequences of the file, from 0.
struct QueryPlace {
  std::uint64_t section = 0, index = 0;
  auto operator<=>(const QueryPlace&) const = default;
};

/// A record of a part.
struct PartRecord {
  QueryPlace place;
  PartContent content;
};

/// The results of one query, packed. Any thread may pack.
std::string packed(const PartContent& content);

/// Writes a part. Records must come in the order of their places.
class PartWriter {
 public:
  /// Writes the header. `out` gets all bytes, in pieces that end with a record.
  PartWriter(TextSink out, const PartHeader& header);
  /// Continues a part whose header and first records are there.
  explicit PartWriter(TextSink out);

  /// Writes a record. `content` is packed().
  void add(const QueryPlace& place, std::string_view content);
  /// Writes that the part is complete and that its run has had `sections` sections.
  void end(std::uint64_t sections);

 private:
  TextSink out_;
};

/// Reads a part.
class PartReader {
 public:
  /// Opens the file `path`, "-" is standard input. Throws FileError if it is no part of this version.
  explicit PartReader(const std::string& path);
  /// A part in memory; `name` is for messages.
  PartReader(const std::string& name, std::string bytes);
  ~PartReader();
  PartReader(PartReader&&) noexcept;
  PartReader& operator=(PartReader&&) noexcept;

  const std::string& name() const;
  const PartHeader& header() const;
  /// The next record; nothing behind the last one. Throws FileError if the part is damaged, or ends without
  /// being complete.
  std::optional<PartRecord> next();
  /// Behind the last record: the number of sections.
  std::uint64_t sections() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// How far an unfinished part goes.
struct PartState {
  PartHeader header;
  bool complete = false;
  std::uint64_t bytes = 0;         ///< up to the end of the last whole record
  std::uint64_t records = 0;       ///< whole ones
  std::optional<QueryPlace> last;  ///< the place of the last of them
};
/// Reads what there is of a part; what a killed program has left of its last record is passed over. Nothing
/// if not even the header is there. Throws FileError if the file cannot be read or is no part.
std::optional<PartState> part_state(const std::string& path);

/// The results of a query from those of all parts that have it, which must be of one kind: of parts by
/// sequences (a search) or by profiles (a scan). Ordered by the shares. `options`: of the run, for HMMER3
/// profiles.
PartContent joined(std::vector<PartContent>&& parts, ReportKind kind, const hmmer3::Options& options);

}  // namespace gpuhmm
