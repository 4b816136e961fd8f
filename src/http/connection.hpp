// A connected socket whose reads and writes end at a time limit, as a stream for Boost.Beast.
#pragma once

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>
#include <chrono>
#include <cstddef>
#include <span>

#include "http/descriptor.hpp"

namespace gpuhmm::http {

/// Beast's SyncReadStream and SyncWriteStream on a socket. One thread at a time may use it.
class Connection {
 public:
  /// Each read or write that waits longer than `patience` fails with timed_out. `wake`: a descriptor that,
  /// once it is readable, ends waiting for the first byte of a request (wait_for_request); -1: none.
  Connection(Descriptor socket, std::chrono::milliseconds patience, int wake = -1);

  int socket() const { return socket_.get(); }
  /// Waits until there is something to read. False if `wake` is readable, or after `patience`.
  bool wait_for_request();

  template <class Buffers>
  std::size_t read_some(const Buffers& buffers, boost::system::error_code& error) {
    for (auto at = boost::asio::buffer_sequence_begin(buffers); at != buffer_sequence_end(buffers); ++at) {
      const boost::asio::mutable_buffer buffer(*at);
      if (buffer.size() > 0) return receive(buffer.data(), buffer.size(), error);
    }
    error = {};
    return 0;
  }
  template <class Buffers>
  std::size_t write_some(const Buffers& buffers, boost::system::error_code& error) {
    Pieces pieces;
    std::size_t count = 0;
    for (auto at = boost::asio::buffer_sequence_begin(buffers);
         at != buffer_sequence_end(buffers) && count < pieces.size(); ++at) {
      const boost::asio::const_buffer buffer(*at);
      if (buffer.size() > 0) pieces[count++] = buffer;
    }
    return send(std::span(pieces).first(count), error);
  }
  template <class Buffers>
  std::size_t read_some(const Buffers& buffers) {
    boost::system::error_code error;
    const std::size_t got = read_some(buffers, error);
    if (error) throw boost::system::system_error(error);
    return got;
  }
  template <class Buffers>
  std::size_t write_some(const Buffers& buffers) {
    boost::system::error_code error;
    const std::size_t put = write_some(buffers, error);
    if (error) throw boost::system::system_error(error);
    return put;
  }

 private:
  using Pieces = std::array<boost::asio::const_buffer, 32>;  // sent together

  std::size_t receive(void* buffer, std::size_t size, boost::system::error_code& error);
  std::size_t send(std::span<const boost::asio::const_buffer> pieces, boost::system::error_code& error);

  Descriptor socket_;
  std::chrono::milliseconds patience_;
  int wake_;
};

}  // namespace gpuhmm::http
