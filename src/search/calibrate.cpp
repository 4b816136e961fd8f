// Calibration of profiles; see the header.
#include "search/calibrate.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "plan7/arithmetic.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {

Calibrator::Calibrator(AlphabetKind alphabet, const SampleOptions& options, std::unique_ptr<Scorer> scorer,
                       unsigned threads)
    : scorer_(std::move(scorer)), samples_(alphabet, options, threads), threads_(threads) {}

Calibration Calibrator::calibrate(const Profile& profile) {
  const ScoreModel model(profile);
  Calibration result;
  std::vector<std::int32_t> scores;
  std::int32_t largest = std::numeric_limits<std::int32_t>::min();
  samples_.next([&](Scorer::Batch& batch) {
    scores.resize(batch.sequences().size());
    const ScoreEngine& engine = scorer_->score_whole_bits(model, batch, scores);
    scorer_->verify(engine, model, batch.sequences(), true, scores, threads_);
    for (const std::int32_t score : scores) {
      result.histogram.add(bits_of(score));
      largest = std::max(largest, score);
    }
  });
  result.largest = bits_of(largest);
  result.fit = fit_extreme_value(result.histogram);
  return result;
}

}  // namespace gpuhmm
