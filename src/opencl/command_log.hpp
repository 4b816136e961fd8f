// Collects the device times of many commands, without waiting for each.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "opencl/queue.hpp"

namespace gpuhmm {

/// Commands with labels, in the order of note(). Not thread-safe.
template <class Label>
class CommandLog {
 public:
  void note(Label label, cl::Event event) { commands_.emplace_back(std::move(label), std::move(event)); }
  std::size_t size() const { return commands_.size(); }
  /// Forgets all commands.
  void clear() { commands_.clear(); }

  /// Waits for each command, calls use(label, its CommandTime) and forgets it. The commands must have been
  /// flushed, in queues with Timing::On. Throws EngineFailure.
  template <class Use>
  void take(const Queue& queue, const Use& use) {
    for (const auto& [label, event] : commands_) {
      queue.wait(event);
      use(label, queue.time_of(event));
    }
    clear();
  }

 private:
  std::vector<std::pair<Label, cl::Event>> commands_;
};

}  // namespace gpuhmm
