// A thread waits for the signals, which are blocked in all others.
#include "cli/serve/ending.hpp"

#include <pthread.h>

#include <csignal>
#include <thread>

#include "cli/signals.hpp"

namespace gpuhmm::cli {

namespace {

sigset_t ending_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGTERM);
  ::sigaddset(&set, SIGINT);
  return set;
}

}  // namespace

Ending::Ending() {
  const sigset_t set = ending_signals();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::thread([this, set] {
    for (int signal = 0; ::sigwait(&set, &signal) == 0;) take(signal);
  }).detach();
}

void Ending::expect(std::function<void()> hurry) {
  const std::lock_guard lock(mutex_);
  hurry_ = std::move(hurry);
}

void Ending::take(int signal) {
  const std::lock_guard lock(mutex_);
  if (!hurry_) {
    end_by_signal(signal);
  } else if (has_begun_) {
    hurry_();
  } else {
    has_begun_ = true;
    begun_.happen();
  }
}

}  // namespace gpuhmm::cli
