// Formats text with several threads and passes it on in order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "util/parallel.hpp"

namespace gpuhmm {

/// Calls format(first, last, text), which appends to `text`, for consecutive blocks of [0, count) of at most
/// `block` items on `threads` threads. Calls take(text) with the texts in order of their blocks, one at a
/// time.
template <class Format, class Take>
void ordered_blocks(unsigned threads, std::size_t count, std::size_t block, const Format& format,
                    const Take& take) {
  std::vector<std::string> texts(4 * std::max<std::size_t>(threads, 1));
  for (std::size_t start = 0; start < count; start += block * texts.size()) {
    const std::size_t blocks = std::min(texts.size(), (count - start + block - 1) / block);
    parallel_for(threads, blocks, 1, [&](std::size_t number, std::size_t) {
      const std::size_t first = start + number * block;
      texts[number].clear();
      format(first, std::min(first + block, count), texts[number]);
    });
    for (std::size_t number = 0; number < blocks; ++number) take(std::string_view(texts[number]));
  }
}

}  // namespace gpuhmm
