// Options that several commands share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/option_table.hpp"
#include "gpuhmm/alphabet.hpp"
#include "gpuhmm/hits.hpp"
#include "gpuhmm/sequence_file.hpp"
#include "gpuhmm/tables.hpp"

namespace gpuhmm::cli {

/// Adds -E -T -Z --domE --domT --cut_ga --cut_nc --cut_tc --null2 --forward --xnu, described for this kind of
/// run.
void add_threshold_options(OptionTable& all, ReportKind kind);
/// Reads them.
Thresholds thresholds_from(const Arguments& arguments);

/// Adds -o, --output; `what` says what is written.
void add_output_option(OptionTable& all, const std::string& what);
/// Adds --output (or "output,o") as another way to name the output that is the argument at `place`.
void add_output_argument(OptionTable& all, std::string_view names, std::size_t place,
                         const std::string& shown);
/// -o, by default "-": standard output.
std::string output_from(const Arguments& arguments);
/// -o, if it names a file and not standard output.
std::optional<std::string> output_file_from(const Arguments& arguments);

/// Adds -q, --quiet, and --stats; `quiet` says what is left out.
void add_message_options(OptionTable& all, const std::string& quiet);

/// Adds --append and --force for the output shown as `output`; `kind` may say more of what is appended to.
void add_replacing_options(OptionTable& all, const std::string& output, const std::string& kind = "");

/// Adds --format: the layout of the output, one of `layouts`, the first by default.
void add_format_option(OptionTable& all, std::vector<std::string> layouts, const std::string& text);
/// The layout of tables that --format, space or tab, asks for.
TableLayout table_layout_from(const Arguments& arguments);

/// Adds --informat, the format of the argument `what`.
void add_informat_option(OptionTable& all, const std::string& what);
/// --informat, if given. Throws UsageError for unknown names.
std::optional<SequenceFormat> informat_from(const Arguments& arguments);

/// Adds --seed.
void add_seed_option(OptionTable& all);
/// --seed, by default the time in seconds.
std::int32_t seed_from(const Arguments& arguments);

/// Adds --alphabet; `otherwise` says what holds without it.
void add_alphabet_option(OptionTable& all, const std::string& otherwise);
/// --alphabet or, where a command has them, --amino and --nucleic, if given. Throws UsageError for two that
/// differ.
std::optional<AlphabetKind> alphabet_from(const Arguments& arguments);

/// How many devices a command can use.
enum class Devices { One, Several };
/// Adds --device and --cpu; `automatic` says what the device auto means.
void add_compute_options(OptionTable& all, Devices count = Devices::Several,
                         const std::string& automatic = "auto");
/// Adds --device only.
void add_device_option(OptionTable& all, Devices count, const std::string& automatic = "auto");
/// Adds --cpu only.
void add_cpu_option(OptionTable& all);
/// --cpu, by default all processors this process may run on; at least 1.
unsigned threads_from(const Arguments& arguments);
/// True for a program of HMMER 2 without --cpu 0: worker threads count and report otherwise than one thread.
bool has_worker_threads(const Arguments& arguments);

}  // namespace gpuhmm::cli
