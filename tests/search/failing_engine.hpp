// An engine that fails when it shall, as a device does that runs out of memory or is lost.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "filter/engine.hpp"

namespace gpuhmm::testing {

/// The reference up to its `failing_call`-th call of prepare or of score, which spoils the scores and throws.
class FailingEngine : public ScoreEngine {
 public:
  enum class Call { Prepare, Score };

  FailingEngine(std::string name, Call call, int failing_call)
      : name_(std::move(name)), call_(call), calls_left_(failing_call) {}

  std::string description() const override { return name_; }

  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& batch) override {
    count(Call::Prepare);
    return reference_->prepare(batch);
  }

  void score(const ScoreModel& model, PreparedBatch& batch, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    if (call_ == Call::Score && calls_left_ == 1) std::fill(scores.begin(), scores.end(), 1'000'000);
    count(Call::Score);
    reference_->score(model, batch, threshold, scores);
  }

 private:
  void count(Call call) {
    if (call == call_ && --calls_left_ == 0) throw EngineFailure(name_ + " is lost");
  }

  std::string name_;
  Call call_;
  int calls_left_;
  std::unique_ptr<ScoreEngine> reference_ = make_reference_engine(1);
};

}  // namespace gpuhmm::testing
