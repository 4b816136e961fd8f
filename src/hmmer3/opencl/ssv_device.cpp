// Divides models into launches, and collects what they find.
#include "hmmer3/opencl/ssv_device.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include "opencl/wrong_result.hpp"

namespace gpuhmm::hmmer3 {

namespace {

constexpr std::size_t kEdgeBytes = kSsvStepNodes * sizeof(cl_uint);  // of a step and a sequence

std::size_t next_overlap(std::size_t overlap) { return 4 * overlap; }

}  // namespace

// Models that go to the device together.
struct SsvDevice::Launch {
  SsvBatch* batch = nullptr;
  std::vector<SsvPair> pairs;
  std::vector<std::size_t> places;  // of the models among the queries: pair 0's, pair 1's ...
  std::size_t steps = 0;
};

SsvDevice::SsvDevice(const DeviceInfo& device, unsigned threads, std::optional<SsvVariant> variant,
                     const KernelSources& sources)
    : device_(device, sources),
      variant_(variant.value_or(choose_ssv_variant(device))),
      threads_(threads),
      kernels_(device_, {"gpu_ops.cl", "hmmer3_ssv.cl"}, variant_.build_options()),
      queue_(device_),
      found_room_(variant_.found_room) {
  kernels_["ssv"];
}

void SsvDevice::load(const SequenceBatch& batch) {
  batches_.clear();
  sequences_ = &batch;
  classes_.emplace(batch);
}

SsvBatch& SsvDevice::batch_for(int nodes) {
  std::size_t overlap = variant_.overlap;
  while (overlap + 1 < static_cast<std::size_t>(nodes)) overlap = next_overlap(overlap);
  std::unique_ptr<SsvBatch>& batch = batches_[overlap];
  if (!batch)
    batch = std::make_unique<SsvBatch>(*sequences_, *classes_, overlap, variant_, threads_, device_);
  return *batch;
}

std::vector<std::vector<SsvFinding>> SsvDevice::find(std::span<const SsvQuery> queries) {
  std::vector<std::vector<SsvFinding>> found(queries.size());
  if (classes_->terms.empty()) return found;
  // Models side by side should have about as many nodes.
  std::vector<std::size_t> order(queries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto nodes = [&](std::size_t i) { return queries[i].model->nodes; };
  std::ranges::stable_sort(order, std::ranges::greater(), nodes);
  Launch launch;
  for (std::size_t i = 0; i < order.size(); i += 2) {
    SsvBatch& batch = batch_for(nodes(order[i]));
    const bool alone = i + 1 == order.size();
    const SsvPair pair = {&queries[order[i]], alone ? nullptr : &queries[order[i + 1]]};
    const std::size_t steps = steps_of(pair);
    const std::size_t edges = (launch.steps + steps) * batch.sequences.short_sequences * kEdgeBytes;
    if (launch.batch != &batch || edges > variant_.edge_bytes) {
      if (!launch.pairs.empty()) run(launch, found);
      launch = Launch();
      launch.batch = &batch;
    }
    launch.pairs.push_back(pair);
    launch.steps += steps;
    launch.places.push_back(order[i]);
    launch.places.push_back(alone ? queries.size() : order[i + 1]);
  }
  if (!launch.pairs.empty()) run(launch, found);
  for (std::vector<SsvFinding>& own : found) {
    // Of the parts of a sequence the highest counts.
    std::ranges::sort(own, [](const SsvFinding& a, const SsvFinding& b) {
      return a.sequence != b.sequence ? a.sequence < b.sequence : a.rise > b.rise;
    });
    const auto again = std::ranges::unique(own, {}, &SsvFinding::sequence);
    own.erase(again.begin(), again.end());
  }
  return found;
}

// As many groups of sequences at a time as there is memory for their edges.
void SsvDevice::run(const Launch& launch, std::vector<std::vector<SsvFinding>>& found) {
  const SsvTables tables(launch.pairs, classes_->terms, threads_);
  const auto send = [&](GrowingBuffer& space, const auto& values) {
    const std::span view(values);
    queue_.send(space.at_least(device_, view.size_bytes()), view.data(), view.size());
  };
  std::size_t longest = 0;
  for (const auto& steps : tables.pair_steps) longest = std::max<std::size_t>(longest, steps[1]);
  const std::size_t fitting = variant_.shape.table_bytes / (kSsvStepWords * sizeof(cl_uint));
  const std::size_t strip_steps = std::clamp<std::size_t>(fitting, 1, longest);
  const std::size_t group = variant_.shape.group;
  const std::size_t groups = (launch.batch->sequences.short_sequences + group - 1) / group;
  const std::size_t group_bytes = tables.steps * group * kEdgeBytes;
  const std::size_t at_once = std::clamp<std::size_t>(variant_.edge_bytes / group_bytes, 1, groups);
  try {
    send(gains_, tables.gains);
    send(pairs_, tables.pair_steps);
    send(least_, tables.least);
    edges_.at_least(device_, at_once * group_bytes);
    for (std::size_t first = 0; first < groups; first += at_once) {
      run_groups(launch, first, std::min(at_once, groups - first), strip_steps, found);
    }
  } catch (...) {
    try {
      queue_.finish();                // commands may still use the tables
    } catch (const EngineFailure&) {  // the device is lost, and its commands with it
    }
    throw;
  }
}

// Runs again with more room if that for findings is not enough.
void SsvDevice::run_groups(const Launch& launch, std::size_t first, std::size_t count,
                           std::size_t strip_steps, std::vector<std::vector<SsvFinding>>& found) {
  using Finding = std::array<cl_uint, 2>;
  const GpuBatch& sequences = launch.batch->sequences;
  const std::size_t group = variant_.shape.group;
  const WorkItems items{{count * group, launch.pairs.size()}, {group, 1}};
  const auto received = [&](const cl::Buffer& from, auto* values, std::size_t amount) {
    const cl::Event done = queue_.receive(from, values, amount);
    queue_.flush();
    queue_.wait(done);
  };
  cl_uint listed = 0;
  for (bool again = true; again;) {
    found_.at_least(device_, found_room_ * sizeof(Finding));
    queue_.fill(count_.at_least(device_, sizeof(cl_uint)), cl_uint{0}, 1);
    const cl::Event launched = queue_.launch(
        kernels_["ssv"], items, sequences.residues, sequences.block_starts, sequences.block_words,
        launch.batch->order, launch.batch->classes, sequences.short_sequences, gains_.buffer(),
        pairs_.buffer(), least_.buffer(), static_cast<cl_uint>(classes_->terms.size()),
        static_cast<cl_uint>(first), static_cast<cl_int>(strip_steps), edges_.buffer(), count_.buffer(),
        found_.buffer(), static_cast<cl_uint>(found_room_),
        cl::Local(strip_steps * kSsvStepWords * sizeof(cl_uint)));
    received(count_.buffer(), &listed, 1);
    busy_ += queue_.time_of(launched).seconds();
    again = listed > found_room_;
    if (again) found_room_ = listed;
  }
  std::vector<Finding> findings(listed);
  received(found_.buffer(), findings.data(), findings.size());
  for (const auto [sequence, model_and_cell] : findings) {
    const std::size_t model = model_and_cell >> 16U;
    const int rise = static_cast<int>(model_and_cell & 0xffffU) - kSsvBase;
    if (sequence >= sequences_->size() || model >= launch.places.size() ||
        launch.places[model] >= found.size() || rise < 0) {
      throw WrongDeviceResult(description(), "a finding of no pair");
    }
    found[launch.places[model]].push_back({sequence, rise});
  }
}

}  // namespace gpuhmm::hmmer3
