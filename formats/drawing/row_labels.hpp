// Labels above things that lie side by side, in a few rows so that none overlaps another.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace gpuhmm {

/// A label: the middle of what it stands for, and the width of its text.
struct LevelLabel {
  double middle = 0, width = 0;
};

/// Where a label stands: its middle, and its row, 0 the lowest.
struct LabelPlace {
  double middle = 0;
  std::size_t row = 0;
};

/// Places the labels, which come ordered by their middle, within left..right in at most `rows` rows. A label
/// of a higher row has a free way down to what it stands for. Those without room get nothing.
std::vector<std::optional<LabelPlace>> place_labels(std::span<const LevelLabel> labels, double left,
                                                    double right, std::size_t rows);

}  // namespace gpuhmm
