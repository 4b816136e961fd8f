// The threads of the connections; Boost.Beast reads and writes what they carry.
#include "http/server.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <cerrno>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "http/listener.hpp"

namespace gpuhmm::http {

namespace {

namespace beast = boost::beast;

constexpr std::size_t kReadSize = std::size_t{64} << 10;
constexpr std::chrono::milliseconds kAfterFailure(20);

using Parser = beast::http::request_parser<beast::http::string_body>;
using Message = beast::http::response<beast::http::string_body>;

Response error_response(unsigned status, const std::string& text) {
  return {status, "application/json", "{\"error\":\"" + text + "\"}\n"};
}

void send(Connection& connection, Response&& response, bool keep_alive, bool only_header) {
  Message message;
  message.version(11);
  message.result(response.status);
  message.set(beast::http::field::content_type, response.content_type);
  message.keep_alive(keep_alive);
  message.body() = std::move(response.body);
  message.prepare_payload();
  beast::http::response_serializer<beast::http::string_body> serializer(message);
  boost::system::error_code error;
  if (only_header) {
    beast::http::write_header(connection, serializer, error);
  } else {
    beast::http::write(connection, serializer, error);
  }
  if (error) throw boost::system::system_error(error);
}

// Reads a request. False if the client sends none; throws for one that is damaged or too large.
bool read(Connection& connection, beast::flat_buffer& buffer, Parser& parser) {
  boost::system::error_code error;
  beast::http::read_header(connection, buffer, parser, error);
  if (error == beast::http::error::end_of_stream) return false;
  if (!error && beast::iequals(parser.get()[beast::http::field::expect], "100-continue")) {
    beast::http::response<beast::http::empty_body> go_on(beast::http::status::continue_, 11);
    beast::http::write(connection, go_on, error);
  }
  if (!error) beast::http::read(connection, buffer, parser, error);
  if (error) throw boost::system::system_error(error);
  return true;
}

// Ends a connection whose client may still be sending, so that it gets the response: closing it with bytes
// unread would take the response from it.
void linger(Connection& connection) {
  constexpr std::chrono::seconds kLongest(5);
  ::shutdown(connection.socket(), SHUT_WR);
  std::array<char, std::size_t{64} << 10> buffer;
  boost::system::error_code error;
  for (const Clock::time_point end = Clock::now() + kLongest; !error && Clock::now() < end;) {
    connection.read_some(boost::asio::buffer(buffer), error);
  }
}

// Sends a refusal, which small messages never wait for.
void refuse(Connection& connection) {
  try {
    send(connection, error_response(kUnavailable, "the server has too many connections; try again later"),
         false, false);
  } catch (const boost::system::system_error&) {
    return;  // the client has left
  }
}

}  // namespace

Awaited wait_with_client(int ready, int socket, Clock::time_point until) {
  std::array<pollfd, 2> polled = {pollfd{ready, POLLIN, 0}, pollfd{socket, POLLRDHUP, 0}};
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    const int found = ::poll(polled.data(), polled.size(),
                             static_cast<int>(std::clamp<decltype(left)>(left, 0, 3'600'000)));
    if (found < 0 && errno != EINTR) return Awaited::ClientLeft;
    if (found > 0 && polled[0].revents != 0) return Awaited::Ready;
    if (found > 0) return Awaited::ClientLeft;
    if (found == 0 && Clock::now() >= until) return Awaited::TimePassed;
  }
}

void Server::accept(std::span<const int> listeners, int stop) {
  std::vector<pollfd> polled = {pollfd{stop, POLLIN, 0}};
  for (const int listener : listeners) polled.push_back({listener, POLLIN, 0});
  for (;;) {
    if (::poll(polled.data(), polled.size(), -1) < 0) continue;
    if (polled[0].revents != 0) return;
    for (const pollfd& listener : std::span(polled).subspan(1)) {
      if (listener.revents == 0) continue;
      Descriptor socket = accept_from(listener.fd);
      if (socket.get() >= 0) {
        begin(std::move(socket), stop);
      } else {
        std::this_thread::sleep_for(kAfterFailure);  // there may be no descriptor left
      }
    }
  }
}

void Server::begin(Descriptor socket, int stop) {
  Connection connection(std::move(socket), limits_.patience, stop);
  const std::unique_lock lock(mutex_);
  if (connections_ == limits_.connections) return refuse(connection);
  try {
    std::thread([this, own = std::move(connection)]() mutable {
      serve(own);
      { const Connection closed = std::move(own); }
      const std::lock_guard end(mutex_);
      --connections_;
      ended_.notify_all();
    }).detach();
    ++connections_;
  } catch (const std::system_error&) {
    return;  // no thread can be made: the client sees the connection end
  }
}

void Server::join() {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return connections_ == 0; });
}

void Server::serve(Connection& connection) {
  beast::flat_buffer buffer;
  buffer.reserve(kReadSize);
  try {
    for (bool more = true; more;) {
      if (buffer.size() == 0 && !connection.wait_for_request()) return;
      Parser parser;
      parser.body_limit(limits_.body);
      if (!read(connection, buffer, parser)) return;
      const Message::fields_type& fields = parser.get();
      more = parser.get().keep_alive();
      const bool only_header = parser.get().method() == beast::http::verb::head;
      Request request{std::string(parser.get().method_string()), std::string(parser.get().target()),
                      std::string(fields[beast::http::field::content_type]), std::move(parser.get().body())};
      send(connection, handler_(request, connection.socket()), more, only_header);
    }
  } catch (const boost::system::system_error& error) {
    const bool is_large = error.code() == beast::http::error::body_limit;
    const bool is_damaged =
        error.code().category() == make_error_code(beast::http::error::bad_method).category();
    if (!is_damaged) return;  // the client has left, or sends nothing
    try {
      send(connection,
           is_large ? error_response(kTooLarge, "the request has more than " + std::to_string(limits_.body) +
                                                    " bytes, the most that the server takes")
                    : error_response(kBadRequest, "no HTTP request: " + error.code().message()),
           false, false);
      linger(connection);
    } catch (const boost::system::system_error&) {
      return;
    }
  }
}

}  // namespace gpuhmm::http
