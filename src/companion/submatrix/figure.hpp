// The words of a picture of rectangles: its titles, axes and legend, out of a report.
#pragma once

#include "companion/submatrix/overlay.hpp"
#include "companion/submatrix/report.hpp"

namespace gpuhmm {

/// The picture of a report and the matrix that it is about, both of which must outlive it.
Overlay figure_of(const SubmatrixReport& report, const Matrix& matrix);

}  // namespace gpuhmm
