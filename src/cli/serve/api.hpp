// The resources of the server: which request gets which response (docs/serve.md).
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "cli/commands/run_exchange.hpp"
#include "cli/serve/held_files.hpp"
#include "cli/serve/job_queue.hpp"
#include "http/message.hpp"

namespace gpuhmm::cli {

/// Answers requests. All arguments must outlive it. Any thread may call.
class Api {
 public:
  struct Settings {
    std::optional<std::chrono::milliseconds> deadline;  ///< of a run, from its arrival on
    std::size_t most_bytes;                             ///< of a request
    unsigned jobs;                                      ///< runs at a time
    std::size_t queue;                                  ///< runs that may wait
  };
  Api(const HeldFiles& files, const SharedEngines& engines, JobQueue& queue, const Settings& settings)
      : files_(files), engines_(engines), queue_(queue), settings_(settings) {}

  /// The response to a request that came by `socket`.
  http::Response respond(const http::Request& request, int socket) const noexcept;

 private:
  http::Response route(const http::Request& request, int socket) const;
  http::Response status() const;
  http::Response files() const;
  http::Response run(const http::Request& request, int socket) const;
  http::Response run_json(ReportKind kind, const http::Request& request, int socket) const;
  template <class Respond>
  http::Response in_queue(SentRun&& run, int socket, const Respond& respond) const;

  const HeldFiles& files_;
  const SharedEngines& engines_;
  JobQueue& queue_;
  Settings settings_;
};

}  // namespace gpuhmm::cli
