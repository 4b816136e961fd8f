// The blocks of a search with several teams of devices: which are under way, and whose turn it is.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <exception>
#include <future>
#include <utility>

namespace gpuhmm::hmmer3 {

/// A block's turn to add what was found in it: behind the block before, whichever team has that one.
class BlockTurn {
 public:
  /// `before`: the end of the turn before; none for the first block.
  explicit BlockTurn(std::shared_future<void> before) : before_(std::move(before)) {}

  /// Waits for the turn. Throws what has ended one before.
  void wait() const {
    if (before_.valid()) before_.get();
  }
  /// The end of this turn; to be called once.
  std::shared_future<void> next() { return ended_.get_future().share(); }
  void end() { ended_.set_value(); }
  /// Ends it with the exception in whose handler this is called, unless it has failed before. Any thread may
  /// call.
  void fail() {
    if (!failed_.exchange(true)) ended_.set_exception(std::current_exception());
  }

 private:
  std::shared_future<void> before_;
  std::promise<void> ended_;
  std::atomic<bool> failed_ = false;
};

/// The blocks of a team of devices, or of the host, in other threads: one passes the first filter, one is at
/// the stages behind it, and others are completed, as each of these waits now and then.
struct SearchTeam {
  /// Throw what the work has thrown.
  void end_first_completion() {
    const std::shared_future<void> first = completions.front();
    completions.pop_front();
    first.get();
  }
  void end() {
    if (searching.valid()) searching.get();
    while (!completions.empty()) end_first_completion();
  }
  void wait() const {
    if (searching.valid()) searching.wait();
    for (const std::shared_future<void>& completion : completions) completion.wait();
  }

  std::size_t number = 0;
  bool is_free = true;                               ///< for a block
  std::future<void> searching;                       ///< up to the first filter
  std::shared_future<void> stages;                   ///< of the last block
  std::deque<std::shared_future<void>> completions;  ///< in order
};

}  // namespace gpuhmm::hmmer3
