// Plots of an experiment's tables.
#pragma once

#include <string>

#include "experiment/table.hpp"

namespace gpuhmm::experiment {

/// The table as an SVG drawing in its PlotStyle: a line or a bar colour for each column drawn, published ones
/// dashed or hatched, so that it reads in grey, too. A table without numbers gives an empty area that says
/// so.
std::string table_plot(const Table& table);

}  // namespace gpuhmm::experiment
