// Writes `.npy` files.
#pragma once

#include "formats/numbers/numbers.hpp"
#include "gpuhmm/output.hpp"

namespace gpuhmm {

/// Writes the array as `.npy` version 1.0 (numpy.lib.format), little-endian, C order. Throws FileError.
void write_npy(OutputFile& out, const NumberArray& array);

}  // namespace gpuhmm
