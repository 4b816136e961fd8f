// How SIGTERM and SIGINT end a server.
#pragma once

#include <functional>
#include <mutex>

#include "http/event.hpp"

namespace gpuhmm::cli {

/// Takes the signals SIGTERM and SIGINT of the whole program. It is made before all other threads and lives
/// until the program ends.
class Ending {
 public:
  /// Until expect() is called, a signal ends the program as it does without this.
  Ending();
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;

  /// From now on the first signal makes begun() readable, and each further one calls `hurry`, in another
  /// thread.
  void expect(std::function<void()> hurry);
  int begun() const { return begun_.descriptor(); }

 private:
  void take(int signal);

  http::Event begun_;
  std::mutex mutex_;  // of all below
  std::function<void()> hurry_;
  bool has_begun_ = false;
};

}  // namespace gpuhmm::cli
