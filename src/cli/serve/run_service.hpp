// Does the runs that clients send, with the files and engines of the server.
#pragma once

#include <atomic>
#include <stdexcept>

#include "cli/commands/run_exchange.hpp"
#include "cli/serve/held_files.hpp"

namespace gpuhmm::cli {

/// A request names a file that the server does not hold.
class NotHeld : public std::runtime_error {
 public:
  explicit NotHeld(const std::string& name) : std::runtime_error("the server holds no file " + name) {}
};

/// Throws NotHeld if an input of the run is said to be held and is not.
void check_held(const SentRun& run, const HeldFiles& files);

/// Does the run; its outputs stay in memory. `stop` ends it as RunOptions::stop does.
RunAnswer done_run(const SentRun& run, const HeldFiles& files, const SharedEngines& engines,
                   const std::atomic<bool>& stop);

}  // namespace gpuhmm::cli
