// Pieces of a pass: order, ends, errors, and how many blocks exist at a time.
#include "search/block_queue.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "util/parallel.hpp"

namespace gpuhmm {
namespace {

constexpr std::size_t kBlocks = 7;
constexpr unsigned kThreads = 8;

// Makes blocks of which each has its number in counted_after.
class Blocks {
 public:
  BlockQueue::Block next() {
    SequenceBlock block;
    block.counted_after = static_cast<std::int64_t>(made_++);
    block.first = block.counted_after == 0;
    block.last = made_ == kBlocks;
    most_ = std::max(most_, ++alive_);
    return {new PreparedBlock(std::move(block)), [this](PreparedBlock* ended) {
              --alive_;
              delete ended;
            }};
  }
  int most() const { return most_; }

 private:
  std::size_t made_ = 0;
  std::atomic<int> alive_ = 0;
  int most_ = 0;
};

// Has threads do all pieces; they stop where work(piece) throws.
template <class Work>
void do_all(BlockQueue& queue, const Work& work) {
  parallel_for(kThreads, kThreads, 1, [&](std::size_t, std::size_t) {
    try {
      while (const auto piece = queue.take()) {
        work(*piece);
        queue.finish(*piece);
      }
    } catch (...) {
      queue.stop();
      throw;
    }
  });
}

TEST(BlockQueue, GivesEachProfileAllBlocksInTheirOrder) {
  using Case = std::pair<std::size_t, std::size_t>;
  for (const auto& [profiles, most] : {Case{1, 2}, {3, 2}, {40, 2}, {1, 3}, {3, 3}, {40, 3}, {40, 5}}) {
    Blocks blocks;
    std::vector<std::int64_t> begun;
    std::vector<std::int64_t> had(profiles);
    {
      BlockQueue queue(blocks.next(), profiles, most,
                       {[&] { return blocks.next(); },
                        [&](const PreparedBlock& block) { begun.push_back(block.counted_after); }});
      do_all(queue, [&](const BlockQueue::Piece& piece) {
        EXPECT_EQ(had[piece.profile]++, piece.block->counted_after);
      });
      queue.release_ended();
      EXPECT_TRUE(queue.last_block()->last);
    }
    EXPECT_EQ(had, std::vector<std::int64_t>(profiles, kBlocks));
    EXPECT_EQ(begun, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6}));
    EXPECT_LE(blocks.most(), static_cast<int>(most));
  }
}

TEST(BlockQueue, BeginsABlockWhileTheOneBeforeIsUnfinished) {
  Blocks blocks;
  BlockQueue queue(blocks.next(), 2, 2, {[&] { return blocks.next(); }, [](const PreparedBlock&) {}});
  const auto slow = queue.take();
  const auto quick = queue.take();
  queue.finish(*quick);
  // The first profile's piece of the second block has to wait; another thread takes the second's.
  parallel_for(2, 2, 1, [&](std::size_t, std::size_t) {
    const auto piece = queue.take();
    ASSERT_TRUE(piece);
    EXPECT_EQ(piece->block->counted_after, 1);
    if (piece->profile == 1) queue.finish(*slow);
    queue.finish(*piece);
  });
  queue.stop();
  EXPECT_FALSE(queue.take());
}

TEST(BlockQueue, ReadsSeveralBlocksAhead) {
  Blocks blocks;
  std::atomic<int> reads = 0;
  const auto become = [&](int count) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (reads < count && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    return reads == count;
  };
  BlockQueue queue(blocks.next(), 1, 4,
                   {[&] {
                      ++reads;
                      return blocks.next();
                    },
                    [](const PreparedBlock&) {}});
  const auto first = queue.take();
  EXPECT_TRUE(become(3));
  queue.finish(*first);
  const auto second = queue.take();
  EXPECT_EQ(second->block->counted_after, 1);
  EXPECT_TRUE(become(4));
  queue.stop();
}

TEST(BlockQueue, ThrowsWhatReadingThrowsOnceTheBlocksBeforeAreHandedOut) {
  Blocks blocks;
  std::atomic<int> reads = 0;
  std::atomic<std::size_t> pieces = 0;
  BlockQueue queue(blocks.next(), 5, 2,
                   {[&] {
                      if (++reads == 3) throw std::runtime_error("damaged");
                      return blocks.next();
                    },
                    [](const PreparedBlock&) {}});
  EXPECT_THROW(do_all(queue, [&](const BlockQueue::Piece&) { ++pieces; }), std::runtime_error);
  EXPECT_GE(pieces, 10U);
  EXPECT_LE(pieces, 15U);
}

TEST(BlockQueue, EndsAllThreadsWhenOneFails) {
  Blocks blocks;
  BlockQueue queue(blocks.next(), 3, 3, {[&] { return blocks.next(); }, [](const PreparedBlock&) {}});
  const auto fail = [](const BlockQueue::Piece& piece) {
    if (piece.block->counted_after == 2 && piece.profile == 1) throw std::runtime_error("failed");
  };
  EXPECT_THROW(do_all(queue, fail), std::runtime_error);
}

}  // namespace
}  // namespace gpuhmm
