// Several engines on one batch; see the header.
#include "filter/combined_engine.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <map>
#include <mutex>
#include <numeric>
#include <semaphore>
#include <shared_mutex>
#include <utility>

#include "util/permit.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

namespace {

// Parts are dealt anew, once a batch, when every member has worked so long and the slowest would then be done
// in less than this part of its time.
constexpr double kMeasuredSeconds = 0.5;
constexpr double kWorthDealing = 0.85;

// An engine and what is known of it.
struct Member {
  explicit Member(std::unique_ptr<ScoreEngine> own_engine)
      : engine(std::move(own_engine)), free(static_cast<std::ptrdiff_t>(engine->concurrency())) {}

  std::unique_ptr<ScoreEngine> engine;
  std::counting_semaphore<> free;  // calls of score that it still takes
  StageClock at_work;
  std::atomic<double> cells = 0;  // done while at work
  std::atomic<bool> failed = false;

  bool measured() const { return at_work.seconds() >= kMeasuredSeconds && cells > 0; }
  // Cells a second: measured, or what the engine expects.
  double speed() const { return measured() ? cells / at_work.seconds() : engine->expected_speed(); }
};

// The sequences of a batch that one member works on.
struct Part {
  std::vector<std::size_t> places;  // in the whole batch
  std::size_t residues = 0;
  std::mutex mutex;  // of `prepared`
  std::map<const ScoreEngine*, std::unique_ptr<PreparedBatch>> prepared;
};

struct CombinedBatch : PreparedBatch {
  CombinedBatch(SequenceSet set, std::size_t members) : sequences(std::move(set)), parts(members) {}

  SequenceSet sequences;
  std::shared_mutex mutex;  // held shared while parts are in use, else to deal them anew
  std::vector<Part> parts;  // by member
  std::atomic<bool> dealt_by_measure = false;
};

class CombinedEngine : public ScoreEngine {
 public:
  CombinedEngine(std::vector<std::unique_ptr<ScoreEngine>> engines,
                 std::function<void(const std::string&)> warn)
      : warn_(std::move(warn)) {
    for (auto& engine : engines) members_.push_back(std::make_unique<Member>(std::move(engine)));
  }

  std::string description() const override {
    std::string text;
    for (const auto& member : members_) {
      if (!member->failed) text += (text.empty() ? "" : " + ") + member->engine->description();
    }
    return text;
  }

  bool verified() const override {
    return std::ranges::any_of(
        members_, [](const auto& member) { return !member->failed && member->engine->verified(); });
  }

  unsigned concurrency() const override {
    unsigned most = 1;
    for (const auto& member : members_) most = std::max(most, member->engine->concurrency());
    return most;
  }

  std::size_t preferred_batch() const override {
    std::size_t most = 1;
    for (const auto& member : members_) most = std::max(most, member->engine->preferred_batch());
    return most;
  }

  double expected_speed() const override {
    return std::accumulate(members_.begin(), members_.end(), 0.0,
                           [](double sum, const auto& member) { return sum + member->speed(); });
  }

  void count_into(WorkMeter* meter) override {
    for (const auto& member : members_) member->engine->count_into(meter);
  }

  EngineTimes times() const override {
    EngineTimes sum;
    for (const auto& member : members_) sum += member->engine->times();
    return sum;
  }

  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& sequences) override {
    auto batch = std::make_unique<CombinedBatch>(sequences, members_.size());
    batch->dealt_by_measure = all_measured();
    deal(*batch);
    return batch;
  }

  void score(const ScoreModel& model, PreparedBatch& prepared, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    auto& batch = dynamic_cast<CombinedBatch&>(prepared);
    deal_by_measure(batch);
    const std::shared_lock lock(batch.mutex);
    std::vector<std::vector<std::int32_t>> found(batch.parts.size());
    on_all(batch, [&](Member& member, std::size_t p) {
      Part& part = batch.parts[p];
      PreparedBatch& own = prepared_for(member, batch, part);
      found[p].resize(part.places.size());
      const Permit permit(member.free);
      const StageClock::Running running(member.at_work);
      member.engine->score(model, own, threshold, found[p]);
      member.cells += static_cast<double>(part.residues) * model.nodes;
    });
    for (std::size_t p = 0; p < batch.parts.size(); ++p) {
      const std::vector<std::size_t>& places = batch.parts[p].places;
      for (std::size_t i = 0; i < places.size(); ++i) {
        if (batch.sequences.length(places[i]) > 0) scores[places[i]] = found[p][i];
      }
    }
  }

