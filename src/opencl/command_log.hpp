// What many commands take on a device, asked for once they are done.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "opencl/queue.hpp"

namespace gpuhmm {

/// Commands under labels, in the order in which they were noted. Not thread-safe.
template <class Label>
class CommandLog {
 public:
  void note(Label label, cl::Event event) { commands_.emplace_back(std::move(label), std::move(event)); }
  std::size_t size() const { return commands_.size(); }
  /// Forgets all commands.
  void clear() { commands_.clear(); }

  /// Waits for each command, calls use(label, its CommandTime) and forgets it. They must have been flushed,
  /// to queues with Timing::On. Throws EngineFailure.
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
