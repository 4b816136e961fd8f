// Runs of words with their counts.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "companion/sorting/run.hpp"

namespace gpuhmm {

/// Adds a word of a run, as append_run_record does.
inline void append_counted(std::string_view word, std::uint64_t count, std::string& to) {
  append_run_record({word, {reinterpret_cast<const char*>(&count), sizeof count}}, to);
}

/// Merges runs of counted words: format(word, count, text) adds each word with its whole count to `text`,
/// which goes to take(text) in pieces. `meter` counts the merge as the last stretch.
template <class Format, class Take>
void merge_counts(RunMerger& runs, const Format& format, const Take& take, WorkMeter& meter) {
  constexpr std::size_t kText = std::size_t{1} << 20;
  std::string text, word;
  std::uint64_t count = 0;
  const auto flush = [&](std::size_t least) {
    if (count > 0) format(std::string_view(word), count, text);
    if (text.size() < least) return;
    take(std::string_view(text));
    text.clear();
  };
  runs.merge(
      [&](const SortRecord& record, bool same) {
        std::uint64_t more;
        std::memcpy(&more, record.body.data(), sizeof more);
        if (!same) {
          flush(kText);
          word.assign(record.key);
          count = 0;
        }
        count += more;
      },
      &meter);
  flush(0);
}

}  // namespace gpuhmm
