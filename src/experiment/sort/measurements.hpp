// Measures the publication's sort, today's sorter and rivals on sets of words, once for all tables.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "experiment/experiment.hpp"
#include "experiment/sort/published_sort.hpp"
#include "experiment/sort/word_sets.hpp"
#include "experiment/table.hpp"

namespace gpuhmm::experiment::sorting {

/// Other sorters, for comparison.
enum class Rival { MultikeyQuicksort, StdSort, GnuSort, TodayHost };
inline constexpr Rival kRivals[] = {Rival::MultikeyQuicksort, Rival::StdSort, Rival::GnuSort,
                                    Rival::TodayHost};
const char* rival_name(Rival rival);

/// The times of a measurement, or the reason why there are none.
template <class Times>
using Outcome = std::variant<Times, std::string>;

/// A time or the reason, as the cell of a table.
template <class Times, class Value>
Cell cell_of(const Outcome<Times>& outcome, const Value& value) {
  const auto* const times = std::get_if<Times>(&outcome);
  return times ? Cell(value(*times)) : Cell::absent(std::get<std::string>(outcome));
}
inline Cell cell_of(const Outcome<Spread>& outcome) {
  return cell_of(outcome, [](const Spread& spread) { return spread; });
}

/// Times of today's sorter on the device, in seconds.
struct TodayTimes {
  Spread counting, scan, writing;  ///< kernels, by their events; longer words have `kernels` only
  Spread kernels;                  ///< all kernels
  Spread with_copies;              ///< wall time with buffers and copies
};

/// The measurements of one request. Every result is compared with sorted_words() before it is timed. Throws
/// WrongResult if they differ.
class Measurements {
 public:
  explicit Measurements(Request request);

  const Request& request() const { return request_; }
  /// The request's words of a work-item and work-group size, else the publication's.
  const WorkShape& work() const { return work_; }

  /// Times of opening the device and building the programs.
  const Outcome<Spread>& selection();
  /// The stages of each run of the publication's sort.
  const Outcome<std::vector<SortStages>>& stages(const WordShape& words, const WorkShape& work);
  const Outcome<std::vector<SortStages>>& stages(const WordShape& words) { return stages(words, work_); }
  const Outcome<TodayTimes>& today(const WordShape& words);
  const Outcome<Spread>& rival(const WordShape& words, Rival rival);

 private:
  struct Loaded {
    WordSet set;
    std::string expected;
  };
  const Loaded& load(const WordShape& words);
  std::optional<std::string> too_large(const WordShape& words, bool on_device) const;
  Outcome<std::vector<SortStages>> measure_stages(const WordShape& words, const WorkShape& work);
  Outcome<TodayTimes> measure_today(const WordShape& words);
  Outcome<Spread> measure_rival(const WordShape& words, Rival rival);

  Request request_;
  WorkShape work_;
  std::optional<Loaded> loaded_;  // one set at a time: they are large
  std::optional<Outcome<Spread>> selection_;
  std::map<std::pair<WordShape, WorkShape>, Outcome<std::vector<SortStages>>> stages_;
  std::map<WordShape, Outcome<TodayTimes>> today_;
  std::map<std::pair<WordShape, Rival>, Outcome<Spread>> rivals_;
};

/// The spread of one time over all runs.
template <class Value>
Spread spread_over(const std::vector<SortStages>& runs, const Value& value) {
  std::vector<double> seconds;
  for (const SortStages& run : runs) seconds.push_back(value(run));
  return spread_of(std::move(seconds));
}

}  // namespace gpuhmm::experiment::sorting
