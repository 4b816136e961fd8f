// Describes the picture of a report: its titles, axes and legend.
#pragma once

#include "companion/submatrix/overlay.hpp"
#include "companion/submatrix/report.hpp"

namespace gpuhmm {

/// The picture of a report about `matrix`. Both must outlive the result, which refers to them.
Overlay figure_of(const SubmatrixReport& report, const Matrix& matrix);

}  // namespace gpuhmm
