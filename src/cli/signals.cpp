// Implements the signal handlers. Code that runs in a handler must be async-signal-safe.
#include "cli/signals.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "cli/progress.hpp"
#include "gpuhmm/output.hpp"

namespace gpuhmm::cli {

namespace {

// Signals that do not end a program by default, that cannot be handled, or that handle_signals() ignores.
constexpr std::array kLeftAlone = {SIGCHLD, SIGCONT, SIGURG,  SIGWINCH, SIGTSTP, SIGTTIN,
                                   SIGTTOU, SIGSTOP, SIGKILL, SIGPIPE,  SIGXFSZ};
// Signals by which users end a program: they need no message.
constexpr std::array kByTheUser = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

template <std::size_t size>
constexpr bool holds(const std::array<int, size>& signals, int signal) {
  return std::find(signals.begin(), signals.end(), signal) != signals.end();
}

// Writes to standard error and ignores failures.
void say(const char* text) {
  const ssize_t written = ::write(STDERR_FILENO, text, std::strlen(text));
  static_cast<void>(written);
}

void say_signal(int signal) {
  const char* const name = ::sigabbrev_np(signal);  // null for real-time signals
  const char* const meaning = ::sigdescr_np(signal);
  say("gpuhmm: ended by signal ");
  if (name == nullptr || meaning == nullptr) {
    const char digits[] = {static_cast<char>('0' + signal / 10), static_cast<char>('0' + signal % 10), '\0'};
    say(digits);
  } else {
    say("SIG");
    say(name);
    say(" (");
    say(meaning);
    say(")");
  }
  say("; unfinished output files are removed\n");
}

// Of say_at_signals(): with its newline, ended by '\0'.
constexpr std::size_t kLongestLine = 8192;
std::array<char, kLongestLine + 2> line_at_signals{};

extern "C" void on_signal(int signal) {
  clear_progress_line();
  say(line_at_signals.data());
  if (!holds(kByTheUser, signal)) say_signal(signal);
  end_by_signal(signal);
}

}  // namespace

void say_at_signals(const std::string& line) {
  line_at_signals[0] = '\0';
  const std::size_t size = std::min(line.size(), kLongestLine);
  if (size == 0) return;
  std::copy_n(line.begin() + 1, size - 1, line_at_signals.begin() + 1);
  line_at_signals[size] = '\n';
  line_at_signals[size + 1] = '\0';
  line_at_signals[0] = line[0];
}

void end_by_signal(int signal) noexcept {
  remove_unfinished_files();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
  // A signal is blocked while its own handler runs.
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void handle_signals() noexcept {
  for (const int signal : {SIGPIPE, SIGXFSZ}) ::signal(signal, SIG_IGN);
  struct sigaction ours {};
  ours.sa_handler = on_signal;
  ours.sa_flags = SA_RESTART;
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    struct sigaction before {};
    if (holds(kLeftAlone, signal) || ::sigaction(signal, &ours, &before) != 0) continue;
    if (before.sa_handler != SIG_DFL) ::sigaction(signal, &before, nullptr);
  }
}

}  // namespace gpuhmm::cli
