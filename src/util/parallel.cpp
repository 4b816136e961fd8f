// Threads that take the blocks of a loop in order.
#include "util/parallel.hpp"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>

#include "util/kept_threads.hpp"

namespace gpuhmm {

namespace {

class Loop final : public KeptThreadWork {
 public:
  Loop(std::size_t count, std::size_t block, const LoopBody& body)
      : count_(count), block_(block), body_(body) {}

  // With that many threads more, as far as there can be others.
  void run_with(std::size_t helpers) {
    try {
      for (; running_ < helpers; ++running_) run_in_kept_thread(*this);
    } catch (const std::system_error&) {
    }
    take_blocks();
    std::unique_lock lock(mutex_);
    running_ends_.wait(lock, [&] { return ended_ == running_; });
    if (failure_) std::rethrow_exception(failure_);
  }

  void run() override {
    take_blocks();
    const std::lock_guard lock(mutex_);
    ++ended_;
    running_ends_.notify_one();  // with the lock, as this loop may be gone without it
  }

 private:
  void take_blocks() {
    try {
      for (;;) {
        const std::size_t first = next_.fetch_add(block_);
        if (first >= count_) return;
        body_.call(body_.body, first, first + block_ < count_ ? first + block_ : count_);
      }
    } catch (...) {
      next_ = count_;
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  const std::size_t count_, block_;
  const LoopBody& body_;
  std::atomic<std::size_t> next_{0};
  std::size_t running_ = 0;  // helpers; of the caller only
  std::mutex mutex_;         // of all below
  std::condition_variable running_ends_;
  std::size_t ended_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

void run_loop(unsigned threads, std::size_t count, std::size_t block, const LoopBody& body) {
  const std::size_t blocks = block == 0 ? 0 : (count + block - 1) / block;
  const std::size_t useful = blocks < threads ? blocks : threads;
  Loop(count, block, body).run_with(useful > 1 ? useful - 1 : 0);
}

}  // namespace gpuhmm
