// The walk over all pairs on the vector units of the CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "companion/submatrix/planes.hpp"

namespace gpuhmm {

/// Called now and then with the part of the work that is done, 0 to 1, by any thread, one at a time.
using FractionDone = std::function<void(double)>;

/// Best sum and its first top over all pairs of columns, for matrices whose sums fit `T` (sums_fit). `T` is
/// std::int32_t or std::int64_t.
template <class T>
WalkResult walk_on_host(const Matrix& matrix, const SumBounds& bounds, unsigned threads,
                        const FractionDone& done);

/// Columns of a panel of the planes that the kernels walk, and lines g of a step.
inline constexpr std::size_t kHostPanel = 16;
inline constexpr std::size_t kHostStep = 4;

/// A share of the pairs: h lies in panel `panel`, g in [first, last), multiples of kHostStep.
struct PanelShare {
  std::size_t panel, first, last;
};

/// The best of a share, if it is at least `floor`; else {floor, a line behind all}. Compiled for several
/// instruction sets; the best one is chosen at run time.
WalkResult walk_panel(const Planes<std::int32_t>& planes, bool by_line, const PanelShare& share,
                      std::int64_t floor);
WalkResult walk_panel(const Planes<std::int64_t>& planes, bool by_line, const PanelShare& share,
                      std::int64_t floor);

}  // namespace gpuhmm
