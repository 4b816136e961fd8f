// Places labels above objects that lie side by side, in a few rows, so that no two labels overlap.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace gpuhmm {

/// A label: the middle of its object and the width of its text, in units of the canvas.
struct LevelLabel {
  double middle = 0, width = 0;
};

/// The place of a label: its middle, and its row (0 is the lowest).
struct LabelPlace {
  double middle = 0;
  std::size_t row = 0;
};

/// Places labels, sorted by their middle, between `left` and `right` in at most `rows` rows. The line from a
/// label down to its object crosses no other label. A label that does not fit gets nothing.
std::vector<std::optional<LabelPlace>> place_labels(std::span<const LevelLabel> labels, double left,
                                                    double right, std::size_t rows);

}  // namespace gpuhmm
