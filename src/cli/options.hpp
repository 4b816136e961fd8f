// Options that several commands share, and checks of their values.
#pragma once

#include <optional>
#include <string>

#include "cli/command.hpp"
#include "formats/report/tables.hpp"
#include "formats/sequence/sequence_format.hpp"
#include "plan7/hits.hpp"
#include "plan7/reporting.hpp"

namespace gpuhmm::cli {

/// Adds -E -T -Z --domE --domT --cut_ga --cut_nc --cut_tc --null2 --forward --xnu, described for this kind of
/// run.
void add_threshold_options(boost::program_options::options_description& all, ReportKind kind);
/// Reads them. Throws UsageError for values that are no numbers.
Thresholds thresholds_from(const boost::program_options::variables_map& given);

/// Adds --device and --cpu.
void add_compute_options(boost::program_options::options_description& all);
/// --cpu, by default all processors this process may run on; at least 1. Throws UsageError.
unsigned threads_from(const boost::program_options::variables_map& given);

/// All processors this process may run on.
unsigned processors();

/// --seed, by default the time in seconds.
std::int32_t seed_from(const boost::program_options::variables_map& given);

/// The value of a string option, if given.
std::optional<std::string> text_option(const boost::program_options::variables_map& given, const char* name);

/// The sequence format of that name. Throws UsageError for unknown names.
SequenceFormat format_named(const std::string& name);
/// --informat, if given. Throws UsageError for unknown names.
std::optional<SequenceFormat> format_from(const boost::program_options::variables_map& given);

/// --table-format. Throws UsageError for unknown layouts.
TableLayout table_layout_from(const boost::program_options::variables_map& given);

}  // namespace gpuhmm::cli
