// Puts labels, from left to right, into the lowest row in which each fits.
#include "formats/drawing/row_labels.hpp"

#include <algorithm>

namespace gpuhmm {

std::vector<std::optional<LabelPlace>> place_labels(std::span<const LevelLabel> labels, double left,
                                                    double right, std::size_t rows) {
  constexpr double kGap = 5, kLineGap = 2;
  std::vector<std::optional<LabelPlace>> places(labels.size());
  std::vector<double> free_from(rows, left - kGap);  // right end of the last text or line in each row
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const LevelLabel& label = labels[i];
    if (label.width > right - left) continue;
    const double middle = std::clamp(label.middle, left + label.width / 2, right - label.width / 2);
    for (std::size_t row = 0; row < rows; ++row) {
      if (middle - label.width / 2 >= free_from[row] + kGap) {
        places[i] = LabelPlace{middle, row};
        free_from[row] = middle + label.width / 2;
        for (std::size_t below = 0; below < row; ++below) {
          free_from[below] = std::max(free_from[below], label.middle + kLineGap - kGap);
        }
        break;
      }
      if (label.middle < free_from[row] + kLineGap) break;  // its line from a higher row would cross this row
    }
  }
  return places;
}

}  // namespace gpuhmm
