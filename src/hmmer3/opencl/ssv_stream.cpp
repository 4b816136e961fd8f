// Launches the SSV kernel and collects what it finds.
#include "hmmer3/opencl/ssv_stream.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "opencl/wrong_result.hpp"

namespace gpuhmm::hmmer3 {

SsvStream::SsvStream(const OpenDevice& device, const SsvVariant& variant, unsigned threads)
    : device_(device),
      variant_(variant),
      threads_(threads),
      kernels_(device_, {"gpu_ops.cl", "hmmer3_ssv.cl"}, variant_.build_options()),
      queue_(device_),
      found_room_(variant_.found_room) {
  kernels_["ssv"];
}

// As many groups of sequences at a time as there is memory for their edges.
std::vector<CommandTime> SsvStream::run(const SsvLaunch& launch, const LengthClasses& classes,
                                        std::size_t sequences) {
  const SsvTables tables(launch.pairs, classes.terms, threads_);
  std::size_t longest = 0;
  for (const auto& steps : tables.pair_steps) longest = std::max<std::size_t>(longest, steps[1]);
  const std::size_t fitting = variant_.shape.table_bytes / (kSsvStepWords * sizeof(cl_uint));
  const std::size_t strip_steps = std::clamp<std::size_t>(fitting, 1, longest);
  const std::size_t group = variant_.shape.group;
  const std::size_t groups = (launch.batch->places() + group - 1) / group;
  const std::size_t group_bytes = tables.steps * group * kSsvEdgeBytes;
  const std::size_t at_once = std::clamp<std::size_t>(variant_.edge_bytes / group_bytes, 1, groups);
  return queue_.finished_if_failed([&] {
    std::vector<CommandTime> times;
    send(queue_, gains_, tables.gains);
    send(queue_, pairs_, tables.pair_steps);
    send(queue_, least_, tables.least);
    edges_.at_least(device_, at_once * group_bytes);
    for (std::size_t first = 0; first < groups; first += at_once) {
      times.push_back(run_groups(launch, first, std::min(at_once, groups - first), strip_steps,
                                 classes.terms.size(), sequences));
    }
    return times;
  });
}

// Runs again with more room if that for findings is not enough.
CommandTime SsvStream::run_groups(const SsvLaunch& launch, std::size_t first, std::size_t count,
                                  std::size_t strip_steps, std::size_t class_count, std::size_t sequences) {
  using Finding = std::array<cl_uint, 2>;
  const SsvBatch& batch = *launch.batch;
  const std::size_t group = variant_.shape.group;
  const WorkItems items{{count * group, launch.pairs.size()}, {group, 1}};
  cl_uint listed = 0;
  CommandTime time;
  for (bool again = true; again;) {
    found_.at_least(device_, found_room_ * sizeof(Finding));
    queue_.fill(count_.at_least(device_, sizeof(cl_uint)), cl_uint{0}, 1);
    const cl::Event launched = queue_.launch(
        kernels_["ssv"], items, batch.residues, batch.block_starts, batch.block_words, batch.order,
        batch.classes, batch.places(), gains_.buffer(), pairs_.buffer(), least_.buffer(),
        static_cast<cl_uint>(class_count), static_cast<cl_uint>(first), static_cast<cl_int>(strip_steps),
        edges_.buffer(), count_.buffer(), found_.buffer(), static_cast<cl_uint>(found_room_),
        cl::Local(strip_steps * kSsvStepWords * sizeof(cl_uint)));
    queue_.wait_flushed(launched);
    queue_.fetch(count_.buffer(), &listed, 1);
    time = queue_.time_of(launched);
    again = listed > found_room_;
    if (again) found_room_ = listed;
  }
  std::vector<Finding> findings(listed);
  queue_.fetch(found_.buffer(), findings.data(), findings.size());
  for (const auto [sequence, model_and_cell] : findings) {
    const std::size_t model = model_and_cell >> 16U;
    const int rise = static_cast<int>(model_and_cell & 0xffffU) - kSsvBase;
    if (sequence >= sequences || model >= launch.found.size() || launch.found[model] == nullptr || rise < 0) {
      throw WrongDeviceResult(device_.description(), "a finding of no pair");
    }
    launch.found[model]->push_back({sequence, rise});
  }
  return time;
}

}  // namespace gpuhmm::hmmer3
