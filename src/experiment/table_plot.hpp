// Plots the tables of an experiment.
#pragma once

#include <string>

#include "experiment/table.hpp"

namespace gpuhmm::experiment {

/// The text of an SVG file with the table in its PlotStyle: a line or bars for each column, dashed or hatched
/// for published ones, so that they differ in grey, too. A table without numbers gives an empty area with a
/// remark.
std::string table_plot(const Table& table);

}  // namespace gpuhmm::experiment
