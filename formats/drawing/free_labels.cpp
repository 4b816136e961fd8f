// Puts each label into the first free place of a few around its box.
#include "formats/drawing/free_labels.hpp"

#include <algorithm>
#include <array>

namespace gpuhmm {

namespace {

// The best place first: above and below the box, then beside it, then in its corners.
std::array<Box, 12> places_about(const Box& box, const LabelSize& size) {
  const auto at = [&size](double left, double top) {
    return Box{left, top, left + size.width, top + size.height};
  };
  const double above = box.top - size.height, flush_right = box.right - size.width;
  const double before = box.left - size.width, flush_bottom = box.bottom - size.height;
  return {at(box.left, above),         at(flush_right, above),     at(box.left, box.bottom),
          at(flush_right, box.bottom), at(box.right, box.top),     at(before, box.top),
          at(box.right, flush_bottom), at(before, flush_bottom),   at(box.left, box.top),
          at(flush_right, box.top),    at(box.left, flush_bottom), at(flush_right, flush_bottom)};
}

constexpr std::size_t kOutside = 8;  // as many places, the first, are outside the box

}  // namespace

std::vector<std::optional<Box>> place_labels_beside(std::span<const Box> boxes,
                                                    std::span<const LabelSize> sizes, const Box& area) {
  std::vector<std::optional<Box>> places(sizes.size());
  std::vector<Box> taken;
  constexpr double kGap = 1.5;
  const auto free = [&](const Box& place) {
    const auto near = [around = place.grown(kGap)](const Box& other) { return other.meets(around); };
    return area.holds(place) && std::none_of(taken.begin(), taken.end(), near);
  };
  const auto covers_none = [&](const Box& place, std::size_t but) {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      if (i != but && boxes[i].meets(place)) return false;
    }
    return true;
  };
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto candidates = places_about(boxes[i], sizes[i]);
    const auto choose = [&](auto&& good) {
      for (std::size_t k = 0; k < candidates.size() && !places[i]; ++k) {
        if (free(candidates[k]) && good(k)) places[i] = candidates[k];
      }
    };
    choose([&](std::size_t k) { return k < kOutside && covers_none(candidates[k], i); });
    choose([&](std::size_t k) { return k >= kOutside && boxes[i].holds(candidates[k]); });
    choose([](std::size_t) { return true; });
    if (places[i]) taken.push_back(*places[i]);
  }
  return places;
}

}  // namespace gpuhmm
