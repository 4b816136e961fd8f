// A search or a scan with HMMER3 profiles, as the command line asks for it.
#pragma once

#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "cli/commands/profile_source.hpp"
#include "cli/option_table.hpp"
#include "gpuhmm/hits.hpp"
#include "gpuhmm/hmmer3_report.hpp"
#include "gpuhmm/hmmer3_run.hpp"
#include "gpuhmm/sequence_file.hpp"
#include "gpuhmm/tables.hpp"

namespace gpuhmm::cli {

/// Path of each output; "-" is standard output, an absent output is not written.
struct Hmmer3OutputPaths {
  std::optional<std::string> report, targets, domains, pfam, included, json;
};

/// One run.
struct Hmmer3Request {
  std::string profiles, sequences;  ///< files as the user named them
  Hmmer3OutputPaths paths;
  hmmer3::ReportStyle style;
  TableLayout table_layout = TableLayout::Padded;
  hmmer3::SearchOptions options;
  hmmer3::RunDescription description;
  bool as_hmmer3 = false;  ///< files are found, opened and told apart as HMMER3 does; needs a pressed library
  std::optional<std::string> named_format;  ///< then: the format by HMMER3's name
  bool silent = false, statistics = false;

  /// How much of alignments the outputs show.
  hmmer3::AlignmentDetail shown() const;
};

/// Adds the options that only HMMER3 profiles know.
void add_hmmer3_options(OptionTable& all, ReportKind kind);

/// The outputs that the command line asks for; with HMMER2 profiles the same, as far as they have them.
Hmmer3OutputPaths output_paths(const Arguments& arguments);

/// The request that the command line describes. Throws UsageError, also for options that only HMMER2 profiles
/// know.
Hmmer3Request hmmer3_request(const Arguments& arguments, ReportKind kind);

/// Throws UsageError if the command line has options that only HMMER3 profiles know.
void refuse_hmmer3_options(const Arguments& arguments, ReportKind kind);

/// Throws UsageError if the command line has options that some of the profiles do not know, as far as that
/// can be seen before they are read. Throws FileError.
void check_options(const Arguments& arguments, ReportKind kind, const ProfileSource& source);

}  // namespace gpuhmm::cli
