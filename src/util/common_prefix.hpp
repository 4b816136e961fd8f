// Finds where two byte strings begin to differ.
#pragma once

#include <cstddef>
#include <cstring>

namespace gpuhmm {

/// Length of the common prefix of `a` and `b`, at most `most` bytes.
inline std::size_t common_prefix(const char* a, const char* b, std::size_t most) {
  std::size_t same = 0;
  while (same + 8 <= most && std::memcmp(a + same, b + same, 8) == 0) same += 8;
  while (same < most && a[same] == b[same]) ++same;
  return same;
}

}  // namespace gpuhmm
