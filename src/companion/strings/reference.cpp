// Sorting by comparison, and counting in a map.
#include "companion/strings/reference.hpp"

#include <algorithm>
#include <cctype>

namespace gpuhmm {

namespace {

std::string_view string_at(const StringSet& set, std::uint64_t start) {
  const std::string_view rest = set.text.substr(start, std::min<std::uint64_t>(set.limit, set.text.size()));
  return rest.substr(0, rest.find(kStringEnd));
}

std::string reverse_complement(std::string word) {
  std::reverse(word.begin(), word.end());
  for (char& letter : word) letter = letter == 'A' ? 'T' : letter == 'C' ? 'G' : letter == 'G' ? 'C' : 'A';
  return word;
}

}  // namespace

SortedStrings reference_sort(const StringSet& set) {
  std::vector<std::uint64_t> starts = set.starts;
  // compares as unsigned bytes: char_traits<char> does
  std::stable_sort(starts.begin(), starts.end(), [&set](std::uint64_t a, std::uint64_t b) {
    return string_at(set, a) < string_at(set, b);
  });
  SortedStrings sorted;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    sorted.emplace_back(starts[i], i > 0 && string_at(set, starts[i - 1]) == string_at(set, starts[i]));
  }
  return sorted;
}

std::map<std::string, std::uint64_t> reference_kmers(std::string_view letters, KmerAlphabet alphabet,
                                                     unsigned k, bool canonical) {
  const std::string_view known = alphabet == KmerAlphabet::Nucleic ? "ACGT" : "ACDEFGHIKLMNPQRSTVWY";
  std::map<std::string, std::uint64_t> counts;
  for (std::size_t i = 0; i + k <= letters.size(); ++i) {
    std::string word(letters.substr(i, k));
    for (char& letter : word) {
      letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
      if (alphabet == KmerAlphabet::Nucleic && letter == 'U') letter = 'T';
    }
    if (word.find_first_not_of(known) != std::string::npos) continue;
    ++counts[canonical ? std::min(word, reverse_complement(word)) : word];
  }
  return counts;
}

}  // namespace gpuhmm
