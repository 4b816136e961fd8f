// The members of a pool of engines, and the slices of a batch that they score.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "filter/sequence_set.hpp"
#include "gpuhmm/engine.hpp"

namespace gpuhmm {

// Residues that an engine scores before it may leave the rest to others: some 50 ms of a model of 200 nodes.
inline std::size_t part_residues(const ScoreEngine& engine) {
  constexpr double kSeconds = 0.05, kNodes = 200;
  return static_cast<std::size_t>(std::max(engine.expected_speed() * kSeconds / kNodes, 1.0));
}

struct EnginePool::Member {
  Member(std::unique_ptr<ScoreEngine> own_engine, std::size_t own_place)
      : engine(std::move(own_engine)), place(own_place) {}

  std::unique_ptr<ScoreEngine> engine;
  std::size_t place;     // in members_ and WorkSharing
  std::mutex preparing;  // held while it prepares a part of a slice
  std::atomic<bool> failed = false;
};

// Sequences of a batch that one member scores, in one part or several: the first one is small, to measure the
// speed of a member.
struct EnginePool::Slice {
  Slice(SequenceSet set, std::vector<std::size_t> own_places, Member* own_owner, std::size_t members)
      : sequences(std::move(set)), places(std::move(own_places)), owner(own_owner), prepared(members) {}

  struct Part {
    SequenceSet sequences;
    std::vector<std::size_t> places;  // in the slice; empty: all of it, in its order
    std::mutex mutex;
    std::unique_ptr<PreparedBatch> batch;

    Part(SequenceSet set, std::vector<std::size_t> own_places)
        : sequences(std::move(set)), places(std::move(own_places)) {}

    PreparedBatch& prepared_for(Member& member) {
      const std::lock_guard lock(mutex);
      if (!batch) {
        const std::lock_guard alone(member.preparing);
        batch = member.engine->prepare(sequences);
      }
      return *batch;
    }
  };
  using Parts = std::vector<std::unique_ptr<Part>>;

  // The parts in which a member does this slice; `whole`: in one.
  const Parts& parts_for(const Member& member, bool whole) {
    Prepared& own = prepared[member.place];
    const std::lock_guard lock(own.mutex);
    if (own.parts.empty())
      own.parts = divide(whole ? sequences.residue_count() : part_residues(*member.engine));
    return own.parts;
  }

  SequenceSet sequences;
  std::vector<std::size_t> places;  // indices into the batch; empty: the whole batch, in its order
  Member* owner;                    // null: the member that WorkSharing chooses

 private:
  struct Prepared {
    std::mutex mutex;
    Parts parts;
  };

  Parts divide(std::size_t most) const {
    constexpr std::size_t kFirst = 8;
    Parts parts;
    if (sequences.residue_count() <= most) {
      parts.push_back(std::make_unique<Part>(sequences, std::vector<std::size_t>()));
      return parts;
    }
    std::vector<std::size_t> some;
    std::size_t residues = 0;
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      some.push_back(i);
      residues += sequences.length(i);
      if (i + 1 < sequences.size() && residues < (parts.empty() ? most / kFirst : most)) continue;
      parts.push_back(std::make_unique<Part>(sequences.subset(some), some));
      some.clear();
      residues = 0;
    }
    return parts;
  }

  std::vector<Prepared> prepared;  // by member
};

}  // namespace gpuhmm
