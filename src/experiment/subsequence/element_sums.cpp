// The three loops of the recurrence, on one thread and shared among threads.
#include "experiment/subsequence/element_sums.hpp"

#include <algorithm>
#include <barrier>
#include <mutex>
#include <thread>

namespace gpuhmm::experiment {

namespace {

// Calls update(l, sum) for the sums that end with element i after one of the elements [first, last).
template <class Update>
void extend(std::span<const std::int32_t> values, std::size_t k, const ElementSums& sums, std::size_t i,
            std::size_t first, std::size_t last, const Update& update) {
  for (std::size_t j = first; j < last; ++j) {
    if (values[j] >= values[i]) continue;
    for (std::size_t l = 0; l + 1 < k; ++l) {
      if (sums[j * k + l] != kNoSum) update(l + 1, sums[j * k + l] + values[i]);
    }
  }
}

// The shared table of a team of threads.
class SharedSums {
 public:
  SharedSums(std::span<const std::int32_t> values, std::size_t k, unsigned threads, Join join)
      : values_(values),
        k_(k),
        threads_(threads),
        join_(join),
        sums_(single_elements(values, k)),
        element_done_(threads) {}

  ElementSums compute() {
    std::vector<std::vector<std::int32_t>> maxima(threads_, std::vector<std::int32_t>(k_));
    std::vector<std::jthread> helpers;
    try {
      helpers.reserve(threads_);
      for (unsigned t = 1; t < threads_; ++t) helpers.emplace_back([&, t] { work(t, maxima[t]); });
    } catch (...) {  // running threads must not wait for those that did not start
      for (std::size_t t = helpers.size(); t < threads_; ++t) element_done_.arrive_and_drop();
      throw;
    }
    work(0, maxima[0]);
    helpers.clear();
    return std::move(sums_);
  }

 private:
  void work(std::size_t thread, std::vector<std::int32_t>& maxima) {
    for (std::size_t i = 1; i < values_.size(); ++i) {
      const std::size_t first = i * thread / threads_, last = i * (thread + 1) / threads_;
      if (join_ == Join::Locked) {
        extend(values_, k_, sums_, i, first, last, [&](std::size_t l, std::int32_t sum) {
          const std::lock_guard lock(mutex_);
          raise(i, l, sum);
        });
      } else {
        std::fill(maxima.begin(), maxima.end(), kNoSum);
        extend(values_, k_, sums_, i, first, last,
               [&](std::size_t l, std::int32_t sum) { maxima[l] = std::max(maxima[l], sum); });
        const std::lock_guard lock(mutex_);
        for (std::size_t l = 1; l < k_; ++l) raise(i, l, maxima[l]);
      }
      element_done_.arrive_and_wait();
    }
  }
  void raise(std::size_t i, std::size_t l, std::int32_t sum) {
    sums_[i * k_ + l] = std::max(sums_[i * k_ + l], sum);
  }

  std::span<const std::int32_t> values_;
  std::size_t k_;
  unsigned threads_;
  Join join_;
  ElementSums sums_;
  std::mutex mutex_;  // protects the sums of the element that is being added
  std::barrier<> element_done_;
};

}  // namespace

ElementSums single_elements(std::span<const std::int32_t> values, std::size_t k) {
  ElementSums sums(values.size() * k, kNoSum);
  for (std::size_t i = 0; i < values.size(); ++i) sums[i * k] = values[i];
  return sums;
}

ElementSums sums_in_sequence(std::span<const std::int32_t> values, std::size_t k) {
  ElementSums sums = single_elements(values, k);
  for (std::size_t i = 1; i < values.size(); ++i) {
    extend(values, k, sums, i, 0, i,
           [&](std::size_t l, std::int32_t sum) { sums[i * k + l] = std::max(sums[i * k + l], sum); });
  }
  return sums;
}

ElementSums sums_by_threads(std::span<const std::int32_t> values, std::size_t k, unsigned threads,
                            Join join) {
  return SharedSums(values, k, threads, join).compute();
}

std::optional<std::int32_t> largest_sum(const ElementSums& sums, std::size_t k) {
  std::int32_t largest = kNoSum;
  for (std::size_t at = k - 1; at < sums.size(); at += k) largest = std::max(largest, sums[at]);
  return largest == kNoSum ? std::nullopt : std::optional(largest);
}

}  // namespace gpuhmm::experiment
