// Wraps text into lines and columns.
#include "cli/help/text_layout.hpp"

#include <sstream>

namespace gpuhmm::cli {

std::string wrapped(std::string_view text, std::size_t indent, const std::string& begun) {
  std::istringstream words{std::string(text)};
  std::string lines = begun;
  std::size_t column = begun.size();
  bool first = true;  // the next word is the first of its line
  for (std::string word; words >> word; first = false) {
    if (!first && column + 1 + word.size() > kHelpColumns) {
      lines += "\n" + std::string(indent, ' ');
      column = indent;
      first = true;
    }
    if (!first) ++column;
    lines += (first ? "" : " ") + word;
    column += word.size();
  }
  return lines + "\n";
}

std::string two_columns(const std::string& left, std::string_view text, std::size_t at) {
  std::string begun = "  " + left;
  if (begun.size() + 1 > at) return begun + "\n" + wrapped(text, at, std::string(at, ' '));
  begun.resize(at, ' ');
  return wrapped(text, at, begun);
}

std::string wrapped_paragraphs(std::string_view text) {
  constexpr std::size_t kItem = 2, kFurther = 4;
  std::istringstream source{std::string(text)};
  std::string result, part;
  bool item = false;
  const auto end_part = [&] {
    if (!part.empty())
      result += item ? wrapped(part, kFurther, std::string(kItem, ' ')) : wrapped(part, 0, "");
    part.clear();
  };
  for (std::string line; std::getline(source, line);) {
    const bool begins_item = line.starts_with(' ');
    if (line.empty() || begins_item) {
      end_part();
      item = begins_item;
    }
    if (line.empty()) {
      result += "\n";
    } else {
      part += line + " ";
    }
  }
  end_part();
  return result;
}

}  // namespace gpuhmm::cli
