// The workers of a pass; see the header.
#include "search/batch_pass.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "util/parallel.hpp"
#include "util/permit.hpp"

namespace gpuhmm {

namespace {

// Searches that align at the same time when many are scored at the same time: one fills the gaps that the
// other leaves at its end. Some more may wait for that, so that the device need not wait for them.
constexpr unsigned kAligners = 2;
constexpr unsigned kWaiting = 4;

class Pass {
 public:
  Pass(const NumberedBatch& batch, EnginePool* pool, EnginePool::Batch& prepared, const PassOptions& options,
       PassClocks& clocks, const std::function<void(ProfileSearch&)>& finished)
      : batch_(batch),
        pool_(pool),
        prepared_(prepared),
        options_(options),
        clocks_(clocks),
        finished_(finished),
        lanes_(pool != nullptr ? pool->concurrency() : 1),
        aligners_(lanes_ > 1 ? kAligners : 1) {}

  void run(std::list<ProfileSearch>& searches) {
    std::vector<ProfileSearch*> all;
    for (ProfileSearch& search : searches) all.push_back(&search);
    const unsigned workers = !options_.overlap ? 1 : lanes_ + (lanes_ > 1 ? kAligners + kWaiting : 1);
    parallel_for(workers, all.size(), 1, [&](std::size_t first, std::size_t last) {
      std::vector<std::int32_t> scores = take_scores();
      for (std::size_t s = first; s < last; ++s) add(*all[s], scores);
      give_scores(std::move(scores));
    });
  }

 private:
  void add(ProfileSearch& search, std::span<std::int32_t> scores) {
    EnginePool::Devices devices;
    const std::int32_t enough = search.enough(batch_.counted_after);
    if (options_.scores) {
      const StageClock::Running running(clocks_.score);
      std::optional<std::int32_t> threshold;
      if (!options_.exact) threshold = search.filter_threshold(batch_.counted_after);
      devices = pool_->score(search.model(), prepared_, threshold, scores, enough);
    }
    {
      const Permit permit(aligners_);
      const StageClock::Running running(clocks_.rescore);
      if (options_.scores) {
        pool_->verify(devices, search.model(), batch_.sequences, options_.exact, scores, options_.threads,
                      enough);
      }
      search.add(batch_, scores, options_.exact, options_.threads, clocks_.align, options_.meter);
    }
    finished_(search);
  }

  std::vector<std::int32_t> take_scores() {
    const std::lock_guard lock(mutex_);
    if (free_scores_.empty()) return std::vector<std::int32_t>(batch_.sequences.size());
    std::vector<std::int32_t> scores = std::move(free_scores_.back());
    free_scores_.pop_back();
    return scores;
  }
  void give_scores(std::vector<std::int32_t>&& scores) {
    const std::lock_guard lock(mutex_);
    free_scores_.push_back(std::move(scores));
  }

  const NumberedBatch& batch_;
  EnginePool* pool_;
  EnginePool::Batch& prepared_;
  const PassOptions& options_;
  PassClocks& clocks_;
  const std::function<void(ProfileSearch&)>& finished_;
  unsigned lanes_;
  std::counting_semaphore<> aligners_;
  std::mutex mutex_;  // of free_scores_
  std::vector<std::vector<std::int32_t>> free_scores_;
};

}  // namespace

void pass_batch(std::list<ProfileSearch>& searches, const NumberedBatch& batch, EnginePool* pool,
                EnginePool::Batch& prepared, const PassOptions& options, PassClocks& clocks,
                const std::function<void(ProfileSearch&)>& finished) {
  Pass(batch, pool, prepared, options, clocks, finished).run(searches);
}

}  // namespace gpuhmm
