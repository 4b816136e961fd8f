// Labels beside boxes that lie anywhere: each gets a place that no other label has.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "formats/drawing/canvas.hpp"

namespace gpuhmm {

/// A label's size.
struct LabelSize {
  double width = 0, height = 0;
};

/// Places for labels, one for each of the first boxes, in their order, all within `area`: outside at a
/// corner of the box if it covers no other box there, else inside or over another; nothing for one without
/// a place.
std::vector<std::optional<Box>> place_labels_beside(std::span<const Box> boxes,
                                                    std::span<const LabelSize> sizes, const Box& area);

}  // namespace gpuhmm
