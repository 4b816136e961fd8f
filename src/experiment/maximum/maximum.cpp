// The tables of both problems in the publication's order.
#include "experiment/maximum/maximum.hpp"

#include <iterator>

#include "experiment/maximum/tables.hpp"

namespace gpuhmm::experiment {

Experiment maximum_experiment() {
  std::vector<TableSource> tables = maximum::subsequence_tables();
  std::vector<TableSource> more = maximum::submatrix_tables();
  std::move(more.begin(), more.end(), std::back_inserter(tables));
  return {
      "maximum", "Maximum subsequence and maximum submatrix",
      "C. S. F. da Luz, Implementações de algoritmos paralelos da subsequência máxima e da submatriz máxima em GPU, "
      "UFABC, 2013",
      std::move(tables), true};
}

}  // namespace gpuhmm::experiment
