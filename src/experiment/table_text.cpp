// Lays tables out as text and JSON.
#include "experiment/table_text.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "util/format.hpp"

namespace gpuhmm::experiment {

namespace {

// A number with four significant digits; integers have all digits.
std::string number_text(double number) {
  if (number == std::round(number) && std::fabs(number) < 1e15) return format("%.0f", number);
  if (std::fabs(number) >= 1000) return format("%.0f", number);
  return format("%.4g", number);
}

std::string with_deviation(const Spread& spread) {
  std::string text = number_text(spread.median);
  if (spread.runs > 1) text += format(" \u00b1%.2g", spread.deviation);
  return text;
}

// The number of characters of UTF-8.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool left) {
  const std::string blanks(width - std::min(width, width_of(text)), ' ');
  return left ? text + blanks : blanks + text;
}

// The reasons of absent numbers, each once. A cell shows "-" and the number of its reason.
class Reasons {
 public:
  std::string mark(const std::string& reason) {
    const auto found = std::find(reasons_.begin(), reasons_.end(), reason);
    const auto place = found - reasons_.begin();
    if (found == reasons_.end()) reasons_.push_back(reason);
    return "-[" + std::to_string(place + 1) + "]";
  }
  std::string text() const {
    std::string all;
    for (std::size_t i = 0; i < reasons_.size(); ++i)
      all += "  [" + std::to_string(i + 1) + "] " + reasons_[i] + "\n";
    return all;
  }

 private:
  std::vector<std::string> reasons_;
};

std::string cell_text(const Cell& cell, Reasons& reasons) {
  if (cell.is_absent()) return reasons.mark(cell.text());
  if (cell.spread()) return with_deviation(*cell.spread());
  if (cell.number()) return number_text(*cell.number());
  return cell.text();
}

bool is_text_column(const Table& table, std::size_t column) {
  return std::none_of(table.rows.begin(), table.rows.end(), [column](const std::vector<Cell>& row) {
    return row[column].number() || row[column].is_absent();
  });
}

Json cell_json(const Cell& cell) {
  if (cell.is_absent()) return {{"absent", cell.text()}};
  if (const std::optional<Spread>& spread = cell.spread()) {
    return {{"median", spread->median}, {"mean", spread->mean}, {"deviation", spread->deviation},
            {"least", spread->least},   {"most", spread->most}, {"runs", spread->runs}};
  }
  if (cell.number()) return *cell.number();
  return cell.text();
}

Json table_json(const Table& table) {
  Json object = {
      {"id", table.id}, {"title", table.title}, {"columns", Json::array()}, {"rows", Json::array()}};
  for (const Column& column : table.columns) {
    object["columns"].push_back(
        {{"name", column.name}, {"unit", column.unit}, {"origin", origin_name(column.origin)}});
  }
  for (const std::vector<Cell>& row : table.rows) {
    Json cells = Json::array();
    for (const Cell& cell : row) cells.push_back(cell_json(cell));
    object["rows"].push_back(std::move(cells));
  }
  object["notes"] = table.notes;
  return object;
}

// The processor's name by Linux.
std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

}  // namespace

std::string heading_text(const Experiment& experiment, const Request& request, const Provenance& provenance) {
  std::string text = experiment.title + "\n" + experiment.publication + "\n\n";
  for (const DeviceInfo& device : request.devices) {
    text += "device   " + device.name + " (" + device.platform + "), driver " + device.driver + "\n";
  }
  text += "host     " + processor_name() + ", " + std::to_string(request.threads) +
          (request.threads == 1 ? " thread\n" : " threads\n");
  text += "date     " + provenance.date + ", gpuhmm " + provenance.version + "\n";
  text += "command  " + provenance.command_line + "\n";
  return text + "Columns marked * are the publication's figures.\n";
}

std::string table_text(const Table& table) {
  Reasons reasons;
  std::vector<std::vector<std::string>> lines(2);
  for (const Column& column : table.columns) {
    lines[0].push_back(column.name + (column.origin == Origin::Published ? "*" : ""));
    lines[1].push_back(column.unit);
  }
  for (const std::vector<Cell>& row : table.rows) {
    std::vector<std::string>& line = lines.emplace_back();
    for (const Cell& cell : row) line.push_back(cell_text(cell, reasons));
  }
  std::vector<std::size_t> widths(table.columns.size());
  for (const std::vector<std::string>& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], width_of(line[i]));
  }
  std::string text = "Table " + table.id + ": " + table.title + "\n";
  for (const std::vector<std::string>& line : lines) {
    std::string shown;
    for (std::size_t i = 0; i < line.size(); ++i) {
      shown += (i > 0 ? "  " : "") + padded(line[i], widths[i], is_text_column(table, i));
    }
    shown.erase(shown.find_last_not_of(' ') + 1);
    text += shown + "\n";
  }
  text += reasons.text();
  for (const std::string& note : table.notes) text += "  " + note + "\n";
  return text;
}

Json run_json(const Experiment& experiment, const Request& request, const Provenance& provenance,
              std::span<const Table> tables) {
  Json devices = Json::array();
  for (const DeviceInfo& device : request.devices) {
    devices.push_back({{"name", device.name}, {"platform", device.platform}, {"driver", device.driver}});
  }
  Json object = {{"experiment", experiment.name},
                 {"title", experiment.title},
                 {"publication", experiment.publication},
                 {"devices", std::move(devices)},
                 {"processor", processor_name()},
                 {"threads", request.threads},
                 {"date", provenance.date},
                 {"version", provenance.version},
                 {"command", provenance.command_line},
                 {"tables", Json::array()}};
  for (const Table& table : tables) object["tables"].push_back(table_json(table));
  return object;
}

}  // namespace gpuhmm::experiment
