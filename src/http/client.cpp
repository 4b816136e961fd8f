// Writes requests and reads responses by Boost.Beast.
#include "http/client.hpp"

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <limits>
#include <utility>

#include "http/connection.hpp"
#include "http/listener.hpp"

namespace gpuhmm::http {

namespace beast = boost::beast;

namespace {

constexpr std::size_t kReadSize = std::size_t{64} << 10;

}  // namespace

struct Client::State {
  explicit State(Descriptor socket)
      : connection(std::move(socket), std::chrono::milliseconds(std::numeric_limits<int>::max())) {
    buffer.reserve(kReadSize);
  }

  Connection connection;  // waits without an end: a search may take hours
  beast::flat_buffer buffer;
};

Client::Client(const std::string& path) : path_(path), state_(std::make_unique<State>(connect_to(path))) {}
Client::~Client() = default;

Response Client::send(Request request) {
  beast::http::request<beast::http::string_body> message(beast::http::string_to_verb(request.method),
                                                         request.target, 11);
  message.set(beast::http::field::host, "localhost");
  message.set(beast::http::field::content_type, request.content_type);
  message.body() = std::move(request.body);
  message.prepare_payload();
  boost::system::error_code error;
  beast::http::response_parser<beast::http::string_body> parser;
  parser.body_limit(std::numeric_limits<std::uint64_t>::max());
  beast::http::write(state_->connection, message, error);
  // A server that refuses a request may answer before it has read all.
  boost::system::error_code failed;
  beast::http::read(state_->connection, state_->buffer, parser, failed);
  if (!error || failed)
    error = failed;
  else
    error = {};
  if (error) throw HttpError(path_ + ": the server has ended the connection: " + error.message());
  return {parser.get().result_int(), std::string(parser.get()[beast::http::field::content_type]),
          std::move(parser.get().body())};
}

}  // namespace gpuhmm::http
