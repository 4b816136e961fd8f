// The order of comparisons, cut-offs, counts.
#include "search/hmmer3_comparisons.hpp"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>

#include "hmmer3/hit_list.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::hmmer3 {

MissingCutoff::MissingCutoff(CutoffKind kind, const std::string& profile_name)
    : SearchError("profile " + profile_name + " has no " +
                  (kind == CutoffKind::Gathering ? "GA"
                   : kind == CutoffKind::Noise   ? "NC"
                                                 : "TC") +
                  " cut-off; expected one in its file"),
      kind_(kind),
      profile_(profile_name) {}

const char* MissingCutoff::tag() const {
  return kind_ == CutoffKind::Gathering ? "GA" : kind_ == CutoffKind::Noise ? "NC" : "TC";
}

namespace {

// Comparisons whose filters run. A thread takes a part of the first one that has any left; if there is none,
// it makes the next comparison.
class Filtering {
 public:
  Filtering(std::size_t count, const std::function<std::unique_ptr<StagedComparison>(std::size_t)>& make,
            std::span<double> seconds, StageClock& clock)
      : make_(make), seconds_(seconds), clock_(clock), compared_(count), left_(count) {}

  StagedComparisons run(unsigned threads) {
    parallel_for(threads, threads, 1, [this](std::size_t, std::size_t) { work(); });
    return std::move(compared_);
  }

 private:
  struct Part {
    std::size_t place, part;
  };

  void work() {
    try {
      while (const std::optional<Part> part = next()) {
        double seconds = 0;
        {
          const Stopwatch watch(seconds);
          const StageClock::Running running(clock_);
          compared_[part->place]->filter(part->part);
        }
        end(part->place, seconds);
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failed_ = true;
      changed_.notify_all();
      throw;
    }
  }

  std::optional<Part> next() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (failed_) return std::nullopt;
      if (!open_.empty()) {
        Part& first = open_.front();
        const Part taken = first;
        if (++first.part == compared_[first.place]->filter_parts()) open_.pop_front();
        return taken;
      }
      if (made_ < compared_.size()) {
        make(made_++, lock);
      } else if (making_ > 0) {
        changed_.wait(lock);
      } else {
        return std::nullopt;
      }
    }
  }

  void make(std::size_t place, std::unique_lock<std::mutex>& lock) {
    ++making_;
    lock.unlock();
    std::unique_ptr<StagedComparison> comparison = make_(place);
    lock.lock();
    --making_;
    left_[place] = comparison->filter_parts();
    compared_[place] = std::move(comparison);
    if (left_[place] > 0) open_.push_back({place, 0});
    changed_.notify_all();
  }

  void end(std::size_t place, double seconds) {
    {
      const std::lock_guard lock(mutex_);
      seconds_[place] += seconds;
      if (--left_[place] > 0) return;
    }
    compared_[place]->end_filters();
  }

  const std::function<std::unique_ptr<StagedComparison>(std::size_t)>& make_;
  std::span<double> seconds_;
  StageClock& clock_;
  std::mutex mutex_;  // of all below
  std::condition_variable changed_;
  StagedComparisons compared_;
  std::vector<std::size_t> left_;  // parts of each that have not ended
  std::deque<Part> open_;          // the next part of each that has parts to take
  std::size_t made_ = 0, making_ = 0;
  bool failed_ = false;
};

}  // namespace

StagedComparisons filtered(std::size_t count, unsigned threads,
                           const std::function<std::unique_ptr<StagedComparison>(std::size_t)>& make,
                           std::span<double> seconds, StageClock& clock) {
  return Filtering(count, make, seconds, clock).run(threads);
}

std::optional<Cutoff> required_cutoff(const Profile& profile, CutoffKind kind) {
  std::optional<Cutoff> cutoff = cutoff_of(profile, kind);
  if (kind != CutoffKind::None && !cutoff) throw MissingCutoff(kind, profile.name);
  return cutoff;
}

void count_stage(Counters& counters, Stage stage) {
  counters.past_msv += stage >= Stage::Msv;
  counters.past_bias += stage >= Stage::Bias;
  counters.past_viterbi += stage >= Stage::Viterbi;
  counters.past_forward += stage >= Stage::Forward;
}

Query query_of(const Profile& profile) {
  return {profile.name, profile.accession.value_or(""), profile.description.value_or(""), profile.nodes};
}

Query query_of(const SequenceView& sequence) {
  return {std::string(sequence.name), std::string(sequence.accession), std::string(sequence.description),
          static_cast<std::int64_t>(sequence.residues.size())};
}

}  // namespace gpuhmm::hmmer3
