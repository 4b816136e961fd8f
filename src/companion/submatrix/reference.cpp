// The plain search for the best rectangle.
#include "companion/submatrix/reference.hpp"

#include <algorithm>

namespace gpuhmm {

namespace {

// Sums between two lines of the shorter side, one for each position along the longer side.
struct Strip {
  std::vector<Int128> sums;
  std::vector<std::uint8_t> barred;

  explicit Strip(std::size_t length) : sums(length), barred(length) {}
};

// The part of a strip with the largest sum; of equal sums the one with the smallest start, then end, or, if
// the innermost is wanted, with the smallest end, then the largest start. `sum` 0: none.
struct Stretch {
  Int128 sum = 0;
  std::size_t start = 0, end = 0;
};

Stretch best_stretch(const Strip& strip, Preference preference) {
  const bool topmost = preference == Preference::Topmost;
  Stretch best;
  Int128 run = -1;
  std::size_t start = 0;
  for (std::size_t i = 0; i < strip.sums.size(); ++i) {
    if (strip.barred[i] != 0) {
      run = -1;
      continue;
    }
    if (topmost ? run < 0 : run <= 0) {
      run = 0;
      start = i;
    }
    run += strip.sums[i];
    if (run > best.sum || (topmost && run == best.sum && run > 0 && start < best.start)) {
      best = {run, start, i};
    }
  }
  return best;
}

}  // namespace

Pattern best_submatrix_reference(const Matrix& matrix, Preference preference) {
  const auto is_before = [preference](const Rectangle& a, const Rectangle& b) {
    return preference == Preference::Topmost ? a < b : a.ends_before(b);
  };
  const bool columns_shorter = matrix.columns <= matrix.rows;
  const std::size_t lines = columns_shorter ? matrix.columns : matrix.rows;
  const std::size_t length = columns_shorter ? matrix.rows : matrix.columns;
  Pattern best;
  for (std::size_t first = 0; first < lines; ++first) {
    Strip strip(length);
    for (std::size_t last = first; last < lines; ++last) {
      for (std::size_t i = 0; i < length; ++i) {
        const std::size_t index = columns_shorter ? matrix.cell(i, last) : matrix.cell(last, i);
        strip.sums[i] += matrix.open_value(index);
        strip.barred[i] |= static_cast<std::uint8_t>(matrix.is_barred(index));
      }
      const Stretch found = best_stretch(strip, preference);
      if (found.sum == 0) continue;
      const Rectangle where = columns_shorter ? Rectangle{found.start, first, found.end, last}
                                              : Rectangle{first, found.start, last, found.end};
      if (found.sum > best.sum || (found.sum == best.sum && is_before(where, best.where))) {
        best = {found.sum, where};
      }
    }
  }
  return best;
}

std::vector<Pattern> maximal_submatrices_reference(Matrix matrix, const SubmatrixLimits& limits) {
  std::vector<Pattern> found;
  while (found.size() < limits.most) {
    const Pattern next = best_submatrix_reference(matrix, Preference::Innermost);
    if (next.empty() || next.sum < limits.least) break;
    bar(matrix, next.where);
    found.push_back(next);
  }
  return found;
}

}  // namespace gpuhmm
