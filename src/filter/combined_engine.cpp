// Several engines on one batch; see the header.
#include "filter/combined_engine.hpp"

#include <algorithm>
#include <chrono>
#include <future>
#include <numeric>
#include <utility>

namespace gpuhmm {

namespace {

// The sequences of a batch that one engine works on.
struct Part {
  SequenceBatch sequences;
  std::vector<std::size_t> places;  // in the whole batch
  std::unique_ptr<PreparedBatch> prepared;
  const ScoreEngine* owner = nullptr;  // that prepared it
  std::vector<std::int32_t> scores;

  void prepare_for(ScoreEngine& engine) {
    if (owner == &engine) return;
    prepared.reset();
    prepared = engine.prepare(sequences);
    owner = &engine;
  }
};

struct CombinedBatch : PreparedBatch {
  std::vector<Part> parts;  // one an engine that was there when the batch was prepared
};

// An engine and what is known of it.
struct Member {
  std::unique_ptr<ScoreEngine> engine;
  double cells = 0;    // work done ...
  double seconds = 0;  // ... in this time
  bool failed = false;

  double speed() const { return seconds > 0 ? cells / seconds : 1; }
};

class CombinedEngine : public ScoreEngine {
 public:
  CombinedEngine(std::vector<std::unique_ptr<ScoreEngine>> engines,
                 std::function<void(const std::string&)> warn)
      : warn_(std::move(warn)) {
    for (auto& engine : engines) members_.push_back({std::move(engine)});
  }

  std::string description() const override {
    std::string text;
    for (const Member& member : members_) {
      if (!member.failed) text += (text.empty() ? "" : " + ") + member.engine->description();
    }
    return text;
  }

  bool verified() const override {
    return std::any_of(members_.begin(), members_.end(),
                       [](const Member& member) { return !member.failed && member.engine->verified(); });
  }

  std::unique_ptr<PreparedBatch> prepare(const SequenceBatch& batch) override {
    auto combined = std::make_unique<CombinedBatch>();
    combined->parts.resize(members_.size());
    deal(batch, combined->parts);
    on_all(
        combined->parts, [](ScoreEngine&, Part&) {}, 0);
    return combined;
  }

  void score(const ScoreModel& model, PreparedBatch& prepared, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    std::vector<Part>& parts = dynamic_cast<CombinedBatch&>(prepared).parts;
    on_all(
        parts,
        [&](ScoreEngine& engine, Part& part) { engine.score(model, *part.prepared, threshold, part.scores); },
        model.nodes);
    for (const Part& part : parts) {
      for (std::size_t i = 0; i < part.places.size(); ++i) {
        if (part.sequences.length(i) > 0) scores[part.places[i]] = part.scores[i];
      }
    }
  }

 private:
  // Longest processing time first: each sequence to the member that would be done with it first.
  void deal(const SequenceBatch& batch, std::vector<Part>& parts) const {
    std::vector<std::size_t> order(batch.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&batch](std::size_t a, std::size_t b) { return batch.length(a) > batch.length(b); });
    const bool all_measured = std::all_of(members_.begin(), members_.end(), [](const Member& member) {
      return member.failed || member.seconds > 0;
    });
    std::vector<double> load(parts.size(), 0);
    for (const std::size_t i : order) {
      const auto length = static_cast<double>(batch.length(i));
      std::size_t best = parts.size();
      double best_time = 0;
      for (std::size_t m = 0; m < members_.size(); ++m) {
        if (members_[m].failed) continue;
        const double time = (load[m] + length) / (all_measured ? members_[m].speed() : 1);
        if (best < parts.size() && time >= best_time) continue;
        best = m;
        best_time = time;
      }
      load[best] += length;
      const SequenceView sequence = batch[i];
      parts[best].sequences.begin_sequence(sequence.name, "", "");
      parts[best].sequences.append_residues(sequence.residues);
      parts[best].places.push_back(i);
    }
    for (Part& part : parts) part.scores.resize(part.places.size());
  }

  // Prepares every part for its member and runs `work` on it, all at once; parts of failed members follow on
  // the first one left. `nodes` of the profile, for measuring the members' speed; 0 if `work` is none.
  template <class Work>
  void on_all(std::vector<Part>& parts, const Work& work, int nodes) {
    std::vector<std::future<void>> running(parts.size());
    for (std::size_t m = 0; m < parts.size(); ++m) {
      if (members_[m].failed || parts[m].places.empty()) continue;
      running[m] = std::async(std::launch::async, [&, m] { timed(members_[m], parts[m], work, nodes); });
    }
    std::string failure;
    std::exception_ptr other;
    for (std::size_t m = 0; m < parts.size(); ++m) {
      if (!running[m].valid()) continue;
      try {
        running[m].get();
      } catch (const EngineFailure& error) {
        members_[m].failed = true;
        failure = error.what();
        warn_(failure + "; its part goes to the other devices");
      } catch (...) {
        other = std::current_exception();
      }
    }
    if (other) std::rethrow_exception(other);
    for (std::size_t m = 0; m < parts.size(); ++m) {
      if (members_[m].failed && !parts[m].places.empty()) redo(parts[m], work, failure);
    }
  }

  template <class Work>
  static void timed(Member& member, Part& part, const Work& work, int nodes) {
    part.prepare_for(*member.engine);
    const auto start = std::chrono::steady_clock::now();
    work(*member.engine, part);
    if (nodes == 0) return;
    member.cells += static_cast<double>(part.sequences.residue_count()) * nodes;
    member.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  template <class Work>
  void redo(Part& part, const Work& work, const std::string& failure) {
    for (Member& member : members_) {
      if (member.failed) continue;
      try {
        part.prepare_for(*member.engine);
        work(*member.engine, part);
        return;
      } catch (const EngineFailure& error) {
        member.failed = true;
        warn_(std::string(error.what()) + "; its part goes to the other devices");
      }
    }
    throw EngineFailure(failure.empty() ? "no device is left" : failure);
  }

  std::vector<Member> members_;
  std::function<void(const std::string&)> warn_;
};

}  // namespace

std::unique_ptr<ScoreEngine> make_combined_engine(std::vector<std::unique_ptr<ScoreEngine>> engines,
                                                  std::function<void(const std::string&)> warn) {
  return std::make_unique<CombinedEngine>(std::move(engines), std::move(warn));
}

}  // namespace gpuhmm
