// The output files of a search or a scan: report, tables, JSON.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/run_files.hpp"
#include "gpuhmm/output.hpp"
#include "gpuhmm/report.hpp"
#include "gpuhmm/scan.hpp"
#include "gpuhmm/search.hpp"
#include "gpuhmm/tables.hpp"

namespace gpuhmm::cli {

/// Path of each output. "-" is standard output; an absent output is not written.
struct OutputPaths {
  std::optional<std::string> report, targets, domains, json;
};

/// How the report looks.
struct ReportStyle {
  ReportKind kind = ReportKind::Search;
  std::string profile_file, sequence_file;  ///< paths as the user gave them
  bool compat = false;                      ///< old layout of the query lines
  bool accessions = false;                  ///< scan: accessions of profiles instead of names
  bool alignments = true;
  bool histogram = true;
  std::optional<std::int64_t> alignment_limit;
  TableLayout table_layout = TableLayout::Padded;
};

/// The text that one query (a profile of a search, a sequence of a scan) adds to each output.
struct QueryTexts {
  std::string report, json;
  TableText targets, domains;
  std::size_t hits = 0;  ///< reported pairs of a profile and a sequence
};

/// Writes the results of the queries in turn.
class SearchOutputs {
 public:
  /// Opens all files in `files`, which must outlive this. `threads` threads format the texts of a query.
  /// Throws FileError.
  SearchOutputs(RunFiles& files, const OutputPaths& paths, ReportStyle style, unsigned threads = 1);
  ~SearchOutputs();

  /// The texts of one profile's hits. Several threads may call this at the same time.
  QueryTexts texts(const Profile& profile, const Thresholds& thresholds, SearchResult&& result) const;
  /// The texts of one sequence's hits; `residues`: its length, as that of `query` is not used. Several
  /// threads may call this at the same time.
  QueryTexts texts(const SequenceView& query, std::int64_t residues, ScanResult&& result) const;
  /// Writes the texts of the next query. Throws FileError or ClosedPipe.
  void write(const QueryTexts& texts);
  /// Writes the ends of the tables. Throws FileError or ClosedPipe.
  void finish();

 private:
  struct Table;
  void begin_report();  // writes the header of a scan's report, once
  void add_tables(QueryTexts& texts, const HitReport& report, const TableQuery& query,
                  const JsonQuery& json_query) const;

  ReportStyle style_;
  unsigned threads_;
  OutputFile *report_, *json_;  // null if not written
  std::unique_ptr<Table> targets_, domains_;
  bool begun_ = false;  // the header of a scan's report has been written
};

}  // namespace gpuhmm::cli
