// Scores the random sequences of each profile and fits the distribution of their scores.
#include "gpuhmm/calibrate.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "calibrate/random_samples.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {

Calibrator::Calibrator(AlphabetKind alphabet, const SampleOptions& options, std::unique_ptr<EnginePool> pool,
                       unsigned threads)
    : pool_(std::move(pool)),
      samples_(std::make_unique<RandomSamples>(alphabet, options, threads, pool_->least_batch())) {}

Calibrator::~Calibrator() = default;

Calibration Calibrator::calibrate(const Profile& profile, bool last, WorkMeter* meter) {
  const ScoreModel model(profile);
  Calibration result;
  std::int32_t largest = std::numeric_limits<std::int32_t>::min();
  std::mutex counting;
  samples_->next(!last, [&](EnginePool::Batch& batch) {
    std::vector<std::int32_t> scores(batch.sequences().size());
    const EnginePool::Devices devices = pool_->score_whole_bits(model, batch, scores);
    pool_->verify(devices, model, batch.sequences(), true, scores, 1);
    if (meter != nullptr) {
      meter->add_work(static_cast<std::int64_t>(batch.sequences().residue_count()) * model.nodes);
    }
    const std::lock_guard lock(counting);
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
