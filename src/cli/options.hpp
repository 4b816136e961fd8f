// Options that several commands share, and checks of their values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/option_table.hpp"
#include "formats/report/tables.hpp"
#include "formats/sequence/sequence_format.hpp"
#include "plan7/alphabet.hpp"
#include "plan7/hits.hpp"
#include "plan7/reporting.hpp"

namespace gpuhmm::cli {

/// Adds -E -T -Z --domE --domT --cut_ga --cut_nc --cut_tc --null2 --forward --xnu, described for this kind of
/// run.
void add_threshold_options(OptionTable& all, ReportKind kind);
/// Reads them. Throws UsageError for values that are no numbers.
Thresholds thresholds_from(const boost::program_options::variables_map& given);

/// Adds -o, --output; `what` says what is written.
void add_output_option(OptionTable& all, const std::string& what);
/// -o, by default "-": standard output.
std::string output_from(const boost::program_options::variables_map& given);
/// -o, if it names a file and not standard output.
std::optional<std::string> output_file_from(const boost::program_options::variables_map& given);

/// Adds -q, --quiet; `what` says what is left out.
void add_quiet_option(OptionTable& all, const std::string& what);
bool is_quiet(const boost::program_options::variables_map& given);

/// Adds --stats.
void add_stats_option(OptionTable& all);
bool wants_stats(const boost::program_options::variables_map& given);

/// Adds --format: the layout of the output, one of `layouts`, the first by default.
void add_format_option(OptionTable& all, std::vector<std::string> layouts, const std::string& text);
/// --format.
std::string output_format_from(const boost::program_options::variables_map& given);

/// Adds --informat, the format of the argument `what`.
void add_informat_option(OptionTable& all, const std::string& what);

/// Adds --seed.
void add_seed_option(OptionTable& all);

/// Adds --alphabet; `otherwise` says what holds without it.
void add_alphabet_option(OptionTable& all, const std::string& otherwise);
/// --alphabet, if given.
std::optional<AlphabetKind> alphabet_from(const boost::program_options::variables_map& given);

/// How many devices a command can use.
enum class Devices { One, Several };
/// Adds --device; `automatic` says what auto means.
void add_device_option(OptionTable& all, Devices count, const std::string& automatic = "auto");
/// Adds --cpu.
void add_cpu_option(OptionTable& all);
/// Adds --device, for several, and --cpu.
void add_compute_options(OptionTable& all);
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

/// The layout of tables that --format, space or tab, asks for.
TableLayout table_layout_from(const boost::program_options::variables_map& given);

}  // namespace gpuhmm::cli
