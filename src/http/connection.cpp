// Reads and writes a socket that does not block, waiting with poll(2).
#include "http/connection.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <boost/asio/error.hpp>
#include <cerrno>
#include <tuple>
#include <utility>

#include "http/message.hpp"

namespace gpuhmm::http {

namespace {

using boost::system::error_code;

// Waits until one of `events` happens; an error after `patience`.
error_code wait_for(int socket, short events, std::chrono::milliseconds patience) {
  pollfd ready{socket, events, 0};
  const Clock::time_point end = Clock::now() + patience;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    const int found = ::poll(&ready, 1, left > 0 ? static_cast<int>(left) : 0);
    if (found > 0) return {};
    if (found == 0) return boost::asio::error::timed_out;
    if (errno != EINTR) return {errno, boost::system::system_category()};
  }
}

}  // namespace

Connection::Connection(Descriptor socket, std::chrono::milliseconds patience, int wake)
    : socket_(std::move(socket)), patience_(patience), wake_(wake) {
  ::fcntl(socket_.get(), F_SETFL, ::fcntl(socket_.get(), F_GETFL) | O_NONBLOCK);
}

bool Connection::wait_for_request() {
  std::array<pollfd, 2> ready = {pollfd{socket_.get(), POLLIN, 0}, pollfd{wake_, POLLIN, 0}};
  int found = 0;
  do {
    found = ::poll(ready.data(), ready.size(), static_cast<int>(patience_.count()));
  } while (found < 0 && errno == EINTR);
  return found > 0 && ready[1].revents == 0;
}

std::size_t Connection::receive(void* buffer, std::size_t size, error_code& error) {
  for (;;) {
    const ssize_t got = ::recv(socket_.get(), buffer, size, 0);
    if (got >= 0) {
      error = got == 0 ? error_code(boost::asio::error::eof) : error_code();
      return static_cast<std::size_t>(got);
    }
    if (errno == EINTR) continue;
    error = errno == EAGAIN ? wait_for(socket_.get(), POLLIN, patience_)
                            : error_code(errno, boost::system::system_category());
    if (error) return 0;
  }
}

std::size_t Connection::send(std::span<const boost::asio::const_buffer> pieces, error_code& error) {
  error = {};
  if (pieces.empty()) return 0;
  std::array<iovec, std::tuple_size_v<Pieces>> vectors;
  std::ranges::transform(pieces, vectors.begin(), [](const boost::asio::const_buffer& piece) {
    return iovec{const_cast<void*>(piece.data()), piece.size()};
  });
  msghdr message{};
  message.msg_iov = vectors.data();
  message.msg_iovlen = pieces.size();
  for (;;) {
    const ssize_t put = ::sendmsg(socket_.get(), &message, MSG_NOSIGNAL);
    if (put >= 0) return static_cast<std::size_t>(put);
    if (errno == EINTR) continue;
    error = errno == EAGAIN ? wait_for(socket_.get(), POLLOUT, patience_)
                            : error_code(errno, boost::system::system_category());
    if (error) return 0;
  }
}

}  // namespace gpuhmm::http
