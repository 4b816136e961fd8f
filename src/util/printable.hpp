// Text of files, names and options made safe for messages.
#pragma once

#include <string>
#include <string_view>

namespace gpuhmm {

/// `text` as one line that a terminal only shows: valid UTF-8 stays, but for control characters (C0, C1,
/// DEL), the separators of lines and paragraphs, and characters that turn the direction of writing. These
/// become \t, \n, \r or, byte by byte and as bytes that are no UTF-8, \xHH. Of text of more than
/// kLongestMessage bytes the middle becomes " ... ".
std::string printable(std::string_view text);

inline constexpr std::size_t kLongestMessage = 6000;

}  // namespace gpuhmm
