// Work that waits in a queue of limited length until one of some threads does it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "http/event.hpp"

namespace gpuhmm::cli {

/// Does jobs in the order in which they were entered. Any thread may call.
class JobQueue {
 public:
  /// Ends soon once `stop` is true. Must not throw.
  using Work = std::function<void(const std::atomic<bool>& stop)>;

  /// One piece of work.
  class Job {
   public:
    explicit Job(Work work) : work_(std::move(work)) {}
    /// A descriptor that is readable once the job has been done or dropped.
    int ended() const { return ended_.descriptor(); }
    /// Whether it has been done; otherwise it was dropped. To be asked once it has ended.
    bool done() const { return done_; }

   private:
    friend class JobQueue;
    void end(bool done);

    Work work_;
    std::atomic<bool> stop_ = false, done_ = false;
    http::Event ended_;
  };

  /// `workers` threads do the work; at most `most_waiting` jobs wait.
  JobQueue(unsigned workers, std::size_t most_waiting);
  /// As close().
  ~JobQueue();

  /// Enters a job. Null if as many wait as may, or after close().
  std::shared_ptr<Job> enter(Work work);
  /// Drops the job, if it waits, or stops it.
  void leave(Job& job);
  /// Drops what waits, lets what runs end, and waits for it.
  void close();
  /// Stops what runs.
  void stop_all();

  struct Counts {
    std::size_t running = 0, waiting = 0;
    std::uint64_t ended = 0;
  };
  Counts counts() const;

 private:
  void work();

  std::size_t most_waiting_;
  mutable std::mutex mutex_;  // of all below
  std::condition_variable entered_;
  bool closed_ = false;
  std::deque<std::shared_ptr<Job>> waiting_;
  std::list<std::shared_ptr<Job>> running_;
  std::uint64_t ended_ = 0;
  std::vector<std::thread> workers_;
};

}  // namespace gpuhmm::cli
