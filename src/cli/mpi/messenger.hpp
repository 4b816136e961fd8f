// Messages between the ranks of an MPI run. gpuhmm itself is not linked with MPI: the component
// `gpuhmm_mpi`, a shared library, is loaded when it is needed.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gpuhmm::cli {

/// A message and the rank that sent it.
struct Message {
  int from = 0;
  std::string bytes;
};

/// One process of an MPI run. Only the thread that made it may call it.
class Messenger {
 public:
  virtual ~Messenger() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Rank and number of ranks among those that run on this machine.
  virtual int local_rank() const = 0;
  virtual int local_size() const = 0;

  /// Sends a message, which may be of any size.
  virtual void send(int to, std::string_view bytes) = 0;
  /// The next message from any rank; nothing if none comes within this time.
  virtual std::optional<Message> receive(std::chrono::milliseconds wait) = 0;
  /// Waits until all ranks have come here, and leaves MPI.
  virtual void finish() = 0;
  /// Ends all ranks.
  [[noreturn]] virtual void abort(int code) = 0;
};

/// Enters MPI. Throws std::runtime_error if the component is not installed, or was built for another version
/// of gpuhmm.
std::unique_ptr<Messenger> join_mpi();

/// What the component gives: its version of this interface, and the function that makes a Messenger.
inline constexpr int kMessengerVersion = 1;
extern "C" {
using MessengerVersion = int (*)();
using MakeMessenger = Messenger* (*)();
}

}  // namespace gpuhmm::cli
