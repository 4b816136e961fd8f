// Tables of experiments as text for people and as JSON for programs.
#pragma once

#include <span>
#include <string>

#include "experiment/experiment.hpp"
#include "formats/json/json_value.hpp"

namespace gpuhmm::experiment {

/// What produced the figures.
struct Provenance {
  std::string version;  ///< of gpuhmm
  std::string command_line;
  std::string date;  ///< YYYY-MM-DD
};

/// What stands above the tables of a run: the experiment, its publication, devices, processor, date, command.
std::string heading_text(const Experiment& experiment, const Request& request, const Provenance& provenance);

/// A table with aligned columns: its number and title, names and units of columns, rows, notes. Medians have
/// their deviation behind them; published columns are marked. Reasons of absent numbers stand below.
std::string table_text(const Table& table);

/// The whole run as one JSON object.
Json run_json(const Experiment& experiment, const Request& request, const Provenance& provenance,
              std::span<const Table> tables);

}  // namespace gpuhmm::experiment
