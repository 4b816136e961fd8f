// Runs by shares: what a share is of, and the share that --shard asks for.
#pragma once

#include "cli/arguments.hpp"
#include "cli/commands/run_context.hpp"
#include "cli/option_table.hpp"
#include "gpuhmm/hits.hpp"
#include "gpuhmm/parts.hpp"

namespace gpuhmm::cli {

/// Does a run, as run_search() and run_scan().
using RunFunction = void (*)(const Arguments& arguments, RunContext& context);

/// Adds --shard and, for scans, --shard-by.
void add_shard_options(OptionTable& all, ReportKind kind);

/// The options that name outputs other than the report.
inline constexpr const char* kTableOutputs[] = {"tblout", "domtblout", "json", "pfamtblout", "msa"};

/// The header of a part of this run, number 1 of 1. Reads both inputs. Throws UsageError if one of them can
/// be read only once; FileError.
PartHeader part_header(const Arguments& arguments, ReportKind kind, const RunContext& context);

/// Throws UsageError for --shard-by, which says nothing of a run without --shard.
void refuse_shard_by(const Arguments& arguments, ReportKind kind);

/// Does the share of the run that --shard asks for, and writes it to the file that -o gives.
void run_shard(const Arguments& arguments, ReportKind kind, RunFunction run);

}  // namespace gpuhmm::cli
