// The output files of a search: report, tables, JSON.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "formats/io/output.hpp"
#include "formats/report/hmmer2_report.hpp"
#include "formats/report/tables.hpp"
#include "search/search.hpp"

namespace gpuhmm::cli {

/// Where each output goes; "-" is standard output, absent ones are not written.
struct OutputPaths {
  std::optional<std::string> report, targets, domains, json;
};

/// How the report looks.
struct ReportStyle {
  std::string profile_file, sequence_file;  ///< as the user gave them
  bool compat = false;
  bool alignments = true;
  bool histogram = true;
  std::optional<std::int64_t> alignment_limit;
  TableLayout table_layout = TableLayout::Padded;
};

/// Writes the results of one profile after the other. Files appear when commit() is called.
class SearchOutputs {
 public:
  /// Opens all files. Throws FileError.
  SearchOutputs(const OutputPaths& paths, ReportStyle style);
  ~SearchOutputs();

  void write(const Profile& profile, const Thresholds& thresholds, SearchResult&& result);
  void commit();

 private:
  struct Table;

  ReportStyle style_;
  std::unique_ptr<OutputFile> report_, json_;
  std::unique_ptr<Table> targets_, domains_;
};

}  // namespace gpuhmm::cli
