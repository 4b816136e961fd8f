// Runs that HTTP clients ask for in JSON (docs/serve.md).
#pragma once

#include <stdexcept>
#include <string>

#include "cli/commands/run_exchange.hpp"

namespace gpuhmm::cli {

/// A request is not as docs/serve.md says. what() is one line.
class BadRequest : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The run that the JSON text asks for; its only output is JSON on standard output. Throws BadRequest.
SentRun run_from_json(ReportKind kind, const std::string& text);

/// {"error": message} and, if it is not 0, {"code": code}.
std::string error_json(const std::string& message, int code = 0);

}  // namespace gpuhmm::cli
