// How devices take work by need, and over from one another.
#pragma once

#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "search/hmmer3_devices.hpp"

namespace gpuhmm::hmmer3 {

template <class Work, class Next, class Run>
void StageDevices::run_members(CanWork can_work, const Next& next, const Run& run) {
  std::mutex mutex;  // of what follows, and of next()
  std::deque<Work> given_back;
  std::exception_ptr failure;
  const auto take = [&]() -> std::optional<Work> {
    const std::lock_guard lock(mutex);
    if (failure) return std::nullopt;
    if (given_back.empty()) return next();
    Work work = std::move(given_back.front());
    given_back.pop_front();
    return work;
  };
  const auto work = [&](Member& member) {
    std::optional<Work> taken;
    try {
      while (!member.failed && (taken = take())) run(member, *taken);
    } catch (const EngineFailure& error) {
      lose(member, error.what());
      const std::lock_guard lock(mutex);
      if (taken) given_back.push_back(std::move(*taken));
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (Member& member : members_) {
      if (can_work(member)) threads.emplace_back([&work, &member] { work(member); });
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace gpuhmm::hmmer3
