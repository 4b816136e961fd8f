// The threads of the queue.
#include "cli/serve/job_queue.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gpuhmm::cli {

void JobQueue::Job::end(bool done) {
  done_ = done;
  work_ = {};
  ended_.happen();
}

JobQueue::JobQueue(unsigned workers, std::size_t most_waiting) : most_waiting_(most_waiting) {
  for (unsigned w = 0; w < workers; ++w) workers_.emplace_back([this] { work(); });
}

JobQueue::~JobQueue() { close(); }

std::shared_ptr<JobQueue::Job> JobQueue::enter(Work work) {
  auto job = std::make_shared<Job>(std::move(work));
  {
    const std::lock_guard lock(mutex_);
    const bool idle = running_.size() + waiting_.size() < workers_.size();
    if (closed_ || (!idle && waiting_.size() >= most_waiting_)) return nullptr;
    waiting_.push_back(job);
  }
  entered_.notify_one();
  return job;
}

void JobQueue::leave(Job& job) {
  job.stop_ = true;
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(waiting_, &job, &std::shared_ptr<Job>::get);
  if (found == waiting_.end()) return;
  const std::shared_ptr<Job> dropped = *found;
  waiting_.erase(found);
  dropped->end(false);
}

void JobQueue::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    for (const auto& job : std::exchange(waiting_, {})) job->end(false);
  }
  entered_.notify_all();
  for (std::thread& worker : workers_) {
    if (worker.joinable()) worker.join();
  }
}

void JobQueue::stop_all() {
  const std::lock_guard lock(mutex_);
  for (const auto& job : running_) job->stop_ = true;
}

JobQueue::Counts JobQueue::counts() const {
  const std::lock_guard lock(mutex_);
  return {running_.size(), waiting_.size(), ended_};
}

void JobQueue::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    entered_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    running_.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
    const auto place = std::prev(running_.end());
    const std::shared_ptr<Job> job = *place;
    lock.unlock();
    job->work_(job->stop_);
    lock.lock();
    running_.erase(place);
    ++ended_;
    job->end(true);
  }
}

}  // namespace gpuhmm::cli
