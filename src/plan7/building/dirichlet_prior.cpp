// Computes mean posterior estimates, in HMMER's single precision and order of operations.
#include "plan7/building/dirichlet_prior.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "gpuhmm/build.hpp"
#include "plan7/arithmetic.hpp"

namespace gpuhmm {

namespace {

float sum_of(std::span<const float> values) { return std::accumulate(values.begin(), values.end(), 0.0F); }

/// The value that Debian's program uses for log Gamma(x): the low half of the double x + 10.5, the last
/// argument of a logarithm in the function.
double debian_log_gamma(double x) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(x + 10.5)));
}

double log_gamma(double x, GammaFunction gamma) {
  return gamma == GammaFunction::Debian ? debian_log_gamma(x) : std::lgamma(x);
}

/// The logarithm of the probability of the counts under one component.
float log_probability(std::span<const float> counts, std::span<const float> alpha, GammaFunction gamma) {
  float all = 0, pseudo = 0, seen = 0, log_p = 0;
  const auto add = [&log_p](double term) { log_p = static_cast<float>(static_cast<double>(log_p) + term); };
  for (std::size_t x = 0; x < counts.size(); ++x) {
    all += counts[x] + alpha[x];
    pseudo += alpha[x];
    seen += counts[x];
    add(log_gamma(static_cast<double>(alpha[x] + counts[x]), gamma));
    add(-log_gamma(static_cast<double>(counts[x]) + 1.0, gamma));
    add(-log_gamma(static_cast<double>(alpha[x]), gamma));
  }
  add(-log_gamma(static_cast<double>(all), gamma));
  add(log_gamma(static_cast<double>(pseudo), gamma));
  add(log_gamma(static_cast<double>(seen) + 1.0, gamma));
  return log_p;
}

/// Turns logarithms into probabilities; those far below the largest become 0.
void normalise_logarithms(std::vector<float>& values) {
  constexpr double kFar = 50;
  const float largest = std::ranges::max(values);
  float sum = 0;
  for (const float v : values) {
    if (static_cast<double>(v) > static_cast<double>(largest) - kFar) {
      sum += static_cast<float>(std::exp(static_cast<double>(v - largest)));
    }
  }
  const double log_sum =
      static_cast<float>(std::log(static_cast<double>(sum)) + static_cast<double>(largest));
  for (float& v : values) {
    const double difference = static_cast<double>(v) - log_sum;
    v = difference > -kFar ? static_cast<float>(std::exp(difference)) : 0.0F;
  }
}

/// The probabilities of the components, given the counts.
std::vector<float> component_probabilities(std::span<const float> counts, const DirichletMixture& prior,
                                           GammaFunction gamma) {
  if (prior.size() == 1) return {1.0F};
  std::vector<float> mixture;
  for (const DirichletComponent& component : prior) {
    float log_p = component.probability > 0
                      ? static_cast<float>(std::log(static_cast<double>(component.probability)))
                      : -999.0F;
    log_p += log_probability(counts, component.alpha, gamma);
    mixture.push_back(log_p);
  }
  normalise_logarithms(mixture);
  normalise(mixture);  // large logarithms have rounded their sum
  return mixture;
}

void single_prior(std::span<float> counts, std::span<const float> alpha, float total) {
  for (std::size_t x = 0; x < counts.size(); ++x) counts[x] = (counts[x] + alpha[x]) / total;
  normalise(counts);
}

}  // namespace

void apply_components(std::span<float> counts, const DirichletMixture& prior,
                      std::span<const float> mixture) {
  const float seen = sum_of(counts);
  std::vector<float> pseudo;
  for (const DirichletComponent& component : prior) pseudo.push_back(sum_of(component.alpha));
  for (std::size_t x = 0; x < counts.size(); ++x) {
    float p = 0;
    for (std::size_t q = 0; q < prior.size(); ++q) {
      const float all = seen + pseudo[q];
      if (all > 0) p += mixture[q] * (counts[x] + prior[q].alpha[x]) / all;
    }
    counts[x] = p;
  }
  normalise(counts);
}

void apply_prior(std::span<float> counts, const DirichletMixture& prior, GammaFunction gamma) {
  apply_components(counts, prior, component_probabilities(counts, prior, gamma));
}

void apply_prior(Transitions& counts, const TransitionPrior& prior) {
  std::array<float, 3> match = {counts.mm, counts.mi, counts.md};
  std::array<float, 2> insert = {counts.im, counts.ii}, deletion = {counts.dm, counts.dd};
  single_prior(match, prior.match, sum_of(match) + sum_of(prior.match));
  single_prior(insert, prior.insert, sum_of(insert) + prior.insert[0] + prior.insert[1]);
  single_prior(deletion, prior.deletion, sum_of(deletion) + prior.deletion[0] + prior.deletion[1]);
  counts = {match[0], match[1], match[2], insert[0], insert[1], deletion[0], deletion[1]};
}

void apply_match_prior(std::span<float> counts, const ProfilePrior& prior, GammaFunction gamma) {
  if (!prior.by_residue) return apply_prior(counts, prior.match, gamma);
  std::vector<float> mixture(counts.begin(), counts.end());
  normalise(mixture);
  apply_components(counts, prior.match, mixture);
}

}  // namespace gpuhmm
