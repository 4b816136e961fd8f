// An engine that fails at a chosen call, like a device that runs out of memory or is lost.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "filter/sequence_set.hpp"
#include "gpuhmm/engine.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm::testing {

/// The plain reference until the `failing_call`-th call of prepare or score. That call and all later ones
/// overwrite the scores and throw.
class FailingEngine : public ScoreEngine {
 public:
  enum class Call { Prepare, Score };

  FailingEngine(std::string name, Call call, int failing_call)
      : name_(std::move(name)), call_(call), calls_left_(failing_call) {}

  std::string description() const override { return name_; }

  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& batch) override {
    if (call_ == Call::Prepare && --calls_left_ <= 0) throw EngineFailure(name_ + " is lost");
    return reference_->prepare(batch);
  }

  void score(const ScoreModel& model, PreparedBatch& batch, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    if (call_ == Call::Score && --calls_left_ <= 0) {
      std::fill(scores.begin(), scores.end(), 1'000'000);
      throw EngineFailure(name_ + " is lost");
    }
    reference_->score(model, batch, threshold, scores);
  }

 private:
  std::string name_;
  Call call_;
  std::atomic<int> calls_left_;
  std::unique_ptr<ScoreEngine> reference_ = make_reference_engine(1);
};

}  // namespace gpuhmm::testing
