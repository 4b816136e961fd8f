// Reads a text report of HMMER 2.3.2 back into its data, with the precision of the printed digits.
#pragma once

#include <string>
#include <vector>

#include "gpuhmm/report.hpp"

namespace gpuhmm::testing {

/// A report of hmmsearch from "HMM file:" on, with the profile that it points to.
struct ReadSearch {
  Profile profile;
  SearchReport report;
};

ReadSearch read_search_report(const std::string& text, const std::string& text_file);

/// A report of hmmpfam from "HMM file:" on.
struct ReadScan {
  std::string profile_file, sequence_file;
  std::vector<ScanReport> queries;
};

ReadScan read_scan_report(const std::string& text);

/// The whole file, decompressed if it ends in ".gz". Throws std::runtime_error.
std::string read_file(const std::string& path);

}  // namespace gpuhmm::testing
