// Writes tables of experiments as text and as JSON.
#pragma once

#include <span>
#include <string>

#include "experiment/experiment.hpp"
#include "formats/json/json_value.hpp"

namespace gpuhmm::experiment {

/// The circumstances of a run.
struct Provenance {
  std::string version;  ///< of gpuhmm
  std::string command_line;
  std::string date;  ///< YYYY-MM-DD
};

/// The header of a run's tables: experiment, publication, devices, processor, date, command.
std::string heading_text(const Experiment& experiment, const Request& request, const Provenance& provenance);

/// A table as text with aligned columns: id and title, names and units of columns, rows, notes. Medians are
/// followed by their deviation; published columns are marked. Reasons of absent numbers are below the table.
std::string table_text(const Table& table);

/// The whole run as one JSON object.
Json run_json(const Experiment& experiment, const Request& request, const Provenance& provenance,
              std::span<const Table> tables);

}  // namespace gpuhmm::experiment
