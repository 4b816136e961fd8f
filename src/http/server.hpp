// Reads requests from connections, each in its own thread, and sends the responses that a handler gives.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <span>
#include <utility>

#include "http/connection.hpp"
#include "http/message.hpp"

namespace gpuhmm::http {

/// What a server allows its clients.
struct Limits {
  std::size_t connections = 64;                ///< open at a time; further ones get kUnavailable
  std::size_t body = std::size_t{1} << 28;     ///< bytes of a request; larger ones get kTooLarge
  std::chrono::milliseconds patience{30'000};  ///< for the next bytes of a client
};

/// Makes the response to a request that came by `socket`, with which wait_with_client() can tell whether
/// anyone still waits for it. Called from many threads; must not throw.
using Handler = std::function<Response(const Request& request, int socket)>;

/// Waits until `ready` is readable, the client of `socket` has closed its connection, or `until`.
enum class Awaited { Ready, ClientLeft, TimePassed };
Awaited wait_with_client(int ready, int socket, Clock::time_point until);

/// An HTTP/1.1 server.
class Server {
 public:
  Server(Handler handler, Limits limits) : handler_(std::move(handler)), limits_(limits) {}

  /// Accepts connections to the sockets `listeners` until `stop` is readable.
  void accept(std::span<const int> listeners, int stop);
  /// Waits until all connections have ended. They end behind the request that they are at.
  void join();

 private:
  void begin(Descriptor socket, int stop);
  void serve(Connection& connection);

  Handler handler_;
  Limits limits_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::size_t connections_ = 0;
};

}  // namespace gpuhmm::http
