// Models with about as many steps share a launch, as all its work-groups have equal local memory.
#include "hmmer3/opencl/sweep_groups.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace gpuhmm::hmmer3 {

namespace {

constexpr std::size_t kJoins = 8;  // arrays through which stripes exchange values
constexpr std::size_t kFlags = 2;  // of passes that go on

double cells_of(const SweepLaunch& launch, std::span<const SweepQuery> queries) {
  double cells = 0;
  for (const SweepPair& pair : launch.pairs)
    cells += static_cast<double>(pair.length) * static_cast<double>(queries[pair.query].model->steps());
  return cells;
}

}  // namespace

std::size_t sweep_cell_bytes(std::size_t steps, std::size_t items) {
  return steps * kCellStates * items * sizeof(float);
}
std::size_t sweep_join_bytes(std::size_t items) { return kJoins * items * sizeof(float); }
std::size_t sweep_flag_bytes(std::size_t items) { return (kFlags + kFlags * items) * sizeof(cl_int); }

std::size_t SweepRoom::sequences_at(std::size_t steps) const {
  const auto needed = [&](std::size_t count) {
    const std::size_t items = count * kStripes;
    return sweep_cell_bytes(steps, items) + sweep_join_bytes(items) + sweep_flag_bytes(items);
  };
  std::size_t count = std::bit_floor(sequences);
  while (count > 0 && needed(count) > local_bytes) count /= 2;
  return count;
}

std::vector<std::array<cl_uint, 4>> sweep_groups(std::span<const SweepPair> pairs, std::size_t sequences,
                                                 std::span<const std::uint32_t> model_of,
                                                 std::span<const std::size_t> steps_of) {
  std::vector<std::array<cl_uint, 4>> groups;
  for (std::size_t first = 0; first < pairs.size();) {
    std::size_t last = first + 1;
    while (last < pairs.size() && last - first < sequences && pairs[last].query == pairs[first].query) ++last;
    groups.push_back(
        {static_cast<cl_uint>(first), static_cast<cl_uint>(last - first), model_of[pairs[first].query], 0});
    first = last;
  }
  std::ranges::stable_sort(groups, std::ranges::greater(), [&](const std::array<cl_uint, 4>& group) {
    return pairs[group[0]].length * steps_of[group[2]];
  });
  return groups;
}

std::vector<SweepLaunch> sweep_launches(std::span<const SweepQuery> queries, const SequenceBatch& batch,
                                        const SweepRoom& room) {
  constexpr std::size_t kFewSteps = 8;
  std::vector<std::size_t> order(queries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto steps_of = [&](std::size_t q) { return queries[q].model->steps(); };
  std::ranges::stable_sort(order, std::ranges::less(), steps_of);
  std::vector<SweepLaunch> launches;
  std::size_t fewest = 0, rows = 0;
  for (const std::size_t q : order) {
    const std::size_t steps = steps_of(q), sequences = room.sequences_at(steps);
    if (sequences == 0) break;
    for (std::size_t n = 0; n < queries[q].sequences.size(); ++n) {
      const std::size_t sequence = queries[q].sequences[n], length = batch.length(sequence);
      if (length + 1 > room.rows) continue;
      if (launches.empty() || launches.back().sequences != sequences || steps > fewest + fewest / 2 ||
          rows + length + 1 > room.rows) {
        launches.push_back({{}, sequences, steps});
        fewest = std::max(steps, kFewSteps);
        rows = 0;
      }
      rows += length + 1;
      launches.back().steps = steps;
      launches.back().pairs.push_back({static_cast<std::uint32_t>(q), static_cast<std::uint32_t>(n),
                                       static_cast<std::uint32_t>(sequence),
                                       static_cast<std::uint32_t>(length)});
    }
  }
  std::ranges::stable_sort(launches, std::ranges::greater(),
                           [&](const SweepLaunch& launch) { return cells_of(launch, queries); });
  return launches;
}

}  // namespace gpuhmm::hmmer3
