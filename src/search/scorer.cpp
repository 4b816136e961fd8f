// Scoring with fallback; see the header.
#include "search/scorer.hpp"

#include <random>
#include <utility>

#include "plan7/arithmetic.hpp"
#include "plan7/viterbi.hpp"
#include "util/parallel.hpp"
#include "util/permit.hpp"

namespace gpuhmm {

namespace {

// The default sample of a batch, of sequences that cost the reference at most this many cells.
constexpr std::size_t kHandful = 4;
constexpr double kHandfulCells = 1e6;

}  // namespace

Scorer::Scorer(std::vector<std::unique_ptr<ScoreEngine>> engines,
               std::function<void(const std::string&)> warn, Verification verification, WorkMeter* meter)
    : warn_(std::move(warn)), verification_(verification) {
  for (auto& engine : engines) engine->count_into(meter);
  for (auto& engine : engines) slots_.push_back(std::make_unique<Slot>(std::move(engine)));
}

const ScoreEngine& Scorer::score(const ScoreModel& model, Batch& batch, std::optional<std::int32_t> threshold,
                                 std::span<std::int32_t> scores, std::int32_t enough) {
  return score_by(model, batch, scores, [&](ScoreEngine& engine, PreparedBatch& prepared) {
    engine.score_up_to(model, prepared, threshold, enough, scores);
  });
}

const ScoreEngine& Scorer::score_whole_bits(const ScoreModel& model, Batch& batch,
                                            std::span<std::int32_t> scores) {
  return score_by(model, batch, scores, [&](ScoreEngine& engine, PreparedBatch& prepared) {
    engine.score_whole_bits(model, prepared, scores);
  });
}

template <class Run>
const ScoreEngine& Scorer::score_by(const ScoreModel& model, Batch& batch, std::span<std::int32_t> scores,
                                    const Run& run) {
  for (;;) {
    Slot& slot = current();
    try {
      PreparedBatch* prepared = nullptr;
      {
        const std::lock_guard lock(batch.mutex_);
        std::unique_ptr<PreparedBatch>& own = batch.prepared_[slot.engine.get()];
        if (!own) own = slot.engine->prepare(batch.sequences());
        prepared = own.get();
      }
      const Permit permit(slot.free);
      run(*slot.engine, *prepared);
    } catch (const EngineFailure& failure) {
      fail(slot, failure);
      continue;
    }
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const bool no_path = scores[i] < kMinusInfinity / 2 && batch.sequences().length(i) > 0;
      if (no_path) scores[i] = viterbi_score(model, batch.sequences().residues(i));
    }
    return *slot.engine;
  }
}

Scorer::Slot& Scorer::current() const {
  const std::lock_guard lock(mutex_);
  return *slots_[current_];
}

const ScoreEngine& Scorer::engine() const { return *current().engine; }

// Turns to the next engine, unless another thread has done so.
void Scorer::fail(const Slot& slot, const EngineFailure& failure) {
  const ScoreEngine* next = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (&slot != slots_[current_].get()) return;
    if (current_ + 1 == slots_.size()) throw EngineFailure(failure);
    next = slots_[++current_]->engine.get();
  }
  const std::lock_guard lock(warn_mutex_);
  warn_(std::string(failure.what()) + "; going on with " + next->description());
}

EngineTimes Scorer::times() const {
  EngineTimes sum;
  for (const auto& slot : slots_) sum += slot->engine->times();
  return sum;
}

std::vector<std::size_t> Scorer::sample(const ScoreModel& model, const SequenceBatch& batch) {
  std::minstd_rand random(1 + samples_++);
  std::vector<std::size_t> chosen;
  if (verification_.percent) {
    std::bernoulli_distribution often(*verification_.percent / 100);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (often(random) && batch.length(i) > 0) chosen.push_back(i);
    }
    return chosen;
  }
  random.discard(16);  // first numbers of neighbouring seeds are alike
  for (std::size_t n = 0; n < kHandful && !batch.empty(); ++n) {
    const std::size_t i = random() % batch.size();
    const double cells = static_cast<double>(batch.length(i)) * model.nodes;
    if (cells > 0 && cells <= kHandfulCells) chosen.push_back(i);
  }
  return chosen;
}

void Scorer::verify(const ScoreEngine& engine, const ScoreModel& model, const SequenceBatch& batch,
                    bool exact, std::span<const std::int32_t> scores, unsigned threads, std::int32_t enough) {
  if (!engine.verified()) return;
  const std::vector<std::size_t> chosen = sample(model, batch);
  parallel_for(threads, chosen.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      const std::size_t i = chosen[c];
      const std::int32_t expected = viterbi_score(model, batch.residues(i));
      const bool no_path = expected < kMinusInfinity / 2 && scores[i] < kMinusInfinity / 2;
      if (no_path || (exact ? scores[i] == expected : scores[i] >= expected)) continue;
      if (scores[i] >= enough && scores[i] <= expected) continue;
      throw WrongScore(engine.description() + " gave sequence " + std::string(batch[i].name) + " the score " +
                       std::to_string(scores[i]) + (exact ? "; it is " : ", below the true ") +
                       std::to_string(expected) + " (1/1000 bit). Do not use this device");
    }
  });
}

}  // namespace gpuhmm
