// Lays out plain text for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gpuhmm::cli {

/// Columns of a line of help, at most.
constexpr std::size_t kHelpColumns = 80;

/// The words of `text` in lines of at most kHelpColumns columns, each ended by a newline. The first line
/// continues `begun`; the others are indented by `indent` spaces. A word that is longer than a line has a
/// line of its own.
std::string wrapped(std::string_view text, std::size_t indent, const std::string& begun);

/// Two columns: `left` after two spaces, and `text` wrapped from column `at` on. If `left` reaches that
/// column, `text` begins on the next line.
std::string two_columns(const std::string& left, std::string_view text, std::size_t at);

/// Wraps paragraphs, which blank lines separate. A line that begins with a space is a list item; its
/// continuation lines are indented further.
std::string wrapped_paragraphs(std::string_view text);

}  // namespace gpuhmm::cli
