// Sums and barriers of strips.
#include "companion/submatrix/open_sums.hpp"

#include <algorithm>

#include "util/parallel.hpp"

namespace gpuhmm {

template <class T>
OpenSums<T>::OpenSums(const Matrix& matrix, unsigned threads)
    : lines_(walk_shape(matrix).lines),
      // Reach 0: barred cells count as 0 and nothing is lowered for them.
      planes_(make_planes<T>(matrix, SumBounds{},
                             {.panel = kHostPanel, .column_multiple = kHostPanel, .threads = threads})),
      // Behind the last line everything is barred.
      barriers_(planes_.lower.size(), static_cast<std::int32_t>(lines_)) {
  if (matrix.barred.empty()) return;
  const bool transposed = walk_shape(matrix).transposed;
  parallel_for(threads, length(), kHostPanel, [&](std::size_t first, std::size_t last) {
    for (std::size_t row = first; row < last; ++row) {
      auto barrier = static_cast<std::int32_t>(lines_);
      for (std::size_t line = lines_; line-- > 0;) {
        if (matrix.is_barred(transposed ? matrix.cell(line, row) : matrix.cell(row, line))) {
          barrier = static_cast<std::int32_t>(line);
        }
        barriers_[place(row, line)] = barrier;
      }
    }
  });
}

template <class T>
bool OpenSums<T>::is_open(std::size_t g, std::size_t h, std::size_t first, std::size_t last) const {
  for (std::size_t row = first; row < last; ++row) {
    if (barriers_[place(row, g)] <= static_cast<std::int32_t>(h)) return false;
  }
  return true;
}

template <class T>
void OpenSums<T>::shut(std::size_t g, std::size_t h, std::size_t first, std::size_t last) {
  for (std::size_t row = first; row < last; ++row) {
    for (std::size_t line = g; line <= h; ++line) {
      barriers_[place(row, line)] = static_cast<std::int32_t>(line);
    }
    // Lines before g that saw past it.
    for (std::size_t line = g; line-- > 0;) {
      std::int32_t& barrier = barriers_[place(row, line)];
      if (barrier <= static_cast<std::int32_t>(g)) break;
      barrier = static_cast<std::int32_t>(g);
    }
  }
}

template <class T>
std::vector<Segment<std::int64_t>> OpenSums<T>::maximal_segments(std::size_t g, std::size_t h,
                                                                 std::size_t first, std::size_t last) const {
  const T* lower = planes_.lower.data() + place(first, g);
  const T* upper = planes_.upper.data() + place(first, h);
  MaximalSegmentStack<std::int64_t> stack;
  std::int64_t sum = 0, low = 0;
  std::size_t begin = last;  // of the positive run that is read; last: none
  for (std::size_t row = first; row < last; ++row, lower += kHostPanel, upper += kHostPanel) {
    const std::int64_t value = static_cast<std::int64_t>(*upper) - *lower;
    if (value > 0) {
      if (begin == last) {
        begin = row;
        low = sum;
      }
    } else if (begin != last) {
      stack.push(begin, row, low, sum);
      begin = last;
    }
    sum += value;
  }
  if (begin != last) stack.push(begin, last, low, sum);
  return stack.segments();
}

template <class T>
OpenTile<T> OpenSums<T>::tile(std::size_t g, std::size_t h, std::size_t first, std::size_t last) const {
  return {planes_.lower.data() + place(first, g), planes_.upper.data() + place(first, h),
          barriers_.data() + place(first, g), last - first, static_cast<std::int32_t>(h)};
}

template class OpenSums<std::int32_t>;
template class OpenSums<std::int64_t>;

}  // namespace gpuhmm
