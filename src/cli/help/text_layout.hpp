// Plain text laid out in columns of a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gpuhmm::cli {

/// Columns of every line of help.
constexpr std::size_t kHelpColumns = 80;

/// The words of `text` in lines of at most kHelpColumns columns, each ended by a newline. The first line goes
/// on after `begun`, which may hold text already; the others are indented by `indent` blanks. A word that is
/// longer than a line stands alone.
std::string wrapped(std::string_view text, std::size_t indent, const std::string& begun);

/// Two columns: `left` after two blanks, and `text` wrapped from column `at` on; on the next line if `left`
/// reaches there.
std::string two_columns(const std::string& left, std::string_view text, std::size_t at);

/// Paragraphs, parted by blank lines, wrapped. A line that begins with a blank is an item of a list: it
/// begins a line of its own, and what goes on after it is indented further.
std::string wrapped_paragraphs(std::string_view text);

}  // namespace gpuhmm::cli
