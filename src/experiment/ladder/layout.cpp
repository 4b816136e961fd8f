// Packs sequences and tables of parameters.
#include "experiment/ladder/layout.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace gpuhmm::experiment::ladder {

namespace {

std::size_t units_of(std::size_t length, std::size_t unit) { return (length + unit - 1) / unit; }

void interleave(const SequenceSet& sequences, std::span<const std::size_t> order, std::size_t unit,
                Arrangement& result) {
  const std::size_t longest = order.empty() ? 0 : units_of(sequences.length(order.front()), unit);
  std::size_t total = 0, items = order.size();
  for (std::size_t u = 0; u < longest; ++u) {
    while (units_of(sequences.length(order[items - 1]), unit) <= u) --items;
    result.starts.push_back(static_cast<std::uint32_t>(total));
    total += items;
  }
  result.residues.assign(total * unit, 0);
  for (std::size_t item = 0; item < order.size(); ++item) {
    const std::span<const std::uint8_t> residues = sequences.residues(order[item]);
    for (std::size_t r = 0; r < residues.size(); ++r)
      result.residues[(result.starts[r / unit] + item) * unit + r % unit] = residues[r];
  }
}

}  // namespace

Arrangement arrange(const SequenceSet& sequences, std::span<const std::size_t> order, bool coalesced,
                    int residues_a_read) {
  const auto unit = static_cast<std::size_t>(residues_a_read);
  Arrangement result;
  std::size_t bytes = 0;
  for (const std::size_t i : order) {
    if (sequences.length(i) == 0) throw std::invalid_argument("a sequence without residues");
    result.lengths.push_back(static_cast<std::int32_t>(sequences.length(i)));
    bytes += units_of(sequences.length(i), unit) * unit;
  }
  if (bytes > std::numeric_limits<std::uint32_t>::max()) throw std::invalid_argument("too many residues");
  if (coalesced) {
    interleave(sequences, order, unit, result);
    return result;
  }
  for (const std::size_t i : order) {
    const std::span<const std::uint8_t> residues = sequences.residues(i);
    result.starts.push_back(static_cast<std::uint32_t>(result.residues.size()));
    result.residues.insert(result.residues.end(), residues.begin(), residues.end());
    result.residues.resize(units_of(result.residues.size(), unit) * unit);
  }
  return result;
}

std::vector<std::int32_t> regular_table(const ScoreModel& model, RegularPlace place, std::size_t copies) {
  const std::size_t size = (static_cast<std::size_t>(model.nodes) + 1) * 9;
  const std::size_t padded = place == RegularPlace::Local ? (size + 31) / 32 * 32 : size;
  if (place != RegularPlace::Local) copies = 1;
  std::vector<std::int32_t> table;
  table.reserve(padded * copies);
  for (std::size_t copy = 0; copy < copies; ++copy) {
    for (int k = 0; k <= model.nodes; ++k) {
      for (const auto* scores : {&model.mm, &model.mi, &model.md, &model.im, &model.ii, &model.dm, &model.dd,
                                 &model.begin, &model.end})
        table.push_back(std::max((*scores)[k], kLow));
    }
    table.resize(padded * (copy + 1));
  }
  return table;
}

std::vector<std::int32_t> special_table(const ScoreModel& model, SpecialPlace place, std::size_t stride) {
  std::vector<std::int32_t> table;
  for (const std::int32_t score : {model.n_loop, model.n_begin, model.e_to_j, model.e_to_c, model.c_loop,
                                   model.c_end, model.j_loop, model.j_begin})
    table.insert(table.end(), place == SpecialPlace::Replicated ? stride : 1, std::max(score, kLow));
  return table;
}

std::vector<std::int32_t> emission_table(const ScoreModel& model, bool match, EmissionPlace place,
                                         int symbols) {
  const bool by_node = place == EmissionPlace::Global;
  const std::size_t places = static_cast<std::size_t>(model.nodes) + 1;
  std::vector<std::int32_t> table(places * static_cast<std::size_t>(symbols), kLow);
  for (int x = 0; x < symbols; ++x) {
    const std::span<const std::int32_t> row = match ? model.match_row(x) : model.insert_row(x);
    for (std::size_t k = 0; k < places; ++k)
      table[by_node ? k * static_cast<std::size_t>(symbols) + static_cast<std::size_t>(x)
                    : static_cast<std::size_t>(x) * places + k] = std::max(row[k], kLow);
  }
  return table;
}

}  // namespace gpuhmm::experiment::ladder
