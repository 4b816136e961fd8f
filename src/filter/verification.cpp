// Verifies scores of devices: compares a reproducible random sample with viterbi_score.
#include "filter/verification.hpp"

#include <random>
#include <string>

#include "plan7/arithmetic.hpp"
#include "plan7/viterbi.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

// The default sample of a batch, and the most cells of a result in a default sample.
constexpr std::size_t kHandful = 4;
constexpr double kFewCells = 1e6;

bool is_right(std::int32_t score, std::int32_t expected, const ScoresToVerify& given) {
  const bool no_path = expected < kMinusInfinity / 2 && score < kMinusInfinity / 2;
  if (no_path || (given.exact ? score == expected : score >= expected)) return true;
  return score >= given.enough && score <= expected;
}

}  // namespace

std::vector<std::size_t> results_to_verify(const Verification& verification, unsigned sample, std::size_t few,
                                           std::size_t count,
                                           const std::function<double(std::size_t)>& cells) {
  std::minstd_rand random(1 + sample);
  std::vector<std::size_t> chosen;
  if (verification.percent) {
    std::bernoulli_distribution often(*verification.percent / 100);
    for (std::size_t i = 0; i < count; ++i) {
      if (often(random) && cells(i) > 0) chosen.push_back(i);
    }
    return chosen;
  }
  random.discard(16);  // the first numbers of neighbouring seeds are similar
  for (std::size_t n = 0; n < few && count > 0; ++n) {
    const std::size_t i = random() % count;
    const double work = cells(i);
    if (work > 0 && work <= kFewCells) chosen.push_back(i);
  }
  return chosen;
}

std::vector<std::size_t> sequences_to_verify(const Verification& verification, unsigned sample, int nodes,
                                             const SequenceBatch& batch) {
  return results_to_verify(verification, sample, kHandful, batch.size(),
                           [&](std::size_t i) { return static_cast<double>(batch.length(i)) * nodes; });
}

std::vector<std::size_t> Verifier::sample(const ScoreModel& model, const SequenceBatch& batch) {
  return sequences_to_verify(verification_, samples_++, model.nodes, batch);
}

void Verifier::verify(std::span<const ScoreEngine* const> devices, const ScoreModel& model,
                      const SequenceBatch& batch, const ScoresToVerify& given, unsigned threads) {
  if (devices.empty()) return;
  const std::vector<std::size_t> chosen = sample(model, batch);
  parallel_for(threads, chosen.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      const std::size_t i = chosen[c];
      const std::int32_t expected = viterbi_score(model, batch.residues(i));
      if (is_right(given.scores[i], expected, given)) continue;
      throw WrongScore(join_descriptions(devices) + " gave sequence " + std::string(batch[i].name) +
                       " the score " + std::to_string(given.scores[i]) +
                       (given.exact ? "; it is " : ", below the true ") + std::to_string(expected) +
                       " (1/1000 bit). Do not use this device");
    }
  });
}

}  // namespace gpuhmm
