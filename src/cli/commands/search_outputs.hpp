// The output files of a search or a scan: report, tables, JSON.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpuhmm/output.hpp"
#include "gpuhmm/report.hpp"
#include "gpuhmm/scan.hpp"
#include "gpuhmm/search.hpp"
#include "gpuhmm/tables.hpp"

namespace gpuhmm::cli {

/// Where each output goes; "-" is standard output, absent ones are not written.
struct OutputPaths {
  std::optional<std::string> report, targets, domains, json;
};

/// How the report looks.
struct ReportStyle {
  ReportKind kind = ReportKind::Search;
  std::string profile_file, sequence_file;  ///< as the user gave them
  bool compat = false;
  bool accessions = false;  ///< scan: accessions of profiles instead of names
  bool alignments = true;
  bool histogram = true;
  std::optional<std::int64_t> alignment_limit;
  TableLayout table_layout = TableLayout::Padded;
};

/// What one query, a profile or a sequence, adds to each output.
struct QueryTexts {
  std::string report, json;
  TableText targets, domains;
};

/// Writes the results of one query after the other. Files appear when commit() is called.
class SearchOutputs {
 public:
  /// Opens all files. Throws FileError.
  SearchOutputs(const OutputPaths& paths, ReportStyle style);
  ~SearchOutputs();

  /// The texts of one profile's hits. May be called by several threads at a time.
  QueryTexts texts(const Profile& profile, const Thresholds& thresholds, SearchResult&& result) const;
  /// The texts of one sequence's hits, likewise.
  QueryTexts texts(const SequenceView& query, ScanResult&& result) const;
  /// Adds the texts of the next query. Throws FileError, or ClosedPipe.
  void write(const QueryTexts& texts);
  /// Ends the tables and puts all files in place. Throws as write.
  void commit();

 private:
  struct Table;
  void begin_report();  // writes the head of a scan's report, once
  void add_tables(QueryTexts& texts, const HitReport& report, const TableQuery& query,
                  const JsonQuery& json_query) const;

  ReportStyle style_;
  std::unique_ptr<OutputFile> report_, json_;
  std::unique_ptr<Table> targets_, domains_;
  bool begun_ = false;  // the head of a scan's report is written
};

}  // namespace gpuhmm::cli
