// Number, lengths and characters of lines: they decide how lines are sorted.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "companion/strings/packing.hpp"

namespace gpuhmm {

/// Lines of a text, in parts of about the same size.
struct LineSurvey {
  std::vector<std::size_t> begins;  ///< of the parts, in the text, and its size at the end
  std::vector<std::size_t> lines;   ///< before each part, and all at the end
  std::size_t longest = 0;          ///< characters of a line, without its end
  std::size_t shortest = 0;
  CharacterPacking::Seen seen{};  ///< characters
};

/// Surveys a text of lines, each with its kStringEnd, with `threads` threads.
LineSurvey survey_lines(std::string_view text, unsigned threads);

/// Calls body(line, number) for the lines of a part; `line` is without its end.
template <class Body>
void for_each_line(std::string_view text, const LineSurvey& survey, std::size_t part, const Body& body) {
  std::size_t number = survey.lines[part];
  for (std::size_t at = survey.begins[part]; at < survey.begins[part + 1]; ++number) {
    const std::size_t end = text.find(kStringEnd, at);
    body(text.substr(at, end - at), number);
    at = end + 1;
  }
}

}  // namespace gpuhmm
