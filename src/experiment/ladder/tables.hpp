// The tables of the ladder. Each function measures what its table shows, unless the session already has it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiment/ladder/session.hpp"
#include "experiment/table.hpp"

namespace gpuhmm::experiment::ladder {

/// A column of a table with a row for each family and one for the means.
struct FamilyColumn {
  Column column;
  std::function<Cell(std::size_t family)> cell;
  std::optional<Cell> mean = {};  ///< the published mean; else that of the column's numbers
};

/// The table with the families' names, then these columns.
Table family_table(const std::string& id, const std::string& title, const Session& session,
                   const std::vector<FamilyColumn>& columns);

/// A published number, absent for NaN.
Cell published(double number);
/// A column of published numbers, which `figure` picks from PublishedFamily.
FamilyColumn published_column(const std::string& name, const std::string& unit,
                              const std::function<double(const PublishedFamily&)>& figure);
/// Notes: what measured seconds include, and how they were scaled to the publication's number of cells.
std::vector<std::string> timing_notes(Session& session, Set set);
/// The index of the family with that name.
std::size_t family_named(const std::string& name);
/// The index of the family with that name if it has a model; else of the family with a model of the nearest
/// size.
std::size_t family_like(const Session& session, const std::string& name);
/// Total time in seconds and cells, summed over the families that have times.
struct Sum {
  double seconds = 0, published_cells_seconds = 0, cells = 0;
  std::size_t families = 0;
};
Sum sum_over_families(Session& session, Set set, const std::function<const Result&(std::size_t)>& result);

Table data_table(Session& session);    // 7.1
Table models_table(Session& session);  // 7.2
Table basic_table(Session& session);   // 7.5
Table singles_table(Session& session, const std::string& id, const std::string& title,
                    const std::vector<Single>& variants);   // 8.1, 8.2, 8.4, 9.1 to 9.5
Table registers_table(Session& session);                    // 8.3
Table shares_table(Session& session);                       // 8.5
Table sets_table(Session& session, const std::string& id);  // 8.6, 8.7
Table optimisations_table(Session& session);                // 10.1
Table steps_table(Session& session);                        // 10.2
Table emissions_step_table(Session& session);               // 10.3
Table final_table(Session& session);                        // 10.4
Table final_memory_table(Session& session);                 // 10.5
Table groups_table(Session& session);                       // figure 10.1
Table grain_table(Session& session);                        // section 10.4
Table forms_table(Session& session);                        // residues a read, maxima, unrolling by 16
Table memory_table(Session& session);                       // 3.4 to 3.7, 7.3
Table distributions_table(Session& session);                // section 11.2
Table rivals_table(Session& session);                       // today's kernels
Table implementations_table(Session& session);              // 10.6
Table circuits_table(Session& session);                     // 4.2, 4.3

}  // namespace gpuhmm::experiment::ladder
