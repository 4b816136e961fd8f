// Computes the null2 correction from the mean composition of a path's states.
#include "plan7/null2.hpp"

#include <vector>

#include "plan7/arithmetic.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {

namespace {

// Prior log-odds of the second null model: -8 bits.
constexpr std::int32_t kPrior = -8000;

}  // namespace

float null2_correction(const Profile& profile, std::span<const std::uint8_t> residues, const Trace& trace) {
  const Alphabet& letters = Alphabet::get(profile.alphabet);
  std::vector<float> composition(static_cast<std::size_t>(letters.size()), 0.0F);
  for (const TraceStep& step : trace) {
    if (step.state != State::M && step.state != State::I) continue;
    const std::vector<float>& table = step.state == State::M ? profile.match : profile.insert;
    const float* distribution = table.data() + static_cast<std::size_t>(step.node) * composition.size();
    for (std::size_t x = 0; x < composition.size(); ++x) composition[x] += distribution[x];
  }
  normalise(composition);
  std::vector<std::int32_t> scores(static_cast<std::size_t>(letters.code_count()));
  emission_scores(letters, composition, profile.null_emission, scores);
  std::int64_t sum = kPrior;
  for (const TraceStep& step : trace) {
    if (step.state == State::M || step.state == State::I) sum += scores[residues[step.position - 1]];
  }
  return bits_of(log_sum(0, static_cast<std::int32_t>(sum)));
}

}  // namespace gpuhmm
