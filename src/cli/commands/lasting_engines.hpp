// Engines and devices that serve several runs of one process.
#pragma once

#include <optional>
#include <string>

#include "cli/commands/run_context.hpp"
#include "gpuhmm/engine.hpp"
#include "gpuhmm/hmmer3_run.hpp"

namespace gpuhmm::cli {

class LastingEngines {
 public:
  /// Opens the devices that `device` (--device) names, with "auto" the first GPU. Failures are warned of on
  /// standard error. Throws DeviceError.
  LastingEngines(const std::string& device, unsigned threads, const Verification& verification = {});

  /// For RunContext::shared; this must outlive the runs.
  SharedEngines shared() { return {pool_, devices_ ? &*devices_ : nullptr, named_, threads_}; }
  const EnginePool& pool() const { return pool_; }

 private:
  EnginePool pool_;
  bool named_;
  unsigned threads_;
  std::optional<hmmer3::OpenedDevices> devices_;
};

}  // namespace gpuhmm::cli
