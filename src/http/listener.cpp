// Opens sockets of the families AF_UNIX, AF_INET and AF_INET6.
#include "http/listener.hpp"

#include <netdb.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>

#include "http/message.hpp"

namespace gpuhmm::http {

namespace {

[[noreturn]] void fail(const std::string& what, int error) {
  throw HttpError(what + ": " + std::generic_category().message(error));
}

sockaddr_un address_of_path(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) {
    throw HttpError(path + ": the path of a socket; expected 1 to " +
                    std::to_string(sizeof address.sun_path - 1) + " bytes");
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

Descriptor unix_socket(const std::string& path) {
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (socket.get() < 0) fail(path + ": no socket can be made", errno);
  return socket;
}

bool connects(int socket, const sockaddr_un& address) {
  int done = 0;
  do {
    done = ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  } while (done != 0 && errno == EINTR);
  return done == 0;
}

// Removes a socket file on which nothing listens.
void remove_stale(const std::string& path, const sockaddr_un& address) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return;
  if (!S_ISSOCK(status.st_mode)) throw HttpError(path + ": exists and is no socket; expected another path");
  const Descriptor socket = unix_socket(path);
  if (connects(socket.get(), address)) throw HttpError(path + ": a server answers there already");
  if (errno != ECONNREFUSED) fail(path + ": cannot be replaced", errno);
  ::unlink(path.c_str());
}

}  // namespace

UnixListener::UnixListener(const std::string& path) : path_(path) {
  constexpr int kWaiting = 128;
  const sockaddr_un address = address_of_path(path);
  remove_stale(path, address);
  socket_ = unix_socket(path);
  ::fchmod(socket_.get(), 0600);  // the file's permissions, from the moment it appears
  file_ = UnfinishedFile(path);
  if (::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    fail(path + ": cannot be listened on", errno);
  }
  if (::listen(socket_.get(), kWaiting) != 0) fail(path + ": cannot be listened on", errno);
}

UnixListener::~UnixListener() { ::unlink(path_.c_str()); }

Descriptor listen_on(const std::string& given) {
  constexpr int kWaiting = 128;
  const std::size_t colon = given.rfind(':');
  if (colon == std::string::npos) throw HttpError(given + ": expected ADDRESS:PORT");
  std::string address = given.substr(0, colon);
  if (address.empty()) address = "127.0.0.1";
  if (address.starts_with('[') && address.ends_with(']')) address = address.substr(1, address.size() - 2);
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  if (const int error = ::getaddrinfo(address.c_str(), given.substr(colon + 1).c_str(), &wanted, &found)) {
    throw HttpError(given + ": " + ::gai_strerror(error) + "; expected a numeric ADDRESS:PORT");
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, ::freeaddrinfo);
  Descriptor socket(::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int on = 1;
  if (socket.get() < 0 || ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      ::bind(socket.get(), found->ai_addr, found->ai_addrlen) != 0 || ::listen(socket.get(), kWaiting) != 0) {
    fail(given + ": cannot be listened on", errno);
  }
  return socket;
}

std::string address_of(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  char host[NI_MAXHOST], port[NI_MAXSERV];
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0 ||
      ::getnameinfo(reinterpret_cast<sockaddr*>(&address), size, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
    return "?";
  }
  const std::string text = host;
  return (text.find(':') == std::string::npos ? text : "[" + text + "]") + ":" + port;
}

Descriptor accept_from(int listener) {
  int socket = -1;
  do {
    socket = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
  } while (socket < 0 && errno == EINTR);
  return Descriptor(socket);
}

Descriptor connect_to(const std::string& path) {
  const sockaddr_un address = address_of_path(path);
  Descriptor socket = unix_socket(path);
  if (!connects(socket.get(), address)) fail(path + ": no server answers", errno);
  return socket;
}

}  // namespace gpuhmm::http
