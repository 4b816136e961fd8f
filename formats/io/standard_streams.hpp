// Standard input, output and error of programs that were started with some of them closed.
#pragma once

namespace gpuhmm {

/// Opens each of the descriptors 0 to 2 that is closed on /dev/null, so that no file opened later gets its
/// number and what is meant for standard output or error. Reading gives the end of the input at once. To be
/// called before anything else is opened.
void open_closed_standard_streams() noexcept;

/// True if this descriptor was closed when the program started: what is written to it is lost.
bool was_closed_at_start(int descriptor) noexcept;

}  // namespace gpuhmm
