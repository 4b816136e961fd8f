// Chooses match columns by gaps or by hand, and holds the null models.
#include "plan7/building/architecture.hpp"

#include <algorithm>
#include <stdexcept>

#include "plan7/arithmetic.hpp"
#include "plan7/building/training_alignment.hpp"

namespace gpuhmm {

namespace {

MatchColumns checked(MatchColumns columns) {
  if (std::ranges::find(columns, true) == columns.end()) {
    throw std::invalid_argument("no column qualifies as a match column");
  }
  return columns;
}

}  // namespace

MatchColumns columns_without_many_gaps(const TrainingAlignment& alignment, float largest_gap_part) {
  MatchColumns columns;
  for (std::size_t column = 0; column < alignment.columns(); ++column) {
    float gaps = 0;
    for (const std::string& row : alignment.rows) gaps += is_gap(row[column]) ? 1.0F : 0.0F;
    const auto all = static_cast<float>(alignment.rows.size());
    columns.push_back(!(gaps / all > largest_gap_part));
  }
  return checked(std::move(columns));
}

MatchColumns columns_by_hand(std::string_view reference) {
  MatchColumns columns;
  for (const char c : reference) columns.push_back(!is_gap(c));
  return checked(std::move(columns));
}

NullModel NullModel::standard(AlphabetKind alphabet) {
  if (alphabet == AlphabetKind::Nucleic) {
    return {static_cast<float>(1000.0 / 1001.0), std::vector<float>(4, 0.25F)};
  }
  return {static_cast<float>(350.0 / 351.0),
          {0.075520F, 0.016973F, 0.053029F, 0.063204F, 0.040762F, 0.068448F, 0.022406F,
           0.057284F, 0.059398F, 0.093399F, 0.023569F, 0.045293F, 0.049262F, 0.040231F,
           0.051573F, 0.072214F, 0.057454F, 0.065252F, 0.012513F, 0.031985F}};
}

}  // namespace gpuhmm
