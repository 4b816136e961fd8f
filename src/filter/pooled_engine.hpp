// Several engines of like speed, each of which scores whole models.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "filter/engine.hpp"

namespace gpuhmm {

/// One engine made of several that all hold every batch. A model goes to the engine that is least busy, so
/// nothing is divided and nothing put together; it takes more calls at a time than there are engines to keep
/// all at work. An engine that fails is told to `warn` once and its models go to the others; EngineFailure is
/// thrown when none is left.
std::unique_ptr<ScoreEngine> make_pooled_engine(std::vector<std::unique_ptr<ScoreEngine>> engines,
                                                std::function<void(const std::string&)> warn);

}  // namespace gpuhmm
