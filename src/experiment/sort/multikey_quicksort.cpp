// Partitions by one character into less, equal and greater, and sorts the equal part by the next character.
#include "experiment/sort/multikey_quicksort.hpp"

#include <algorithm>
#include <cstddef>

#include "companion/strings/packing.hpp"

namespace gpuhmm::experiment::sorting {

namespace {

constexpr std::size_t kInserted = 12;  // strings that are sorted by insertion

// The end of a string is 0.
unsigned character(const char* string, std::size_t depth) {
  return string[depth] == kStringEnd ? 0 : 1U + static_cast<unsigned char>(string[depth]);
}

bool less_from(const char* a, const char* b, std::size_t depth) {
  for (;; ++depth) {
    const unsigned x = character(a, depth), y = character(b, depth);
    if (x != y) return x < y;
    if (x == 0) return false;
  }
}

void insertion_sort(std::span<const char*> strings, std::size_t depth) {
  for (std::size_t i = 1; i < strings.size(); ++i) {
    const char* const moved = strings[i];
    std::size_t place = i;
    for (; place > 0 && less_from(moved, strings[place - 1], depth); --place) {
      strings[place] = strings[place - 1];
    }
    strings[place] = moved;
  }
}

unsigned middle(unsigned a, unsigned b, unsigned c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

void sort_from(std::span<const char*> strings, std::size_t depth) {
  while (strings.size() > kInserted) {
    const unsigned pivot =
        middle(character(strings.front(), depth), character(strings[strings.size() / 2], depth),
               character(strings.back(), depth));
    std::size_t less = 0, greater = strings.size();
    for (std::size_t i = 0; i < greater;) {
      const unsigned c = character(strings[i], depth);
      if (c < pivot) {
        std::swap(strings[less++], strings[i++]);
      } else if (c > pivot) {
        std::swap(strings[i], strings[--greater]);
      } else {
        ++i;
      }
    }
    sort_from(strings.first(less), depth);
    sort_from(strings.subspan(greater), depth);
    if (pivot == 0) return;  // equal strings end here
    strings = strings.subspan(less, greater - less);
    ++depth;
  }
  insertion_sort(strings, depth);
}

}  // namespace

void multikey_quicksort(std::span<const char*> strings) { sort_from(strings, 0); }

}  // namespace gpuhmm::experiment::sorting
