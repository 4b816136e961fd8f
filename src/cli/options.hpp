// Options that several commands share, and checks of their values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/command.hpp"
#include "formats/sequence/sequence_format.hpp"
#include "plan7/hits.hpp"
#include "strings/sorter.hpp"

namespace gpuhmm::cli {

/// Adds -E -T -Z --domE --domT --cut_ga --cut_nc --cut_tc --null2 --forward --xnu.
void add_threshold_options(boost::program_options::options_description& all);
/// Reads them. Throws UsageError for values that are no numbers.
Thresholds thresholds_from(const boost::program_options::variables_map& given);

/// Adds --device and --cpu.
void add_compute_options(boost::program_options::options_description& all);
/// --cpu, by default all processors this process may run on; at least 1. Throws UsageError.
unsigned threads_from(const boost::program_options::variables_map& given);

/// Adds --device and --cpu for commands that sort.
void add_sorting_options(boost::program_options::options_description& all);
/// The sorter that --device asks for: with auto the first GPU if there is one and the input is worth starting
/// it, a file of many bytes. Throws DeviceError if the device cannot be used.
std::unique_ptr<Sorter> sorter_from(const boost::program_options::variables_map& given,
                                    const std::string& input);

/// Adds --memory.
void add_memory_option(boost::program_options::options_description& all);
/// --memory in bytes, by default half of the machine's memory. Throws UsageError.
std::uint64_t memory_from(const boost::program_options::variables_map& given);

/// The value of a string option, if given.
std::optional<std::string> text_option(const boost::program_options::variables_map& given, const char* name);

/// --informat, if given. Throws UsageError for unknown names.
std::optional<SequenceFormat> format_from(const boost::program_options::variables_map& given);

}  // namespace gpuhmm::cli
