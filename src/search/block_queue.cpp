// Reads the first blocks at once, and another when one has ended. Begins a block when all pieces of the one
// before are handed out.
#include "search/block_queue.hpp"

#include <algorithm>
#include <utility>

namespace gpuhmm {

BlockQueue::BlockQueue(Block first, std::size_t profiles, std::size_t most, Steps steps)
    : profiles_(profiles), steps_(std::move(steps)), finished_(profiles) {
  const bool more = !first->last;
  all_read_ = !more;
  begin(std::move(first));
  for (std::size_t ahead = 1; more && ahead < most; ++ahead) read_after(nullptr);
}

void BlockQueue::begin(Block block) {
  steps_.begin(*block);
  last_begun_ = block->last;
  begun_.push_back({std::move(block), blocks_++, profiles_});
  next_ = 0;
}

// Reads another block in a thread, after `ended` has been released and the last reading has ended.
void BlockQueue::read_after(Block ended) {
  const auto read = [this](std::future<void>& before, Block& old) {
    old.reset();
    if (before.valid()) before.get();
    {
      const std::lock_guard lock(mutex_);
      if (stopped_ || all_read_) return;
    }
    Block block;
    std::exception_ptr failure;
    try {
      block = steps_.read();
    } catch (...) {
      failure = std::current_exception();
    }
    {
      const std::lock_guard lock(mutex_);
      failure_ = failure;
      all_read_ = failure || block->last;
      if (!failure) read_.push_back(std::move(block));
    }
    changed_.notify_all();
  };
  reading_ = std::async(std::launch::async, [read, before = std::move(reading_),
                                             old = std::move(ended)]() mutable { read(before, old); });
}

std::optional<BlockQueue::Piece> BlockQueue::take() {
  std::unique_lock lock(mutex_);
  while (next_ == profiles_) {
    if (stopped_ || last_begun_) return std::nullopt;
    if (!read_.empty()) {
      Block block = std::move(read_.front());
      read_.pop_front();
      begin(std::move(block));
    } else if (failure_) {
      std::rethrow_exception(failure_);
    } else {
      changed_.wait(lock);
    }
  }
  const Piece piece{begun_.back().block.get(), next_++};
  const std::size_t number = begun_.back().number;
  changed_.wait(lock, [&] { return stopped_ || finished_[piece.profile] == number; });
  return stopped_ ? std::nullopt : std::optional(piece);
}

// The block is the first of those begun, as a profile's pieces are finished in order.
void BlockQueue::finish(const Piece& piece) {
  {
    const std::lock_guard lock(mutex_);
    ++finished_[piece.profile];
    const auto begun = std::ranges::find(begun_, piece.block, [](const Begun& b) { return b.block.get(); });
    if (--begun->left == 0 && !begun->block->last) {
      Block ended = std::move(begun_.front().block);
      begun_.pop_front();
      read_after(std::move(ended));
    }
  }
  changed_.notify_all();
}

void BlockQueue::release_ended() {
  if (reading_.valid()) reading_.wait();
}

void BlockQueue::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
}

}  // namespace gpuhmm
