// How SSV cuts a model into bands, and which models it does not.
#pragma once

#include <cstddef>

namespace gpuhmm::hmmer3 {

/// The most vectors of nodes that SSV keeps in registers with the instruction set in use.
std::size_t widest_ssv_band();

/// The most nodes of a model for which SSV goes by diagonals instead of bands with the instruction set in
/// use.
std::size_t most_diagonal_nodes();

}  // namespace gpuhmm::hmmer3
