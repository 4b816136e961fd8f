// Copies large arrays to a device piece by piece, by way of pinned memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <future>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "opencl/pinned_array.hpp"
#include "opencl/queue.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

/// Pinned memory that is kept from array to array. Not thread-safe.
class StagedPieces {
 public:
  /// Words of the array.
  struct Piece {
    std::size_t first, count;
  };
  /// Words for which a piece is small enough for a thread's cache.
  static constexpr std::size_t kWords = std::size_t{128} << 10;

  /// Pieces of kWords that `words` words from number `first` on consist of.
  static std::vector<Piece> pieces_of(std::size_t words, std::size_t first = 0) {
    std::vector<Piece> pieces;
    for (std::size_t place = 0; place < words; place += kWords)
      pieces.push_back({first + place, std::min(kWords, words - place)});
    return pieces;
  }

  /// Begins to take memory for an array of `words` words, to be filled by `threads` threads, in a thread of
  /// its own, which send() waits for. `device` must outlive that.
  void begin(const OpenDevice& device, std::size_t words, unsigned threads) {
    const std::size_t most = 2 * words / kWords + 1;  // pieces, each more than half full
    const std::size_t count = std::min<std::size_t>(2 * std::min(threads, kMostFillers), most);
    room_ = std::async(std::launch::async,
                       [this, &device, count] { make_room(Queue(device, Timing::Off), count, kWords); });
  }

  /// Copies pieces to their places in `to`. fill(p, words) writes those of piece number p; `threads` threads
  /// call it while other pieces are being copied. wait() has to follow. Throws EngineFailure.
  template <class Fill>
  void send(const Queue& queue, const cl::Buffer& to, std::span<const Piece> pieces, unsigned threads,
            const Fill& fill) {
    if (room_.valid()) room_.get();
    if (pieces.empty()) return;
    const unsigned fillers = std::min(threads, kMostFillers);
    make_room(queue, std::min<std::size_t>(2 * fillers, pieces.size()),
              std::ranges::max_element(pieces, {}, &Piece::count)->count);
    parallel_for(fillers, pieces.size(), 1, [&](std::size_t p, std::size_t) {
      Staging staging = take();
      queue.wait(staging.sent);
      fill(p, staging.words);
      staging.sent = queue.send(to, staging.words, pieces[p].count, pieces[p].first);
      queue.flush();
      give_back(std::move(staging));
    });
  }

  /// Waits for all copies.
  void wait(const Queue& queue) const {
    for (const Staging& staging : free_) queue.wait(staging.sent);
  }

  /// The memory, for other use once all copies have ended; empty if there is none. Throws EngineFailure.
  PinnedArray<cl_uint> take_memory() {
    if (room_.valid()) room_.get();
    free_.clear();
    words_ = 0;
    return std::move(memory_);
  }

 private:
  // More threads do not make the copies faster.
  static constexpr unsigned kMostFillers = 16;

  // Memory for one piece, and its last copy.
  struct Staging {
    cl_uint* words;
    cl::Event sent;
  };

  // All memory is taken at once, since drivers need about as long for a piece as for all.
  void make_room(const Queue& queue, std::size_t count, std::size_t words) {
    if (free_.size() >= count && words_ >= words) return;
    free_.clear();
    memory_ = {};
    memory_ = PinnedArray<cl_uint>(queue, count * words);
    words_ = words;
    for (std::size_t i = 0; i < count; ++i) free_.push_back({memory_.data() + i * words, {}});
  }

  // The piece that was sent first. Never finds none, as there are at least as many as threads in use.
  Staging take() {
    const std::lock_guard lock(mutex_);
    Staging staging = std::move(free_.front());
    free_.pop_front();
    return staging;
  }
  void give_back(Staging staging) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(staging));
  }

  std::size_t words_ = 0;  // of a piece
  PinnedArray<cl_uint> memory_;
  std::mutex mutex_;  // of free_
  std::deque<Staging> free_;
  std::future<void> room_;  // last, as its thread uses all others
};

}  // namespace gpuhmm
