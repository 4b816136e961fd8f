// One batch past the profiles of a group: as many profiles are scored at the same time as the engine takes,
// and the hits of those already scored are aligned meanwhile.
#pragma once

#include <functional>
#include <list>
#include <optional>

#include "filter/engine_pool.hpp"
#include "search/profile_search.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

/// When the stages of the passes were at work.
struct PassClocks {
  StageClock score, rescore, report;
  AlignmentClock align;
};

struct PassOptions {
  bool exact = true;     ///< scores of all sequences are wanted, not only of those that may be reported
  bool scores = true;    ///< false: no scores are needed (--forward), every sequence is aligned
  unsigned threads = 1;  ///< host threads for aligning
  bool overlap = false;  ///< score some profiles while the hits of others are aligned; else all in the caller
  WorkMeter* meter = nullptr;  ///< told of what is aligned
};

/// Adds the batch to every search. `finished` is called for each when it has been, by several threads at a
/// time, in any order. `pool` is null if no scores are needed. Throws what EnginePool and ProfileSearch::add
/// throw; some searches have then had the batch, some not.
void pass_batch(std::list<ProfileSearch>& searches, const NumberedBatch& batch, EnginePool* pool,
                EnginePool::Batch& prepared, const PassOptions& options, PassClocks& clocks,
                const std::function<void(ProfileSearch&)>& finished);

}  // namespace gpuhmm
