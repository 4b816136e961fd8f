// The queue of all that can still be the next maximal submatrix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "companion/submatrix/open_sums.hpp"

namespace gpuhmm {

/// Rectangles that have columns of one strip, or of one tile of strips, and some rows. Lines and rows are
/// those of the walk (planes.hpp).
struct Candidate {
  enum class State : std::uint8_t {
    Bound,  ///< none of them has a larger sum
    Sum,    ///< the best of them had this sum when `seen` rectangles were reported
    Placed  ///< the best of them, if it is still open, is strip (g, h), rows [start, end)
  };

  std::int64_t sum = 0;
  std::uint32_t g = 0, h = 0;         ///< the strip, or the first strip of the tile
  std::uint32_t first = 0, last = 0;  ///< rows [first, last)
  std::uint32_t start = 0, end = 0;
  std::uint32_t seen = 0;
  State state = State::Bound;

  /// Strips whose lines lie in different panels belong to tiles, the others stand alone.
  bool is_tile() const { return g / kHostPanel != h / kHostPanel; }
  /// The first strip of the tile.
  std::uint32_t tile_g() const { return static_cast<std::uint32_t>(g - g % kOpenStep); }
  std::uint32_t tile_h() const { return static_cast<std::uint32_t>(h - h % kHostPanel); }
};

/// The placed rectangle in the matrix.
Rectangle rectangle_of(const Candidate& candidate, bool transposed);

/// Candidates by sum, the largest first; of equal sums those without a place, then the placed ones in the
/// order of Rectangle::ends_before. So a placed candidate that is first and open is the best rectangle.
class CandidateQueue {
 public:
  explicit CandidateQueue(bool transposed) : transposed_(transposed) {}

  bool empty() const { return heap_.empty(); }
  const Candidate& front() const { return heap_.front(); }
  void push(const Candidate& candidate);
  Candidate pop();

  /// Lowers the sums of tiles to bound(g, h), the best sum of the tile that begins with this strip, where
  /// that is less, and drops candidates below `least`.
  template <class Bound>
  void lower(const Bound& bound, std::int64_t least) {
    std::vector<Candidate> kept;
    for (Candidate candidate : heap_) {
      if (candidate.is_tile()) {
        const std::int64_t most = bound(candidate.tile_g(), candidate.tile_h());
        if (most < candidate.sum) {
          candidate.sum = most;
          candidate.state = Candidate::State::Bound;
        }
      }
      if (candidate.sum >= least) kept.push_back(candidate);
    }
    heap_ = std::move(kept);
    order();
  }

 private:
  bool comes_after(const Candidate& a, const Candidate& b) const;
  void order();

  bool transposed_;
  std::vector<Candidate> heap_;
};

}  // namespace gpuhmm
