// The cells that no reported rectangle has taken, as sums along the rows and barriers: what the search for
// all maximal submatrices reads again and again while cells are taken.
//
// A strip is a pair (g, h) of columns, g <= h; row i of it sums to upper[i][h] - lower[i][g], and it is shut
// in the rows where one of its cells is barred. barrier[i][g] is the first barred column from g on, so that
// row i is open if barrier[i][g] > h. Taking cells changes barriers only: sums never become larger, unlike
// those of the planes with barred cells (planes.hpp). Columns are lines of the shorter side, as there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "companion/segments/segment.hpp"
#include "companion/submatrix/host_walk.hpp"
#include "companion/submatrix/planes.hpp"

namespace gpuhmm {

/// Lines g of a tile of strips. Its lines h are those of a panel (kHostPanel).
inline constexpr std::size_t kOpenStep = 2;

/// Some rows of a tile, for the vector kernel. Rows are kHostPanel elements apart.
template <class T>
struct OpenTile {
  const T* lower;                ///< line g of the first row; the next kOpenStep - 1 follow
  const T* upper;                ///< the first line h of the first row
  const std::int32_t* barriers;  ///< as `lower`
  std::size_t rows;
  std::int32_t line;  ///< the number of the first line h
};

/// Writes the best sum of each strip of a tile to best[a * kHostPanel + b], for line g + a and line h + b; 0
/// if nothing is positive. All strips need g < h. Compiled for several instruction sets.
void walk_open_tile(const OpenTile<std::int32_t>& tile, std::int32_t* best);
void walk_open_tile(const OpenTile<std::int64_t>& tile, std::int64_t* best);

/// Sums and barriers of a matrix whose sums fit T.
template <class T>
class OpenSums {
 public:
  OpenSums(const Matrix& matrix, unsigned threads);

  std::size_t lines() const { return lines_; }
  std::size_t length() const { return planes_.length; }

  /// True if no cell of the strip is barred in the rows [first, last).
  bool is_open(std::size_t g, std::size_t h, std::size_t first, std::size_t last) const;
  /// Bars the cells of the strip in the rows [first, last).
  void shut(std::size_t g, std::size_t h, std::size_t first, std::size_t last);

  /// Calls body(first, last) for each stretch of the rows [first, last) in which the strip is open.
  template <class Body>
  void each_stretch(std::size_t g, std::size_t h, std::size_t first, std::size_t last,
                    const Body& body) const {
    const auto line = static_cast<std::int32_t>(h);
    const std::int32_t* barrier = barriers_.data() + place(first, g);
    std::size_t begin = first;
    for (std::size_t row = first; row < last; ++row, barrier += kHostPanel) {
      if (*barrier > line) continue;
      if (begin < row) body(begin, row);
      begin = row + 1;
    }
    if (begin < last) body(begin, last);
  }

  /// All maximal segments of the strip in a stretch of rows in which it is open (segment.hpp).
  std::vector<Segment<std::int64_t>> maximal_segments(std::size_t g, std::size_t h, std::size_t first,
                                                      std::size_t last) const;

  /// The rows [first, last) of the tile that begins with strip (g, h), h the first line of a panel.
  OpenTile<T> tile(std::size_t g, std::size_t h, std::size_t first, std::size_t last) const;

 private:
  std::size_t place(std::size_t row, std::size_t line) const {
    return line / kHostPanel * planes_.length * kHostPanel + row * kHostPanel + line % kHostPanel;
  }

  std::size_t lines_;
  Planes<T> planes_;
  std::vector<std::int32_t> barriers_;  // laid out as the planes
};

}  // namespace gpuhmm
