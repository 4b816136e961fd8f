// Surveys the text in one pass.
#include "companion/sorting/line_survey.hpp"

#include <algorithm>

#include "util/parallel.hpp"

namespace gpuhmm {

LineSurvey survey_lines(std::string_view text, unsigned threads) {
  constexpr std::size_t kPart = std::size_t{1} << 20;  // bytes of a part, at least
  const std::size_t parts =
      std::clamp<std::size_t>(text.size() / kPart, 1, std::size_t{8} * std::max(threads, 1U));
  LineSurvey survey;
  survey.shortest = text.size();
  survey.begins.push_back(0);
  for (std::size_t part = 1; part < parts; ++part) {
    const std::size_t end = text.find(kStringEnd, text.size() / parts * part);
    survey.begins.push_back(end == std::string_view::npos ? text.size() : end + 1);
  }
  survey.begins.push_back(text.size());
  survey.lines.assign(parts + 1, 0);
  std::vector<std::size_t> longest(parts, 0), shortest(parts, text.size());
  std::vector<CharacterPacking::Seen> seen(parts);
  parallel_for(threads, parts, 1, [&](std::size_t part, std::size_t) {
    CharacterPacking::Seen own{};
    std::size_t lines = 0;
    for_each_line(text, survey, part, [&](std::string_view line, std::size_t) {
      ++lines;
      longest[part] = std::max(longest[part], line.size());
      shortest[part] = std::min(shortest[part], line.size());
      for (const char c : line) own[static_cast<unsigned char>(c)] = true;
    });
    seen[part] = own;
    survey.lines[part + 1] = lines;
  });
  for (std::size_t part = 0; part < parts; ++part) {
    survey.lines[part + 1] += survey.lines[part];
    survey.longest = std::max(survey.longest, longest[part]);
    survey.shortest = std::min(survey.shortest, shortest[part]);
    for (std::size_t c = 0; c < 256; ++c) survey.seen[c] = survey.seen[c] || seen[part][c];
  }
  return survey;
}

}  // namespace gpuhmm
