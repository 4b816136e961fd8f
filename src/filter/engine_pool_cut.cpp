// Splits a batch into slices for the members of a pool.
#include <algorithm>
#include <ranges>
#include <utility>

#include "filter/batch_cut.hpp"
#include "filter/pool_members.hpp"
#include "filter/work_sharing.hpp"
#include "gpuhmm/engine.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

namespace {

// A batch is split again, once, when every member has worked for kMeasuredSeconds and the slowest takes this
// many times as long as if all finished together.
constexpr double kMeasuredSeconds = 0.5;
constexpr double kWorthCutting = 1 / 0.85;

}  // namespace

// Splits the batch if that is due; it stays as it is while the returned lock is held.
std::shared_lock<std::shared_mutex> EnginePool::hold(Batch& batch) const {
  const auto is_cut = [&] {
    return batch.cut_ == Batch::Cut::ForGood ||
           (batch.cut_ == Batch::Cut::ByExpectedSpeeds && !all_measured());
  };
  std::shared_lock lock(batch.mutex_);
  if (is_cut()) return lock;
  lock.unlock();
  {
    const std::unique_lock alone(batch.mutex_);
    if (!is_cut()) cut(batch);
  }
  lock.lock();
  return lock;
}

bool EnginePool::all_measured() const {
  const std::lock_guard lock(mutex_);
  return std::ranges::all_of(
      at_work(), [&](std::size_t m) { return sharing_->measured_seconds(m) >= kMeasuredSeconds; });
}

// Of the members at work.
std::vector<double> EnginePool::speeds() const {
  const std::lock_guard lock(mutex_);
  std::vector<double> speeds;
  for (const std::size_t m : at_work()) speeds.push_back(sharing_->speed(m, seconds_now()));
  return speeds;
}

void EnginePool::cut(Batch& batch) const {
  std::vector<Member*> members;
  for (const std::size_t m : at_work()) members.push_back(members_[m].get());
  const bool deal = !by_models_ && members.size() > 1;
  const bool again = batch.cut_ != Batch::Cut::None;
  batch.cut_ = deal && !all_measured() ? Batch::Cut::ByExpectedSpeeds : Batch::Cut::ForGood;
  if (again && !recut_pays(batch)) return;

  batch.slices_.clear();
  const SequenceSet all(batch.sequences_, batch.by_length_);
  const auto add = [&](std::span<const std::size_t> some, Member* owner) {
    if (some.empty()) return;
    std::vector<std::size_t> places(some.begin(), some.end());
    SequenceSet set = all.subset(places);
    batch.slices_.push_back(
        std::make_unique<Slice>(std::move(set), std::move(places), owner, members_.size()));
  };
  std::size_t for_host = 0;
  if (long_sequences_ != nullptr && members.front() != host_) {
    double speed = 0;  // of all members that score the same model together
    for (const Member* member : std::span(members).first(deal ? members.size() : 1)) {
      speed += member->engine->expected_speed();
    }
    for_host = count_for_host(all, speed, host_threads_);
  }
  if (!deal && for_host == 0) {
    batch.slices_.push_back(
        std::make_unique<Slice>(all, std::vector<std::size_t>(), nullptr, members_.size()));
    return;
  }
  const std::vector<std::size_t> order = longest_first(all);
  add(std::span(order).first(for_host), long_sequences_);
  const std::span<const std::size_t> others = std::span(order).subspan(for_host);
  if (!deal) {
    add(others, nullptr);
    return;
  }
  const std::vector<std::vector<std::size_t>> dealt = deal_by_speed(all, others, speeds());
  for (std::size_t m = 0; m < members.size(); ++m) add(dealt[m], members[m]);
}

bool EnginePool::recut_pays(const Batch& batch) const {
  std::vector<double> residues;
  for (const std::size_t m : at_work()) {
    residues.push_back(0);
    for (const auto& slice : batch.slices_) {
      if (slice->owner == members_[m].get())
        residues.back() += static_cast<double>(slice->sequences.residue_count());
    }
  }
  return imbalance(residues, speeds()) > kWorthCutting;
}

}  // namespace gpuhmm
