// Deals the transitions of a node to the work-item of its stripe; copies to the device.
#include "hmmer3/opencl/sweep_tables.hpp"

#include <algorithm>
#include <cmath>

namespace gpuhmm::hmmer3 {

bool is_normal(const FloatModel& model) {
  const auto normal = [](std::span<const float> values) {
    return std::ranges::all_of(values, [](float value) { return value == 0 || std::isnormal(value); });
  };
  return normal({model.transitions(), model.steps() * kSteps * kStripes}) &&
         normal({model.emissions(0), model.codes() * model.steps() * kStripes});
}

std::vector<std::size_t> sweep_sizes(std::span<const PairQuery> queries) {
  std::vector<std::size_t> sizes;
  for (const PairQuery& query : queries)
    sizes.push_back(is_normal(query.profile->floats) ? query.profile->floats.steps() : kNoRoom);
  return sizes;
}

namespace {

constexpr cl_uint kFalling = 0x80000000;

}  // namespace

SweepTables::SweepTables(const LaunchModels& launch, std::span<const PairQuery> queries) {
  // Kernels read some steps in front of the first, and behind the last.
  constexpr std::size_t kUnused = 8 * kStripes;
  const auto add_unused = [&] {
    transitions.resize(transitions.size() + kUnused * kSteps);
    deletes.resize(deletes.size() + kUnused * 2);
    emissions.resize(emissions.size() + kUnused);
  };
  add_unused();
  for (const std::uint32_t query : launch.queries) {
    const FloatModel& model = queries[query].profile->floats;
    Four& places = models.emplace_back(
        Four{static_cast<cl_uint>(transitions.size() / 4), static_cast<cl_uint>(emissions.size()),
             static_cast<cl_uint>(model.steps()), static_cast<cl_uint>(model.nodes()) | kFalling});
    for (std::size_t q = 0; q < model.steps(); ++q) {
      for (std::size_t stripe = 0; stripe < kStripes; ++stripe) {
        static_assert(kDeleteToDelete + 1 == kSteps);
        for (std::size_t step = 0; step < kSteps; ++step)
          transitions.push_back(model.transitions()[(q * kSteps + step) * kStripes + stripe]);
        deletes.push_back(transitions[transitions.size() - kSteps + kMatchToDelete]);
        deletes.push_back(transitions.back());
        if (!(transitions.back() <= 1)) places[3] &= ~kFalling;
      }
    }
    const float* const first = model.emissions(0);
    emissions.insert(emissions.end(), first, first + model.codes() * model.steps() * kStripes);
  }
  add_unused();
}

float sweep_score(std::span<const float> scales, float last_c, const LengthModel& lengths) {
  float total = 0;
  for (const float scale : scales) total = with_scale(total, scale);
  return forward_score(total, last_c, lengths.move);
}

void SweepInput::send_models(const SweepTables& tables) {
  send(queue_, models_, tables.models);
  send(queue_, transitions_, tables.transitions);
  send(queue_, deletes_, tables.deletes);
  send(queue_, emissions_, tables.emissions);
}

void SweepInput::send_pairs(std::span<const Four> pairs, std::span<const std::array<float, 2>> lengths,
                            std::span<const Four> groups) {
  send(queue_, pairs_, pairs);
  send(queue_, lengths_, lengths);
  send(queue_, groups_, groups);
}

}  // namespace gpuhmm::hmmer3
