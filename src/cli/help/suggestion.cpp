// Finds the known word that is closest to a mistyped one.
#include "cli/help/suggestion.hpp"

#include <algorithm>
#include <cctype>

namespace gpuhmm::cli {

namespace {

constexpr std::size_t kLongest = 64;  // known words are shorter

std::string lower(std::string_view text) {
  std::string lowered(text);
  for (char& c : lowered) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lowered;
}

// The only known word that begins or ends with `word`, which must have at least 3 letters; empty if there is
// no such word or more than one.
std::string only_one_with(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t kShortest = 3;
  std::string found;
  if (word.size() < kShortest) return found;
  for (const std::string& candidate : known) {
    if (!lower(candidate).starts_with(word) && !lower(candidate).ends_with(word)) continue;
    if (!found.empty()) return {};
    found = candidate;
  }
  return found;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // rows i - 2, i - 1 and i of the table of distances between the first i letters of a and the first j of b
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  if (word.size() > kLongest) return {};
  const std::string typed = lower(word);
  std::string closest;
  std::size_t least = kLongest;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(typed, lower(candidate));
    // at most a third of the letters may differ, and at least one must agree
    const std::size_t most = std::max<std::size_t>(1, std::max(typed.size(), candidate.size()) / 3);
    if (distance > most || distance >= candidate.size() || distance >= least) continue;
    least = distance;
    closest = candidate;
  }
  if (closest.empty()) closest = only_one_with(typed, known);
  return closest.empty() ? "" : "; did you mean '" + closest + "'?";
}

}  // namespace gpuhmm::cli
