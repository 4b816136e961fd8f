// An engine that records the progress of a meter at each call.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "filter/sequence_set.hpp"
#include "gpuhmm/engine.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm::testing {

/// A meter, and the fraction of the run that it reported before and after each call, in order.
struct MeterNotes {
  WorkMeter meter;
  std::vector<std::optional<double>> before, after;
};

/// The host SIMD engine with one thread; records in MeterNotes.
class RecordingEngine : public ScoreEngine {
 public:
  explicit RecordingEngine(MeterNotes& notes) : notes_(notes), engine_(make_simd_engine(1)) {}

  std::string description() const override { return engine_->description(); }
  void count_into(WorkMeter* meter) override { engine_->count_into(meter); }
  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& sequences) override {
    return engine_->prepare(sequences);
  }
  void score(const ScoreModel& model, PreparedBatch& batch, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    notes_.before.push_back(notes_.meter.read().fraction);
    engine_->score(model, batch, threshold, scores);
    notes_.after.push_back(notes_.meter.read().fraction);
  }

 private:
  MeterNotes& notes_;
  std::unique_ptr<ScoreEngine> engine_;
};

}  // namespace gpuhmm::testing
