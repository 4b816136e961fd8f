// Places labels next to boxes that lie anywhere, so that no two labels overlap.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "formats/drawing/canvas.hpp"

namespace gpuhmm {

/// Size of a label, in units of the canvas.
struct LabelSize {
  double width = 0, height = 0;
};

/// Places a label for each of the first sizes.size() boxes, in their order and within `area`: outside the box
/// where it covers no other box, else inside the box, else over another box. A label that fits nowhere gets
/// nothing.
std::vector<std::optional<Box>> place_labels_beside(std::span<const Box> boxes,
                                                    std::span<const LabelSize> sizes, const Box& area);

}  // namespace gpuhmm
