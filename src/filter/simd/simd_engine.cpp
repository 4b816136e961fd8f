// The SIMD kernels of the host as a ScoreEngine.
#include <algorithm>
#include <limits>

#include "filter/sequence_set.hpp"
#include "filter/simd/scoring.hpp"
#include "filter/simd/sorted_batch.hpp"
#include "gpuhmm/engine.hpp"
#include "simd/instruction_set.hpp"
#include "util/shared_threads.hpp"

namespace gpuhmm {

namespace {

class SimdEngine : public ScoreEngine {
 public:
  SimdEngine(unsigned threads, unsigned calls, unsigned most)
      : calls_(calls), most_(most > 0 ? most : threads * calls), threads_(most_, threads) {}

  std::string description() const override {
    return "host SIMD " + simd::instruction_set() + ", " + std::to_string(most_) +
           (most_ == 1 ? " thread" : " threads");
  }

  unsigned concurrency() const override { return calls_; }

  std::size_t least_batch() const override { return 40'000; }

  // Enough work to keep all threads busy for some milliseconds, even with the smallest models.
  std::size_t preferred_batch() const override {
    constexpr std::size_t kLeast = std::size_t{8} << 20, kOneThread = std::size_t{1} << 20;
    return std::max(kLeast, kOneThread * most_);
  }

  double expected_speed() const override { return 7e9 * most_; }

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
  unsigned calls_, most_;
  SharedThreads threads_;
  WorkMeter* meter_ = nullptr;
};

}  // namespace

std::unique_ptr<ScoreEngine> make_simd_engine(unsigned threads, unsigned calls, unsigned most) {
  return std::make_unique<SimdEngine>(threads, calls, most);
}

}  // namespace gpuhmm
