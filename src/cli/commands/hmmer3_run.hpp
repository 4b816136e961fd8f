// Runs a search or a scan with HMMER3 profiles.
#pragma once

#include "cli/commands/hmmer3_request.hpp"
#include "cli/commands/run_context.hpp"
#include "gpuhmm/hmmer3_run.hpp"

namespace gpuhmm::cli {

/// Throws UsageError if an output would replace an input of the context, or another output, or has an empty
/// name. `as_hmmer3`: the last is found later, and several outputs may go to standard output.
void check_files(const Hmmer3OutputPaths& paths, const RunContext& context, bool as_hmmer3 = false);

/// Runs the request as a section of a run. The last section ends it (RunContext::end). Throw FileError,
/// SearchError, ImpossibleComparison. `reopenable` as for search() and scan().
void search_hmmer3(const Hmmer3Request& request, hmmer3::ProfileReader& profiles,
                   const SequenceOpener& open_sequences, bool reopenable, const RunSection& section);
void scan_hmmer3(const Hmmer3Request& request, const hmmer3::ProfileOpener& open_profiles, bool reopenable,
                 const SequenceOpener& open_sequences, const RunSection& section);

/// Runs the request of a drop-in name: files are found, opened and told apart as HMMER3 does, and what was
/// written before an error stays. Ends the program by leave(). Throws as the others do, and UsageError.
void run_hmmer3(const Hmmer3Request& request);

}  // namespace gpuhmm::cli
