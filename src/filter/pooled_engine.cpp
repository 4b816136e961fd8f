// Models dealt to engines; see the header.
#include "filter/pooled_engine.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <utility>

#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

struct Member {
  std::unique_ptr<ScoreEngine> engine;
  unsigned calls = 0;      // being made
  std::uint64_t made = 0;  // so far
  bool failed = false;
};

struct PooledBatch : PreparedBatch {
  PooledBatch(SequenceSet set, std::size_t members)
      : sequences(std::move(set)), mutexes(members), prepared(members) {}

  SequenceSet sequences;
  std::vector<std::mutex> mutexes;                       // of `prepared`, one a member
  std::vector<std::unique_ptr<PreparedBatch>> prepared;  // by member
};

class PooledEngine : public ScoreEngine {
 public:
  PooledEngine(std::vector<std::unique_ptr<ScoreEngine>> engines,
               std::function<void(const std::string&)> warn)
      : warn_(std::move(warn)) {
    for (auto& engine : engines) members_.push_back({std::move(engine)});
  }

  std::string description() const override {
    const std::lock_guard lock(mutex_);
    std::string text;
    for (const Member& member : members_) {
      if (!member.failed) text += (text.empty() ? "" : " + ") + member.engine->description();
    }
    return text;
  }

  bool verified() const override {
    return std::ranges::any_of(members_, [](const Member& member) { return member.engine->verified(); });
  }

  unsigned concurrency() const override {
    return std::accumulate(members_.begin(), members_.end(), 0U, [](unsigned sum, const Member& member) {
      return sum + member.engine->concurrency();
    });
  }

  std::size_t preferred_batch() const override {
    std::size_t most = 1;
    for (const Member& member : members_) most = std::max(most, member.engine->preferred_batch());
    return most;
  }

  double expected_speed() const override {
    return std::accumulate(members_.begin(), members_.end(), 0.0, [](double sum, const Member& member) {
      return sum + member.engine->expected_speed();
    });
  }

  void count_into(WorkMeter* meter) override {
    for (Member& member : members_) member.engine->count_into(meter);
  }

  EngineTimes times() const override {
    EngineTimes sum;
    for (const Member& member : members_) sum += member.engine->times();
    return sum;
  }

  // On all members at the same time; where one fails, the first score tells.
  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& sequences) override {
    auto batch = std::make_unique<PooledBatch>(sequences, members_.size());
    const auto count = static_cast<unsigned>(members_.size());
    parallel_for(count, members_.size(), 1, [&](std::size_t m, std::size_t) {
      try {
        prepared_for(m, *batch);
      } catch (const EngineFailure& error) {
        fail(m, error);
      }
    });
    return batch;
  }

  void score(const ScoreModel& model, PreparedBatch& prepared, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    auto& batch = dynamic_cast<PooledBatch&>(prepared);
    for (;;) {
      const std::size_t m = take_member();
      try {
        members_[m].engine->score(model, prepared_for(m, batch), threshold, scores);
        give_member(m);
        return;
      } catch (const EngineFailure& error) {
        give_member(m);
        fail(m, error);
      } catch (...) {
        give_member(m);
        throw;
      }
    }
  }

 private:
  PreparedBatch& prepared_for(std::size_t m, PooledBatch& batch) {
    const std::lock_guard lock(batch.mutexes[m]);
    if (!batch.prepared[m]) batch.prepared[m] = members_[m].engine->prepare(batch.sequences);
    return *batch.prepared[m];
  }

  // The member with the fewest calls for what it takes at a time; of several, the one that was asked least.
  std::size_t take_member() {
    const std::lock_guard lock(mutex_);
    const auto busyness = [](const Member& member) {
      return std::pair(static_cast<double>(member.calls) / member.engine->concurrency(), member.made);
    };
    Member* best = nullptr;
    for (Member& member : members_) {
      if (!member.failed && (best == nullptr || busyness(member) < busyness(*best))) best = &member;
    }
    if (best == nullptr) throw EngineFailure(last_failure_);
    ++best->calls;
    ++best->made;
    return static_cast<std::size_t>(best - members_.data());
  }

  void give_member(std::size_t m) {
    const std::lock_guard lock(mutex_);
    --members_[m].calls;
  }

  void fail(std::size_t m, const EngineFailure& error) {
    {
      const std::lock_guard lock(mutex_);
      last_failure_ = error.what();
      if (std::exchange(members_[m].failed, true)) return;
    }
    const std::lock_guard lock(warn_mutex_);
    warn_(error.what() + std::string("; the other devices do its work"));
  }

  std::vector<Member> members_;
  mutable std::mutex mutex_;  // of calls and failed of members_, and of last_failure_
  std::string last_failure_;
  std::mutex warn_mutex_;  // of warn_; held without mutex_, since who is warned may ask for the description
  std::function<void(const std::string&)> warn_;
};

}  // namespace

std::unique_ptr<ScoreEngine> make_pooled_engine(std::vector<std::unique_ptr<ScoreEngine>> engines,
                                                std::function<void(const std::string&)> warn) {
  return std::make_unique<PooledEngine>(std::move(engines), std::move(warn));
}

}  // namespace gpuhmm
