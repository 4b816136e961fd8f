// The pieces of a pass over the sequences: each block with each profile of a group, while further blocks are
// read and prepared.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "search/run.hpp"

namespace gpuhmm {

/// Hands out pieces block by block, so that threads begin the next block while others end the one before. Any
/// number of threads may call.
class BlockQueue {
 public:
  using Block = std::shared_ptr<PreparedBlock>;
  /// Called for one block at a time, in order.
  struct Steps {
    std::function<Block()> read;                ///< the next block; not called after one that is `last`
    std::function<void(PreparedBlock&)> begin;  ///< before its first piece is handed out
  };
  /// A block and the number of a profile.
  struct Piece {
    PreparedBlock* block;
    std::size_t profile;
  };

  /// The fewest blocks that may exist at a time.
  static constexpr std::size_t kLeast = 2;

  /// `first` is read already; a separate thread reads the others, one block ahead or several, so that no more
  /// than `most` (at least kLeast) exist at a time. `profiles`: of the group, at least one.
  BlockQueue(Block first, std::size_t profiles, std::size_t most, Steps steps);
  BlockQueue(const BlockQueue&) = delete;
  BlockQueue& operator=(const BlockQueue&) = delete;

  /// The next piece, once the piece of the same profile before it is finished; nothing at the end or after
  /// stop(). Throws what reading has thrown.
  std::optional<Piece> take();
  /// To be called for every piece. A block ends with its last piece, but the last block stays.
  void finish(const Piece& piece);
  /// No more pieces are handed out.
  void stop();

  /// Waits until the blocks before the last are released. Call it once all their pieces are finished.
  void release_ended();
  /// The last block; it must have been begun.
  Block last_block() const { return begun_.back().block; }

 private:
  struct Begun {
    Block block;
    std::size_t number;  // of the block
    std::size_t left;    // pieces that are not finished
  };

  void begin(Block block);
  void read_after(Block ended);

  const std::size_t profiles_;
  const Steps steps_;
  std::mutex mutex_;  // of the members below
  std::condition_variable changed_;
  std::deque<Begun> begun_;
  std::deque<Block> read_;             // not begun
  std::size_t blocks_ = 0;             // begun so far
  std::size_t next_ = 0;               // profile of the next piece of the block begun last
  std::vector<std::size_t> finished_;  // blocks, by profile
  bool last_begun_ = false, all_read_ = false;
  bool stopped_ = false;
  std::exception_ptr failure_;  // of reading
  std::future<void> reading_;   // last, as its thread uses all others
};

}  // namespace gpuhmm
