// Options that several commands share: adding them to a table and reading their values.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/option_table.hpp"
#include "gpuhmm/alphabet.hpp"
#include "gpuhmm/device.hpp"
#include "gpuhmm/hits.hpp"
#include "gpuhmm/sequence_file.hpp"
#include "gpuhmm/tables.hpp"

namespace gpuhmm::cli {

/// Adds -E -T -Z --domE --domT --cut_ga --cut_nc --cut_tc --null2 --forward --xnu, with help for this kind of
/// run.
void add_threshold_options(OptionTable& all, ReportKind kind);
/// The values of these options.
Thresholds thresholds_from(const Arguments& arguments);

/// Adds -o, --output. Its help is `what` ("write the report") followed by "to FILE".
void add_output_option(OptionTable& all, const std::string& what);
/// Adds --output ("output" or "output,o") as another way to give the argument number `place`, which is an
/// output. `shown` is the argument's name in help.
void add_output_argument(OptionTable& all, std::string_view names, std::size_t place,
                         const std::string& shown);
/// The file that -o gives, by default "-" for standard output.
std::string output_from(const Arguments& arguments);
/// The file that -o gives, if it is given and is not standard output.
std::optional<std::string> output_file_from(const Arguments& arguments);

/// Adds -q, --quiet, with the help `quiet`, and --stats.
void add_message_options(OptionTable& all, const std::string& quiet);

/// Adds --append and --force for the output that help calls `output`. `kind` is inserted into the help of
/// --append.
void add_replacing_options(OptionTable& all, const std::string& output, const std::string& kind = "");

/// Adds --format, the layout of the output: one of `layouts`, by default the first.
void add_format_option(OptionTable& all, std::vector<std::string> layouts, const std::string& text);
/// The layout of tables that --format (space or tab) selects.
TableLayout table_layout_from(const Arguments& arguments);

/// Adds --informat, the format of the argument that help calls `what`.
void add_informat_option(OptionTable& all, const std::string& what);
/// --informat, if given. Throws UsageError for unknown names.
std::optional<SequenceFormat> informat_from(const Arguments& arguments);

/// Adds --seed.
void add_seed_option(OptionTable& all);
/// --seed, by default the time in seconds.
std::int32_t seed_from(const Arguments& arguments);

/// Adds --alphabet. `otherwise` describes the default.
void add_alphabet_option(OptionTable& all, const std::string& otherwise);
/// The alphabet that --alphabet, --amino or --nucleic gives, if any. Throws UsageError if they contradict
/// each other.
std::optional<AlphabetKind> alphabet_from(const Arguments& arguments);

/// Whether the text of --device names devices, which then have to be listed.
bool names_devices(const std::string& device);

/// How many devices a command can use.
enum class Devices { One, Several };
/// Adds --device and --cpu. `automatic` is the help for the device auto.
void add_compute_options(OptionTable& all, Devices count = Devices::Several,
                         const std::string& automatic = "auto");
/// Adds --device.
void add_device_option(OptionTable& all, Devices count, const std::string& automatic = "auto");
/// The device that `spec`, a value of --device, names. "all" is the first GPU. No device for "none", nor for
/// "auto" unless `worth_starting`. Throws UsageError for several devices, DeviceError if there is no such
/// device.
std::optional<DeviceInfo> one_device(const std::string& spec, bool worth_starting);
/// Adds --cpu.
void add_cpu_option(OptionTable& all);
/// The number of processors this process may run on.
unsigned processors();
/// The number of threads that --cpu gives, at least 1; by default the number of processors this process may
/// run on.
unsigned threads_from(const Arguments& arguments);
/// Of `available` threads those to be used beside so many devices, unless the user says how many: 32, or 8
/// for each device if that is more.
unsigned threads_beside(std::size_t devices, unsigned available);
/// True for a drop-in without --cpu 0: HMMER 2's worker threads count and report differently than its serial
/// code.
bool has_worker_threads(const Arguments& arguments);

}  // namespace gpuhmm::cli
