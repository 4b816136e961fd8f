// The plain reference implementation (viterbi_score) as a ScoreEngine.
#include "filter/sequence_set.hpp"
#include "gpuhmm/engine.hpp"
#include "plan7/viterbi.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

struct ReferenceBatch : PreparedBatch {
  explicit ReferenceBatch(SequenceSet set) : sequences(std::move(set)) {}
  SequenceSet sequences;
};

class ReferenceEngine : public ScoreEngine {
 public:
  explicit ReferenceEngine(unsigned threads) : threads_(threads) {}

  std::string description() const override {
    return "plain reference, " + std::to_string(threads_) + (threads_ == 1 ? " thread" : " threads");
  }

  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& sequences) override {
    return std::make_unique<ReferenceBatch>(sequences);
  }

  void score(const ScoreModel& model, PreparedBatch& prepared, std::optional<std::int32_t> /*threshold*/,
             std::span<std::int32_t> scores) override {
    const SequenceSet& batch = dynamic_cast<ReferenceBatch&>(prepared).sequences;
    parallel_for(threads_, batch.size(), 8, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        if (batch.length(i) > 0) scores[i] = viterbi_score(model, batch.residues(i));
      }
    });
  }

 private:
  unsigned threads_;
};

}  // namespace

std::unique_ptr<ScoreEngine> make_reference_engine(unsigned threads) {
  return std::make_unique<ReferenceEngine>(threads);
}

}  // namespace gpuhmm
