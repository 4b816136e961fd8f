// Limits how many threads do something at the same time.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace gpuhmm {

/// A number of permits. std::counting_semaphore would do, but that of libstdc++ 12 may leave a thread waiting
/// though there is a permit (GCC bug 104928).
class Permits {
 public:
  explicit Permits(std::size_t free) : free_(free) {}

  /// Waits for one.
  void take() {
    std::unique_lock lock(mutex_);
    returned_.wait(lock, [&] { return free_ > 0; });
    --free_;
  }
  void give_back() {
    const std::lock_guard lock(mutex_);
    ++free_;
    returned_.notify_one();  // with the lock, as this may be gone without it
  }

 private:
  std::mutex mutex_;  // of the members below
  std::condition_variable returned_;
  std::size_t free_;
};

/// Waits for a permit and holds it until destruction.
class Permit {
 public:
  explicit Permit(Permits& permits) : permits_(permits) { permits_.take(); }
  ~Permit() { permits_.give_back(); }
  Permit(const Permit&) = delete;
  Permit& operator=(const Permit&) = delete;

 private:
  Permits& permits_;
};

}  // namespace gpuhmm
