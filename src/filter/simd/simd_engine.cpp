// The SIMD kernels of the host as a ScoreEngine.
#include <algorithm>
#include <limits>

#include "filter/sequence_set.hpp"
#include "filter/simd/scoring.hpp"
#include "filter/simd/sorted_batch.hpp"
#include "gpuhmm/engine.hpp"
#include "simd/instruction_set.hpp"

namespace gpuhmm {

namespace {

class SimdEngine : public ScoreEngine {
 public:
  SimdEngine(unsigned threads, unsigned calls) : threads_(threads), calls_(calls) {}

  std::string description() const override {
    const unsigned threads = threads_ * calls_;
    return "host SIMD " + simd::instruction_set() + ", " + std::to_string(threads) +
           (threads == 1 ? " thread" : " threads");
  }

  unsigned concurrency() const override { return calls_; }

  std::size_t least_batch() const override { return 40'000; }

  // Enough work to keep all threads busy for some milliseconds, even with the smallest models.
  std::size_t preferred_batch() const override {
    constexpr std::size_t kLeast = std::size_t{8} << 20, kOneThread = std::size_t{1} << 20;
    return std::max(kLeast, kOneThread * threads_ * calls_);
  }

  double expected_speed() const override { return 7e9 * threads_ * calls_; }

  void count_into(WorkMeter* meter) override { meter_ = meter; }

  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& sequences) override {
    return std::make_unique<simd::SortedBatch>(sequences);
  }

  void score(const ScoreModel& model, PreparedBatch& prepared, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    score_up_to(model, prepared, threshold, std::numeric_limits<std::int32_t>::max(), scores);
  }

  void score_up_to(const ScoreModel& model, PreparedBatch& prepared, std::optional<std::int32_t> threshold,
                   std::int32_t enough, std::span<std::int32_t> scores) override {
    simd::score_batch(model, dynamic_cast<simd::SortedBatch&>(prepared), threads_, threshold, enough, scores,
                      meter_);
  }

  void score_whole_bits(const ScoreModel& model, PreparedBatch& prepared, std::int32_t enough,
                        std::span<std::int32_t> scores) override {
    simd::score_whole_bits(model, dynamic_cast<simd::SortedBatch&>(prepared), threads_, enough, scores,
                           meter_);
  }

 private:
  unsigned threads_, calls_;
  WorkMeter* meter_ = nullptr;
};

}  // namespace

std::unique_ptr<ScoreEngine> make_simd_engine(unsigned threads, unsigned calls) {
  return std::make_unique<SimdEngine>(threads, calls);
}

}  // namespace gpuhmm
