// Threads that take the blocks of a loop in order.
#include "util/parallel.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace gpuhmm {

void run_loop(unsigned threads, std::size_t count, std::size_t block, const LoopBody& body) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto work = [&] {
    try {
      for (;;) {
        const std::size_t first = next.fetch_add(block);
        if (first >= count) return;
        body.call(body.body, first, first + block < count ? first + block : count);
      }
    } catch (...) {
      next = count;
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    const std::size_t blocks = block == 0 ? 0 : (count + block - 1) / block;
    for (std::size_t t = 1; t < threads && t < blocks; ++t) helpers.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace gpuhmm
