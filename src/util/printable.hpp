// Makes text from files, names and options safe for messages.
#pragma once

#include <string>
#include <string_view>

namespace gpuhmm {

/// Returns `text` as one line that is safe to print on a terminal. Valid UTF-8 stays, except control
/// characters (C0, C1, DEL), line and paragraph separators, and characters that change the writing direction.
/// These become \t, \n, \r or, like bytes that are not UTF-8, \xHH for each byte. The middle of text of more
/// than kLongestMessage bytes becomes " ... ".
std::string printable(std::string_view text);

inline constexpr std::size_t kLongestMessage = 6000;

}  // namespace gpuhmm