 private:
  bool all_measured() const {
    return std::ranges::all_of(members_,
                               [](const auto& member) { return member->failed || member->measured(); });
  }

  void deal(CombinedBatch& batch) {
    deal_parts(batch);
    on_all(batch, [&](Member& member, std::size_t p) { prepared_for(member, batch, batch.parts[p]); });
  }

  // Deals a batch anew when measured speeds say that this saves much.
  void deal_by_measure(CombinedBatch& batch) {
    if (batch.dealt_by_measure || !all_measured()) return;
    const std::unique_lock lock(batch.mutex);
    if (batch.dealt_by_measure.exchange(true)) return;
    double slowest = 0, speed = 0;
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (members_[m]->failed) continue;
      slowest = std::max(slowest, static_cast<double>(batch.parts[m].residues) / members_[m]->speed());
      speed += members_[m]->speed();
    }
    if (static_cast<double>(batch.sequences.residue_count()) / speed < kWorthDealing * slowest) deal(batch);
  }

  // Longest processing time first: each sequence to the member that would be done with it first.
  void deal_parts(CombinedBatch& batch) const {
    struct Share {
      std::size_t part;
      double seconds_per_residue;
    };
    std::vector<Share> shares;
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (!members_[m]->failed) shares.push_back({m, 1 / members_[m]->speed()});
    }
    if (shares.empty()) throw EngineFailure(last_failure_);
    for (Part& part : batch.parts) {
      part.places.clear();
      part.residues = 0;
      part.prepared.clear();
    }
    for (const std::size_t i : longest_first(batch.sequences)) {
      const std::size_t length = batch.sequences.length(i);
      const auto done = [&](const Share& share) {
        return static_cast<double>(batch.parts[share.part].residues + length) * share.seconds_per_residue;
      };
      Part& part = batch.parts[std::ranges::min_element(shares, {}, done)->part];
      part.places.push_back(i);
      part.residues += length;
    }
  }

  static PreparedBatch& prepared_for(Member& member, const CombinedBatch& batch, Part& part) {
    const std::lock_guard lock(part.mutex);
    std::unique_ptr<PreparedBatch>& prepared = part.prepared[member.engine.get()];
    if (!prepared) prepared = member.engine->prepare(batch.sequences.subset(part.places));
    return *prepared;
  }

  // Runs `work` on every part by its member, all at once; parts of failed members follow on the first one
  // left.
  template <class Work>
  void on_all(CombinedBatch& batch, const Work& work) {
    std::vector<std::future<void>> running(batch.parts.size());
    std::vector<std::size_t> left;
    for (std::size_t p = 0; p < batch.parts.size(); ++p) {
      if (batch.parts[p].places.empty()) continue;
      if (members_[p]->failed) {
        left.push_back(p);
      } else {
        running[p] = std::async(std::launch::async, [this, &work, p] { work(*members_[p], p); });
      }
    }
    std::exception_ptr failure;
    for (std::size_t p = 0; p < running.size(); ++p) {
      if (!running[p].valid()) continue;
      try {
        running[p].get();
      } catch (const EngineFailure& error) {
        fail(*members_[p], error);
        left.push_back(p);
      } catch (...) {
        failure = std::current_exception();
      }
    }
    if (failure) std::rethrow_exception(failure);
    for (const std::size_t p : left) redo(p, work);
  }

  template <class Work>
  void redo(std::size_t p, const Work& work) {
    for (const auto& member : members_) {
      if (member->failed) continue;
      try {
        work(*member, p);
        return;
      } catch (const EngineFailure& error) {
        fail(*member, error);
      }
    }
    const std::lock_guard lock(failure_mutex_);
    throw EngineFailure(last_failure_);
  }

  void fail(Member& member, const EngineFailure& error) {
    {
      const std::lock_guard lock(failure_mutex_);
      last_failure_ = error.what();
    }
    if (member.failed.exchange(true)) return;
    const std::lock_guard lock(warn_mutex_);
    warn_(error.what() + std::string("; its part goes to the other devices"));
  }

  std::vector<std::unique_ptr<Member>> members_;
  std::mutex failure_mutex_;
  std::string last_failure_;
  std::mutex warn_mutex_;  // of warn_; held without failure_mutex_
  std::function<void(const std::string&)> warn_;
};

}  // namespace

std::unique_ptr<ScoreEngine> make_combined_engine(std::vector<std::unique_ptr<ScoreEngine>> engines,
                                                  std::function<void(const std::string&)> warn) {
  return std::make_unique<CombinedEngine>(std::move(engines), std::move(warn));
}

}  // namespace gpuhmm
