// Several engines that share every batch.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "filter/engine.hpp"

namespace gpuhmm {

/// One engine made of several, each working on its part of a batch at the same time in a thread of its own.
/// Sequences are dealt longest first to the engine that would be done with them first, by the speed that it
/// expects; when all have worked long enough for theirs to be known, the batch is dealt anew if that pays,
/// and further batches by the measured speeds. An engine that fails is told to `warn` once and its part is
/// redone by the first one left; EngineFailure is thrown when none is left. Scores do not depend on the
/// number of engines.
std::unique_ptr<ScoreEngine> make_combined_engine(std::vector<std::unique_ptr<ScoreEngine>> engines,
                                                  std::function<void(const std::string&)> warn);

}  // namespace gpuhmm
