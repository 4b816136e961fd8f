// Deals the transitions of a node to the work-item of its stripe.
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

SweepTables::SweepTables(const SweepLaunch& launch, std::span<const SweepQuery> queries)
    : model_of(queries.size()) {
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::ranges::fill(model_of, kNone);
  for (const SweepPair& pair : launch.pairs) {
    if (model_of[pair.query] != kNone) continue;
    const FloatModel& model = *queries[pair.query].model;
    model_of[pair.query] = static_cast<std::uint32_t>(models.size());
    models.push_back({static_cast<cl_uint>(transitions.size() / 4), static_cast<cl_uint>(emissions.size()),
                      static_cast<cl_uint>(model.steps()), static_cast<cl_uint>(model.nodes())});
    steps.push_back(model.steps());
    for (std::size_t q = 0; q < model.steps(); ++q) {
      for (std::size_t stripe = 0; stripe < kStripes; ++stripe) {
        for (std::size_t step = 0; step < kSteps; ++step)
          transitions.push_back(model.transitions()[(q * kSteps + step) * kStripes + stripe]);
      }
    }
    const float* const first = model.emissions(0);
    emissions.insert(emissions.end(), first, first + model.codes() * model.steps() * kStripes);
  }
}

}  // namespace gpuhmm::hmmer3
