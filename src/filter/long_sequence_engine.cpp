// Shares batches between a device and the host; see the header.
#include "filter/long_sequence_engine.hpp"

#include <algorithm>
#include <future>
#include <limits>
#include <utility>
#include <vector>

namespace gpuhmm {

namespace {

// Cells a second, roughly: one stream of gpu_long.cl on an H100 (35,213 residues by 174 nodes took 3 to 9 ms,
// docs/kernels-gpu.md), and the exact 32-bit kernel on one host core (docs/benchmarks.md, long sequences).
constexpr double kDeviceOne = 1.5e9;
constexpr double kHostThread = 3e9;

struct SharedBatch : PreparedBatch {
  explicit SharedBatch(SequenceSet set) : sequences(std::move(set)) {}

  struct Part {
    std::vector<std::size_t> places;  // in the whole batch
    std::unique_ptr<PreparedBatch> prepared;
  };
  SequenceSet sequences;
  std::unique_ptr<PreparedBatch> whole;  // for the device, if it takes all
  Part device, host;
};

class LongSequenceEngine : public ScoreEngine {
 public:
  LongSequenceEngine(std::unique_ptr<ScoreEngine> device, std::unique_ptr<ScoreEngine> host,
                     unsigned host_threads)
      : device_(std::move(device)), host_(std::move(host)), host_threads_(host_threads) {}

  std::string description() const override { return device_->description(); }
  bool verified() const override { return device_->verified(); }
  unsigned concurrency() const override { return device_->concurrency(); }
  std::size_t least_batch() const override { return device_->least_batch(); }
  std::size_t preferred_batch() const override { return device_->preferred_batch(); }
  double expected_speed() const override { return device_->expected_speed(); }
  EngineTimes times() const override { return device_->times(); }
  void count_into(WorkMeter* meter) override {
    device_->count_into(meter);
    host_->count_into(meter);
  }

  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& sequences) override {
    auto batch = std::make_unique<SharedBatch>(sequences);
    const std::size_t count = count_for_host(sequences);
    if (count == 0) {
      batch->whole = device_->prepare(sequences);
      return batch;
    }
    const std::vector<std::size_t> order = longest_first(sequences);
    const auto first_short = order.begin() + static_cast<std::ptrdiff_t>(count);
    batch->host.places.assign(order.begin(), first_short);
    batch->device.places.assign(first_short, order.end());
    batch->host.prepared = host_->prepare(sequences.subset(batch->host.places));
    if (!batch->device.places.empty()) {
      batch->device.prepared = device_->prepare(sequences.subset(batch->device.places));
    }
    return batch;
  }

  void score(const ScoreModel& model, PreparedBatch& prepared, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    score_up_to(model, prepared, threshold, std::numeric_limits<std::int32_t>::max(), scores);
  }

  void score_up_to(const ScoreModel& model, PreparedBatch& prepared, std::optional<std::int32_t> threshold,
                   std::int32_t enough, std::span<std::int32_t> scores) override {
    auto& batch = dynamic_cast<SharedBatch&>(prepared);
    if (batch.whole) {
      device_->score_up_to(model, *batch.whole, threshold, enough, scores);
      return;
    }
    const auto score_part = [&](ScoreEngine& engine, SharedBatch::Part& part) {
      std::vector<std::int32_t> found(part.places.size());
      engine.score_up_to(model, *part.prepared, threshold, enough, found);
      for (std::size_t i = 0; i < found.size(); ++i) scores[part.places[i]] = found[i];
    };
    std::future<void> host = std::async(std::launch::async, [&] { score_part(*host_, batch.host); });
    if (batch.device.prepared) score_part(*device_, batch.device);
    host.get();
  }

 private:
  std::size_t count_for_host(const SequenceSet& sequences) const {
    std::vector<std::size_t> lengths(sequences.size());
    std::size_t longest = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      lengths[i] = sequences.length(i);
      longest = std::max(longest, lengths[i]);
    }
    if (longest <= kVeryLong) return 0;
    std::ranges::sort(lengths, std::ranges::greater());
    return gpuhmm::count_for_host(lengths,
                                  {device_->expected_speed(), kDeviceOne, kHostThread, host_threads_});
  }

  std::unique_ptr<ScoreEngine> device_, host_;
  unsigned host_threads_;
};

}  // namespace

std::size_t count_for_host(std::span<const std::size_t> lengths, const LongSequenceSpeeds& speeds) {
  double left = 0;
  for (const std::size_t length : lengths) left += static_cast<double>(length);
  const auto longest = [&](std::size_t i) {
    return i < lengths.size() ? static_cast<double>(lengths[i]) : 0;
  };
  double taken = 0;
  double soonest = std::numeric_limits<double>::infinity();
  std::size_t best = 0;
  for (std::size_t count = 0;; ++count) {
    const double device = std::max(left / speeds.device, longest(count) / speeds.device_one);
    const double host = taken == 0 ? 0
                                   : std::max(taken / (speeds.host_thread * speeds.host_threads),
                                              longest(0) / speeds.host_thread);
    if (std::max(device, host) < soonest) {
      soonest = std::max(device, host);
      best = count;
    }
    const bool held_up = longest(count) / speeds.device_one > left / speeds.device;
    if (!held_up || longest(count) <= static_cast<double>(kVeryLong)) return best;
    taken += longest(count);
    left -= longest(count);
  }
}

std::unique_ptr<ScoreEngine> make_long_sequence_engine(std::unique_ptr<ScoreEngine> device,
                                                       std::unique_ptr<ScoreEngine> host,
                                                       unsigned host_threads) {
  return std::make_unique<LongSequenceEngine>(std::move(device), std::move(host), host_threads);
}

}  // namespace gpuhmm
