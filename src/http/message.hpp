// Requests and responses of HTTP/1.1, as far as gpuhmm needs them.
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>

namespace gpuhmm::http {

/// The status codes that are sent.
enum Status : unsigned {
  kOk = 200,
  kBadRequest = 400,
  kNotFound = 404,
  kMethodNotAllowed = 405,
  kTooLarge = 413,
  kUnavailable = 503,
  kDeadlinePassed = 504
};

/// A request, read whole.
struct Request {
  std::string method = "GET";
  std::string target;  ///< the path
  std::string content_type, body;
};

/// A response, sent whole.
struct Response {
  unsigned status = kOk;
  std::string content_type, body;
};

/// What may go wrong with a connection; what() is one line of text.
class HttpError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using Clock = std::chrono::steady_clock;

}  // namespace gpuhmm::http
