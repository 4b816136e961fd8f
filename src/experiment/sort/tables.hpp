// The tables of the experiment.
#pragma once

#include "experiment/sort/measurements.hpp"
#include "experiment/sort/published.hpp"

namespace gpuhmm::experiment::sorting {

/// Tables 3 and 4: seconds by words of a work-item and by work-group size.
Table words_each_table(Measurements& measurements);
Table group_table(Measurements& measurements);
/// Tables 5 and 7: speed-up over rivals, with all costs, and without selection and transfer.
Table speed_up_table(Measurements& measurements);
Table speed_up_without_start_table(Measurements& measurements);
/// Tables 6 and 9: seconds of each stage, in sets 1 to 4 and in sets 3, 5, 6 and 7.
Table stages_table(Measurements& measurements);
Table prefix_stages_table(Measurements& measurements);
/// Table 8: sets with shared prefixes against the uniform set of the same size.
Table prefix_speed_up_table(Measurements& measurements);

/// Further tables: seconds of rivals; today's sorter; words of 32, 84, 100 and 1,000 letters.
Table rivals_table(Measurements& measurements);
Table today_table(Measurements& measurements);
Table long_words_table(Measurements& measurements);

/// A set of words and its name in tables.
struct NamedSet {
  std::string name;
  WordShape shape;
};
/// A set of the publication, counted from 1.
NamedSet published_set(unsigned number);
/// Words like those of sets 3, 5, 6 and 7, but as many as in set 1, for runs without --full.
std::vector<NamedSet> small_prefix_sets();

/// A note on the distribution of words to work-items.
std::string work_text(const WorkShape& work);

inline const char* const kNotPublished = "not in the publication";
inline const char* const kNoBingmann = "no package has Bingmann's parallel string sorters";

}  // namespace gpuhmm::experiment::sorting
