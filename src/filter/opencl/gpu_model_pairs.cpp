// Decides which calls share a launch, and which no longer wait.
#include "filter/opencl/gpu_model_pairs.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <limits>

namespace gpuhmm {

namespace {

// A shared launch takes as long as for two models of the larger size, some 0.8 of what two launches of one
// model take.
constexpr int kLeastPart = 2, kOfLarger = 3;
// With so many launches of these kernels on the device it is busy until the next ones come.
constexpr unsigned kEnough = 2;

}  // namespace

GpuModelPairs::Coming::Coming(GpuModelPairs& pairs) : pairs_(&pairs) {
  const std::lock_guard lock(pairs.mutex_);
  ++pairs.coming_;
}

GpuModelPairs::Coming::~Coming() {
  if (pairs_ == nullptr) return;
  const std::lock_guard lock(pairs_->mutex_);
  pairs_->note_arrival(*this);
}

// Needs the mutex, which a call keeps until it has found a partner or waits for one.
void GpuModelPairs::note_arrival(Coming& coming) {
  coming.pairs_ = nullptr;
  --coming_;
  changed_.notify_all();
}

bool GpuModelPairs::suit(const Call& a, const Call& b) {
  const auto [smaller, larger] = std::minmax(a.pairs, b.pairs);
  return &a.batch == &b.batch && smaller * kOfLarger >= larger * kLeastPart;
}

// Of the waiters that suit, the one that is nearest in size.
GpuModelPairs::Waiter* GpuModelPairs::take_partner(const Call& call) {
  const auto distance = [&](const Waiter* waiter) {
    return suit(waiter->call, call) ? std::abs(waiter->call.pairs - call.pairs)
                                    : std::numeric_limits<int>::max();
  };
  const auto nearest = std::ranges::min_element(waiters_, {}, distance);
  if (nearest == waiters_.end() || !suit((*nearest)->call, call)) return nullptr;
  Waiter* const partner = *nearest;
  waiters_.erase(nearest);
  partner->state = State::Taken;
  return partner;
}

// True if a partner has done the call's work.
bool GpuModelPairs::wait_for_partner(const Call& call, std::unique_lock<std::mutex>& lock) {
  Waiter own{call};
  waiters_.push_back(&own);
  changed_.wait(lock, [&] {
    if (own.state != State::Waiting) return true;
    return running_ < kEnough && coming_ == 0 && waiters_.front() == &own;
  });
  if (own.state == State::Waiting) {
    waiters_.remove(&own);
    changed_.notify_all();  // another one is now the first
  }
  changed_.wait(lock, [&] { return own.state != State::Taken; });
  return own.state == State::Done;
}

void GpuModelPairs::run(const Call& call, Coming& coming,
                        const std::function<void(const Call* other)>& launch) {
  std::unique_lock lock(mutex_);
  note_arrival(coming);
  const auto launch_unlocked = [&](const Call* other) {
    ++running_;
    lock.unlock();
    std::exception_ptr failure;
    try {
      launch(other);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    --running_;
    changed_.notify_all();
    return failure;
  };
  if (Waiter* const partner = take_partner(call)) {
    const bool done = launch_unlocked(&partner->call) == nullptr;
    partner->state = done ? State::Done : State::Alone;
    if (done) return;
  } else if (variant_.two_models && wait_for_partner(call, lock)) {
    return;
  }
  if (const std::exception_ptr failure = launch_unlocked(nullptr)) std::rethrow_exception(failure);
}

}  // namespace gpuhmm
