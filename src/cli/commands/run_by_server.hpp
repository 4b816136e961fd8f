// `gpuhmm search|scan --server PATH`: sends the run to a server and writes what it answers.
#pragma once

#include <string>
#include <string_view>

#include "cli/arguments.hpp"
#include "cli/commands/run_context.hpp"
#include "gpuhmm/hits.hpp"

namespace gpuhmm::cli {

/// Runs here, by `run`, or by the server that --server names. Throws as either does.
void run_here_or_by_server(const Arguments& arguments, ReportKind kind,
                           void (*run)(const Arguments& arguments, RunContext& context));

/// Has the server that --server names do the run, and ends the program as the run would have. Reads inputs
/// that the server does not hold, and writes all outputs. Throws UsageError for options that are the
/// server's; FileError, HttpError; std::runtime_error with what the server says if it refuses.
void run_by_server(const Arguments& arguments, ReportKind kind);

/// The options of a run that a server decides by its own.
inline constexpr std::string_view kServersOptions[] = {"device", "verify", "stats"};
/// Throws UsageError if one is given.
void refuse_servers_options(const Arguments& arguments);

}  // namespace gpuhmm::cli
