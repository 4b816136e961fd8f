// How SSV cuts a model into bands.
#pragma once

#include <cstddef>

namespace gpuhmm::hmmer3 {

/// The most vectors of nodes that SSV keeps in registers with the instruction set in use.
std::size_t widest_ssv_band();

}  // namespace gpuhmm::hmmer3
