// Threads wait by priority, as a thread cannot raise its own.
#include "util/kept_threads.hpp"

#include <pthread.h>
#include <sys/resource.h>

#include <cfenv>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace gpuhmm {

namespace {

// What a thread is to do, as the caller would.
struct Task {
  KeptThreadWork* work = nullptr;
  std::fenv_t mode;
};

class Threads {
 public:
  void run(KeptThreadWork& work) {
    Task task{&work, {}};
    std::fegetenv(&task.mode);
    const int niceness = getpriority(PRIO_PROCESS, 0);
    {
      const std::lock_guard lock(mutex_);
      std::vector<Waiting*>& waiting = waiting_[niceness];
      if (!waiting.empty()) {
        Waiting& last = *waiting.back();  // the one whose memory has been used last
        waiting.pop_back();
        --count_;
        last.task = task;
        last.changed.notify_one();
        return;
      }
    }
    std::thread([this, task, niceness] { work_on(task, niceness); }).detach();
  }

  std::size_t waiting() {
    const std::lock_guard lock(mutex_);
    return count_;
  }

 private:
  struct Waiting {
    Task task;
    std::condition_variable changed;
  };

  void work_on(Task task, int niceness) {
    Waiting self;
    for (;;) {
      std::fesetenv(&task.mode);
      task.work->run();
      std::unique_lock lock(mutex_);
      if (count_ == kMost) return;
      ++count_;
      self.task.work = nullptr;
      waiting_[niceness].push_back(&self);
      self.changed.wait(lock, [&] { return self.task.work != nullptr; });
      task = self.task;
    }
  }

  static constexpr std::size_t kMost = 256;

  std::mutex mutex_;  // of all below
  std::map<int, std::vector<Waiting*>> waiting_;
  std::size_t count_ = 0;  // of all waiting
};

// Live as long as their threads, to the end of the process.
Threads*& of_this_process() {
  static Threads* threads = [] {
    // A forked child has none of its parent's threads.
    pthread_atfork(nullptr, nullptr, [] { of_this_process() = new Threads; });
    return new Threads;
  }();
  return threads;
}

Threads& threads() { return *of_this_process(); }

}  // namespace

void run_in_kept_thread(KeptThreadWork& work) { threads().run(work); }

std::size_t waiting_kept_threads() { return threads().waiting(); }

}  // namespace gpuhmm
