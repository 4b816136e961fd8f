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

SweepTables::SweepTables(const LaunchModels& launch, std::span<const PairQuery> queries) {
  for (const std::uint32_t query : launch.queries) {
    const FloatModel& model = queries[query].profile->floats;
    models.push_back({static_cast<cl_uint>(transitions.size() / 4), static_cast<cl_uint>(emissions.size()),
                      static_cast<cl_uint>(model.steps()), static_cast<cl_uint>(model.nodes())});
    for (std::size_t q = 0; q < model.steps(); ++q) {
      for (std::size_t stripe = 0; stripe < kStripes; ++stripe) {
        static_assert(kDeleteToDelete + 1 == kSteps);
        for (std::size_t step = 0; step < kSteps; ++step)
          transitions.push_back(model.transitions()[(q * kSteps + step) * kStripes + stripe]);
        deletes.push_back(transitions.back());
      }
    }
    const float* const first = model.emissions(0);
    emissions.insert(emissions.end(), first, first + model.codes() * model.steps() * kStripes);
  }
}

}  // namespace gpuhmm::hmmer3
