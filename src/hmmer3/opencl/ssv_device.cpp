// Divides models into launches, two streams of which keep the device busy while the host works on the others.
#include "hmmer3/opencl/ssv_device.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "util/parallel.hpp"

namespace gpuhmm::hmmer3 {

namespace {

std::size_t next_overlap(std::size_t overlap) { return 4 * overlap; }

// Sorts findings by sequence; of the parts of a sequence the highest counts.
void put_in_order(std::vector<SsvFinding>& found) {
  std::ranges::sort(found, [](const SsvFinding& a, const SsvFinding& b) {
    return a.sequence != b.sequence ? a.sequence < b.sequence : a.rise > b.rise;
  });
  const auto again = std::ranges::unique(found, {}, &SsvFinding::sequence);
  found.erase(again.begin(), again.end());
}

}  // namespace

// A stream that no other thread uses meanwhile.
class SsvDevice::Borrowed {
 public:
  explicit Borrowed(SsvDevice& owner) : owner_(owner) {
    const std::lock_guard lock(owner_.mutex_);
    stream_ = std::move(owner_.streams_.back());
    owner_.streams_.pop_back();
  }
  ~Borrowed() {
    const std::lock_guard lock(owner_.mutex_);
    owner_.streams_.push_back(std::move(stream_));
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;

  SsvStream& operator*() const { return *stream_; }

 private:
  SsvDevice& owner_;
  std::unique_ptr<SsvStream> stream_;
};

SsvDevice::SsvDevice(const DeviceInfo& device, unsigned threads, std::optional<SsvVariant> variant,
                     const KernelSources& sources)
    : device_(device, sources),
      variant_(variant.value_or(choose_ssv_variant(device))),
      threads_(threads),
      packer_(device_),
      resident_(device_, ResidentResidues::room_of(device)) {
  for (unsigned s = 0; s < kStreams; ++s) {
    streams_.push_back(std::make_unique<SsvStream>(device_, variant_, threads_));
  }
}

void SsvDevice::load(const SequenceBatch& batch) {
  batches_.clear();
  sequences_ = &batch;
  classes_.emplace(batch);
  // Residues are copied while the sequences are sorted as the models of the batch before needed it.
  std::vector<std::pair<std::size_t, std::unique_ptr<SsvBatch>*>> to_make;
  for (const auto& [overlap, memory] : memory_) to_make.emplace_back(overlap, &batches_[overlap]);
  parallel_for(threads_, to_make.size() + 1, 1, [&](std::size_t i, std::size_t) {
    if (i == 0) return residues_.load(packer_.queue(), batch, threads_);
    const auto& [overlap, made] = to_make[i - 1];
    *made = std::make_unique<SsvBatch>(batch, *classes_, overlap, variant_);
  });
}

const SsvBatch& SsvDevice::batch_for(int nodes) {
  std::size_t overlap = variant_.overlap;
  while (overlap + 1 < static_cast<std::size_t>(nodes)) overlap = next_overlap(overlap);
  std::unique_ptr<SsvBatch>& batch = batches_[overlap];
  if (!batch) batch = std::make_unique<SsvBatch>(*sequences_, *classes_, overlap, variant_);
  if (!batch->is_sent()) batch->send(residues_, packer_, memory_[overlap]);
  return *batch;
}

std::vector<SsvLaunch> SsvDevice::launches_of(std::span<const SsvQuery> queries,
                                              std::vector<std::vector<SsvFinding>>& found) {
  // Models side by side should have about as many nodes.
  std::vector<std::size_t> order(queries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto nodes = [&](std::size_t i) { return queries[i].model->nodes; };
  std::ranges::stable_sort(order, std::ranges::greater(), nodes);
  std::vector<SsvLaunch> launches;
  for (std::size_t i = 0; i < order.size(); i += 2) {
    const SsvBatch& batch = batch_for(nodes(order[i]));
    const bool alone = i + 1 == order.size();
    const SsvPair pair = {&queries[order[i]], alone ? nullptr : &queries[order[i + 1]]};
    const std::size_t steps = steps_of(pair);
    const std::size_t all_steps = launches.empty() ? 0 : launches.back().steps + steps;
    if (launches.empty() || launches.back().batch != &batch ||
        all_steps * batch.places() * kSsvEdgeBytes > variant_.edge_bytes ||
        static_cast<double>(all_steps) * static_cast<double>(sequences_->residue_count()) >
            variant_.launch_steps) {
      launches.emplace_back().batch = &batch;
    }
    SsvLaunch& launch = launches.back();
    launch.pairs.push_back(pair);
    launch.steps += steps;
    launch.found.push_back(&found[order[i]]);
    launch.found.push_back(alone ? nullptr : &found[order[i + 1]]);
  }
  return launches;
}

std::vector<std::vector<SsvFinding>> SsvDevice::find(std::span<const SsvQuery> queries) {
  std::vector<std::vector<SsvFinding>> found(queries.size());
  if (classes_->terms.empty()) return found;
  const std::vector<SsvLaunch> launches = launches_of(queries, found);
  const std::unique_lock turn = device_.turn();
  parallel_for(kStreams, launches.size(), 1, [&](std::size_t l, std::size_t) {
    const Borrowed stream(*this);
    busy_.add((*stream).run(launches[l], *classes_, sequences_->size()));
    const std::vector<std::vector<SsvFinding>*>& own = launches[l].found;
    parallel_for(threads_, own.size(), 1, [&](std::size_t i, std::size_t) {
      if (own[i] != nullptr) put_in_order(*own[i]);
    });
  });
  return found;
}

}  // namespace gpuhmm::hmmer3
