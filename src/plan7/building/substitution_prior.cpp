// Makes a prior from a substitution matrix, in HMMER's single precision and order of operations.
#include <cmath>

#include "gpuhmm/build.hpp"
#include "plan7/arithmetic.hpp"

namespace gpuhmm {

DirichletMixture substitution_prior(const SubstitutionScores& scores, float scale,
                                    std::span<const float> frequencies, float weight) {
  DirichletMixture prior;
  for (const auto& row : scores) {
    DirichletComponent& component = prior.emplace_back();
    for (std::size_t x = 0; x < row.size(); ++x) {
      const float exponent = scale * static_cast<float>(row[x]);
      component.alpha.push_back(
          static_cast<float>(static_cast<double>(frequencies[x]) * std::exp(static_cast<double>(exponent))));
    }
    normalise(component.alpha);
    for (float& alpha : component.alpha) alpha *= weight;
  }
  return prior;
}

}  // namespace gpuhmm
