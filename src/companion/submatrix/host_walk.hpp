// Walks all pairs of columns on the host's vector units to find the largest sum of a rectangle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "companion/submatrix/planes.hpp"

namespace gpuhmm {

/// Receives the fraction of the work that is done, 0 to 1. Called from any thread, but never from two at
/// once.
using FractionDone = std::function<void(double)>;

/// The largest sum of a rectangle, and the smallest top of the rectangles with that sum. T: std::int32_t or
/// std::int64_t; the matrix's sums must fit it (sums_fit). Runs on `threads` threads; `done` may be empty.
template <class T>
WalkResult walk_on_host(const Matrix& matrix, const SumBounds& bounds, unsigned threads,
                        const FractionDone& done);

/// Columns of a panel of the planes, and lines g that the kernel takes at a time.
inline constexpr std::size_t kHostPanel = 16;
inline constexpr std::size_t kHostStep = 4;

/// A share of the pairs (g, h): lines h of panel `panel` with lines g in [first, last), both multiples of
/// kHostStep.
struct PanelShare {
  std::size_t panel, first, last;
};

/// The result of a share, if its sum is at least `floor`; else {floor, a value above all rows and lines}.
/// `by_line`: WalkResult::first is a line, not a row. Compiled for several instruction sets, of which the
/// best is chosen at run time.
WalkResult walk_panel(const Planes<std::int32_t>& planes, bool by_line, const PanelShare& share,
                      std::int64_t floor);
WalkResult walk_panel(const Planes<std::int64_t>& planes, bool by_line, const PanelShare& share,
                      std::int64_t floor);

}  // namespace gpuhmm
