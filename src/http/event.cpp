// An event is an eventfd(2) that nobody reads.
#include "http/event.hpp"

#include <sys/eventfd.h>

#include <cerrno>
#include <system_error>

#include "http/message.hpp"

namespace gpuhmm::http {

Event::Event() : descriptor_(::eventfd(0, EFD_CLOEXEC)) {
  if (descriptor_.get() < 0)
    throw HttpError("no event can be made: " + std::generic_category().message(errno));
}

void Event::happen() noexcept { ::eventfd_write(descriptor_.get(), 1); }

}  // namespace gpuhmm::http
