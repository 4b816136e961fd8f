// What a search or a scan works with besides its arguments: its inputs, outputs and messages. For the command
// line these are files and standard streams; a server keeps them in memory (src/cli/serve).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/run_files.hpp"
#include "gpuhmm/database.hpp"
#include "gpuhmm/hmmer3_run.hpp"
#include "gpuhmm/profile_file.hpp"
#include "gpuhmm/run_plan.hpp"
#include "gpuhmm/search.hpp"

namespace gpuhmm::cli {

class PartRun;

/// An input in memory.
struct HeldInput {
  HeldSequences sequences;  ///< its bytes, if it is not a prepared database
  std::string failure;      ///< if not empty: it cannot be opened, for this reason
  /// The HMMER2 profiles of a file that holds no others; null: to be read from the bytes.
  std::shared_ptr<const std::vector<Profile>> profiles;
  /// The sequences for the engines of the context; null: not resident.
  ResidentSequences* resident = nullptr;
};

/// An input of a run.
struct RunInput {
  std::string path;                       ///< where it was found; "-" is standard input
  std::shared_ptr<const HeldInput> held;  ///< null: the file at `path`
};

/// The engines and devices of a server, which outlive its runs.
struct SharedEngines {
  EnginePool& engines;             ///< for HMMER2 profiles
  hmmer3::OpenedDevices* devices;  ///< for HMMER3 profiles; null: none
  bool device_named;               ///< by the user, so that all work goes to devices
  unsigned threads;                ///< the most that a run uses
};

/// A place and a clock, as tables mention them.
struct Surroundings {
  std::string directory;
  long utc_offset;  ///< seconds
};

/// All of one run.
struct RunContext {
  RunInput profiles, sequences;
  RunFiles files;
  /// Called behind the last section, when all files are in place; need not return.
  std::function<void()> end;
  PartRun* part = nullptr;  ///< gets the results; null: they are written to `files`

  const SharedEngines* shared = nullptr;  ///< null: the run makes its own engines
  bool silent = false;                    ///< the run shows no progress
  /// The run is a sample of one of this size, and uses the devices that the whole would use.
  std::optional<RunSize> sample_of;
  /// Gets the totals of each section and the number of its hits, pairs of a profile and a sequence.
  std::function<void(const SearchStatistics& statistics, std::int64_t hits)> totals;

  std::function<void(const std::string&)> warn;  ///< gets warnings; none: they go to standard error

  // Of a server only:
  const std::atomic<bool>* stop = nullptr;   ///< ends the run (RunOptions::stop)
  std::optional<Surroundings> surroundings;  ///< the client's
  /// Why the files of the client cannot be those of one run; empty: they can. Nothing: to be checked here.
  std::optional<std::string> conflict;
};

/// A section of a run: the profiles of one generation.
struct RunSection {
  RunContext& context;
  std::function<bool()> more;  ///< asked at the end of the section: whether another one follows
};

/// Gives the context its totals, if it takes any.
void tell_totals(const RunSection& section, const SearchStatistics& statistics, std::int64_t hits);

/// What observers do at the end of a section: behind the last one all files are put in place and, after
/// `last_words`, the run ends.
void end_section(const RunSection& section, const std::function<void()>& last_words);

/// Opens the sequences of a run, or those of its part. Both arguments must outlive the function.
SequenceOpener opener_of(const SequenceSource& source, const RunContext& context);

/// The context of a command line with these arguments; its run ends the program.
RunContext command_line_context(const std::vector<std::string>& positional);

}  // namespace gpuhmm::cli
