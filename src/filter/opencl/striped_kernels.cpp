// Sets build options and arguments of the striped kernels.
#include "filter/opencl/striped_kernels.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "filter/sequence_set.hpp"
#include "plan7/arithmetic.hpp"

namespace gpuhmm {

namespace {

std::string define(const std::string& name, auto value) { return " -D" + name + "=" + std::to_string(value); }

// The file of a kernel and the build options that only it has.
struct SweepSource {
  std::string file, options;
};
SweepSource source_of(StripedSweep sweep) {
  switch (sweep) {
    case StripedSweep::GlocalBound:
      return {"striped_bound.cl", ""};
    case StripedSweep::SingleHit:
      return {"striped_single_hit.cl", define("LAZY_F_ALWAYS", 0)};
    case StripedSweep::SingleHitLazyF:
      return {"striped_single_hit.cl", define("LAZY_F_ALWAYS", 1)};
    case StripedSweep::Multihit:
      break;
  }
  return {"striped_multihit.cl",
          define("MINUS_INFINITY", kMinusInfinity) + define("LOWEST_BEGIN", kLowestBegin)};
}

}  // namespace

template <class T>
StripedKernels::Model StripedKernels::upload(StripedSweep sweep, simd::Packing packing,
                                             const simd::StripedModel<T>& model) const {
  const auto scores = [&](const simd::AlignedBuffer<T>& table, std::size_t count) {
    return queue_.upload(std::span<const T>(table.data(), count));
  };
  return {{},
          {{model.floor, model.first_q, model.first_d, 0}},
          sweep,
          packing,
          sizeof(T),
          model.shape.vectors,
          scores(model.transitions, model.transition_count()),
          scores(model.emissions, model.emission_count()),
          scores(model.crossings, model.crossing_count())};
}

StripedKernels::Model StripedKernels::upload(const simd::MultihitModel& multihit) const {
  Model model = upload(StripedSweep::Multihit, simd::Packing::Whole, multihit.striped);
  model.specials = {{multihit.n_begin, multihit.n_loop, multihit.e_to_c, multihit.e_to_j, multihit.c_end,
                     multihit.c_loop, multihit.j_begin, multihit.j_loop}};
  return model;
}

cl::Kernel StripedKernels::kernel(const Model& model) const {
  const std::size_t lanes = variant_.vector_bytes / model.score_bytes;
  const std::size_t model_lanes = model.packing == simd::Packing::Chunks ? lanes / 2 : lanes;
  const SweepSource source = source_of(model.sweep);
  return queue_.device().kernel({"striped_lanes.cl", source.file, "striped.cl"}, "striped",
                                "-cl-std=CL1.2" + define("BITS", model.score_bytes * 8) +
                                    define("LANES", lanes) + define("MODEL_LANES", model_lanes) +
                                    source.options);
}

template <class T>
std::size_t StripedKernels::run(const Model& model, const StripedSlice& slice, const StripedGroups& groups,
                                std::vector<T>& results) const {
  if (groups.count == 0) return 0;
  const OpenDevice& device = queue_.device();
  const std::size_t work_groups = std::min<std::size_t>(variant_.work_groups, groups.count);
  const cl::Buffer cells =
      device.buffer<char>(work_groups * model.vectors * kStripedVectors * 2 * variant_.vector_bytes);
  const cl::Buffer result_buffer = device.buffer<T>(results.size());
  queue_.send(result_buffer, results.data(), results.size());
  cl_uint counted[2] = {0, 0};  // groups taken by work-groups, passes of lazy-F
  const cl::Buffer counters = device.buffer<cl_uint>(2);
  queue_.send(counters, counted, 2);
  queue_.launch(kernel(model), {work_groups, 1}, slice.residues, slice.starts, slice.lengths, groups.members,
                groups.count, counters, model.transitions, model.emissions, model.crossings,
                static_cast<cl_int>(model.vectors), model.floors, model.specials, cells, result_buffer);
  queue_.read(result_buffer, results.data(), results.size());
  queue_.read(counters, counted, 2);
  return counted[1];
}

template StripedKernels::Model StripedKernels::upload(StripedSweep, simd::Packing,
                                                      const simd::StripedModel<std::int16_t>&) const;
template StripedKernels::Model StripedKernels::upload(StripedSweep, simd::Packing,
                                                      const simd::StripedModel<std::int32_t>&) const;
template std::size_t StripedKernels::run(const Model&, const StripedSlice&, const StripedGroups&,
                                         std::vector<std::int16_t>&) const;
template std::size_t StripedKernels::run(const Model&, const StripedSlice&, const StripedGroups&,
                                         std::vector<std::int32_t>&) const;

}  // namespace gpuhmm
