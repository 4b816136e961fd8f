// Lists the tables of the experiment, which share measurements.
#include "experiment/sort/sort.hpp"

#include <memory>

#include "experiment/sort/tables.hpp"

namespace gpuhmm::experiment {

namespace {

using sorting::Measurements;

// The measurements of the last request, shared by consecutive tables.
using Shared = std::shared_ptr<std::unique_ptr<Measurements>>;

TableSource source(const Shared& shared, std::string id, std::string title,
                   Table (*table)(Measurements& measurements)) {
  return {std::move(id), std::move(title), [shared, table](const Request& request) {
            if (!*shared || !(*shared)->request().measures_as(request)) {
              *shared = std::make_unique<Measurements>(request);
            }
            return table(**shared);
          }};
}

}  // namespace

Experiment sort_experiment() {
  const auto shared = std::make_shared<std::unique_ptr<Measurements>>();
  return {"sort",
          "Sorting strings with long common prefixes on a GPU",
          "F. P. Bitencourt, bachelor's thesis, UNEB 2013",
          {source(shared, "3", "words of a work-item", sorting::words_each_table),
           source(shared, "4", "work-group sizes", sorting::group_table),
           source(shared, "5", "speed-up over rivals with all costs", sorting::speed_up_table),
           source(shared, "6", "stages of sets 1 to 4", sorting::stages_table),
           source(shared, "7", "speed-up over rivals without selection and transfer",
                  sorting::speed_up_without_start_table),
           source(shared, "8", "shared prefixes against none", sorting::prefix_speed_up_table),
           source(shared, "9", "stages of sets with shared prefixes", sorting::prefix_stages_table),
           source(shared, "rivals", "seconds of the rivals", sorting::rivals_table),
           source(shared, "today", "today's sorter on the same sets", sorting::today_table),
           source(shared, "long", "longer words with shared prefixes", sorting::long_words_table)}};
}

}  // namespace gpuhmm::experiment
