// Texts of cells and names of origins.
#include "experiment/table.hpp"

namespace gpuhmm::experiment {

const char* origin_name(Origin origin) {
  switch (origin) {
    case Origin::Setting:
      return "setting";
    case Origin::Published:
      return "published";
    case Origin::Measured:
      return "measured";
    case Origin::Derived:
      break;
  }
  return "derived";
}

Cell Cell::absent(const std::string& reason) {
  Cell cell(reason);
  cell.absent_ = true;
  return cell;
}

}  // namespace gpuhmm::experiment
