// Sockets that listen, on a path of the file system or an address of the network, and connections to them.
#pragma once

#include <cstdint>
#include <string>

#include "gpuhmm/output.hpp"
#include "http/descriptor.hpp"

namespace gpuhmm::http {

/// Listens on the socket file `path`, which is removed at destruction and by signals that end the program.
class UnixListener {
 public:
  /// Replaces a socket file on which nothing listens. Throws HttpError: a server answers there, the path is
  /// another file or too long, no permission.
  explicit UnixListener(const std::string& path);
  ~UnixListener();
  UnixListener(const UnixListener&) = delete;
  UnixListener& operator=(const UnixListener&) = delete;

  int socket() const { return socket_.get(); }

 private:
  std::string path_;
  UnfinishedFile file_;
  Descriptor socket_;
};

/// Listens on `address`: "ADDRESS:PORT" with a numeric address ("[::1]:80"), or ":PORT" for the loopback
/// address 127.0.0.1. Port 0: any free one. Throws HttpError.
Descriptor listen_on(const std::string& address);

/// The address "ADDRESS:PORT" on which the socket listens.
std::string address_of(int socket);

/// The socket of the next connection; -1 if there is none any more.
Descriptor accept_from(int listener);

/// Connects to the server that listens on the socket file `path`. Throws HttpError.
Descriptor connect_to(const std::string& path);

}  // namespace gpuhmm::http
