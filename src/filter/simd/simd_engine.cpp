// The host SIMD engine behind the engine interface.
#include "filter/engine.hpp"
#include "filter/simd/instruction_set.hpp"
#include "filter/simd/scoring.hpp"
#include "filter/simd/sorted_batch.hpp"

namespace gpuhmm {

namespace {

class SimdEngine : public ScoreEngine {
 public:
  explicit SimdEngine(unsigned threads) : threads_(threads) {}

  std::string description() const override {
    return "host SIMD " + simd::instruction_set() + ", " + std::to_string(threads_) +
           (threads_ == 1 ? " thread" : " threads");
  }

  double expected_speed() const override { return 7e9 * threads_; }

  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& sequences) override {
    return std::make_unique<simd::SortedBatch>(sequences);
  }

  void score(const ScoreModel& model, PreparedBatch& prepared, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    simd::score_batch(model, dynamic_cast<simd::SortedBatch&>(prepared), threads_, threshold, scores);
  }

  void score_whole_bits(const ScoreModel& model, PreparedBatch& prepared,
                        std::span<std::int32_t> scores) override {
    simd::score_whole_bits(model, dynamic_cast<simd::SortedBatch&>(prepared), threads_, scores);
  }

 private:
  unsigned threads_;
};

}  // namespace

std::unique_ptr<ScoreEngine> make_simd_engine(unsigned threads) {
  return std::make_unique<SimdEngine>(threads);
}

}  // namespace gpuhmm
