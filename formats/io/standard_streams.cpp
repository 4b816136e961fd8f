// Opens standard input, output and error that were closed when the program started.
#include <fcntl.h>
#include <unistd.h>

#include <initializer_list>

#include "gpuhmm/output.hpp"

namespace gpuhmm {

namespace {

constinit bool closed_at_start[STDERR_FILENO + 1];

}  // namespace

void open_closed_standard_streams() noexcept {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0) continue;
    // open() returns the lowest free descriptor, which is this one: those below are open.
    closed_at_start[descriptor] = true;
    static_cast<void>(::open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY));
  }
}

bool was_closed_at_start(int descriptor) noexcept {
  return descriptor >= STDIN_FILENO && descriptor <= STDERR_FILENO && closed_at_start[descriptor];
}

}  // namespace gpuhmm
