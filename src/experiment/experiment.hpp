// An experiment: the tables of one publication. A function measures each of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "experiment/table.hpp"
#include "gpuhmm/device.hpp"

namespace gpuhmm::experiment {

/// Thrown if a variant gives another result than the plain reference; no time is reported for it.
class WrongResult : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What to measure, and where.
struct Request {
  std::vector<DeviceInfo> devices;  ///< OpenCL devices to use; none: the host only
  unsigned threads = 1;             ///< host threads
  std::size_t runs = 0;             ///< of each measurement; 0: the table's own number
  bool full = false;                ///< all sizes of the publication, however long they take
  std::size_t largest = 0;          ///< leaves out larger sizes, even with `full`; 0: none
  std::size_t smallest = 0;         ///< leaves out smaller sizes
  double limit = 0;                 ///< seconds; leaves out longer runs (TimeLimit); 0: none
  unsigned words_per_item = 0;      ///< of the published sort; 0: the publication's
  std::size_t work_group = 0;  ///< work-items of a work-group of the published sort; 0: the publication's
  std::uint32_t seed = 1;      ///< of random data
  /// Files of real data for experiments that can use them; random data otherwise.
  std::optional<std::string> profiles, sequences;
  /// Receives one line about what is measured next; may be empty.
  std::function<void(const std::string&)> progress;

  std::size_t runs_or(std::size_t standard) const { return runs > 0 ? runs : standard; }
  /// The reason why a size (elements, rows or words) is left out: above `largest` or below `smallest`.
  std::optional<std::string> leaves_out(std::size_t size) const;
  /// True if the measurements of the other request are those of this one.
  bool measures_as(const Request& other) const;
  void report(const std::string& next) const {
    if (progress) progress(next);
  }
};

/// A table that can be measured.
struct TableSource {
  std::string id, title;
  /// Throws EngineFailure, WrongResult, FormatError.
  std::function<Table(const Request& request)> measure;
};

/// The tables of one publication, in its order.
struct Experiment {
  std::string name;         ///< as in `gpuhmm bench NAME`
  std::string title;        ///< one line
  std::string publication;  ///< author, title, year
  std::vector<TableSource> tables;
  bool shares_work = false;  ///< tables use all devices of a request; otherwise the first
};

/// The tables of `experiment` that `ids` name, in the order of the publication; all if there are none. Throws
/// std::invalid_argument for an id that it does not have.
std::vector<TableSource> chosen_tables(const Experiment& experiment, const std::vector<std::string>& ids);

/// Measures one table and checks that its rows have as many cells as it has columns.
Table measure(const TableSource& source, const Request& request);

}  // namespace gpuhmm::experiment
