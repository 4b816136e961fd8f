// 128-bit integers, for sums that leave 64 bits.
#pragma once

#include <string>

namespace gpuhmm {

__extension__ typedef __int128 Int128;

/// In decimal.
std::string decimal_text(Int128 value);

}  // namespace gpuhmm
