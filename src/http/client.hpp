// Sends requests to a server on a Unix socket.
#pragma once

#include <memory>
#include <string>

#include "http/message.hpp"

namespace gpuhmm::http {

/// One connection, for any number of requests, one after the other.
class Client {
 public:
  /// Connects to the server that listens on the socket file `path`. Throws HttpError.
  explicit Client(const std::string& path);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// Sends the request and waits for the response. Throws HttpError: the server has left, or gives no HTTP.
  Response send(Request request);

 private:
  struct State;
  std::string path_;
  std::unique_ptr<State> state_;
};

}  // namespace gpuhmm::http
