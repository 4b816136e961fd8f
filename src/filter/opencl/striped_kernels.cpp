// Build options and arguments of the striped kernels; see the header.
#include "filter/opencl/striped_kernels.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "plan7/arithmetic.hpp"

namespace gpuhmm {

namespace {

template <class T>
cl::Buffer upload_scores(const Session& session, const simd::AlignedBuffer<T>& scores, std::size_t count) {
  const std::size_t bytes = count * sizeof(T);
  cl::Buffer buffer(session.context(), CL_MEM_READ_ONLY, std::max(bytes, sizeof(T)));
  if (bytes > 0) session.queue().enqueueWriteBuffer(buffer, CL_TRUE, 0, bytes, scores.data());
  return buffer;
}

std::string define(const std::string& name, auto value) { return " -D" + name + "=" + std::to_string(value); }

// The file of a sweep and its own build options.
struct SweepSource {
  std::string file, options;
};
SweepSource source_of(StripedSweep sweep) {
  switch (sweep) {
    case StripedSweep::GlocalBound:
      return {"striped_bound.cl", ""};
    case StripedSweep::SingleHit:
      return {"striped_single_hit.cl", define("CARRY_ALWAYS", 0)};
    case StripedSweep::SingleHitCarried:
      return {"striped_single_hit.cl", define("CARRY_ALWAYS", 1)};
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
  return session_.guarded([&] {
    return Model{{},
                 {{model.floor, model.first_q, model.first_d, 0}},
                 sweep,
                 packing,
                 sizeof(T),
                 model.shape.vectors,
                 upload_scores(session_, model.transitions, model.transition_count()),
                 upload_scores(session_, model.emissions, model.emission_count()),
                 upload_scores(session_, model.crossings, model.crossing_count())};
  });
}

StripedKernels::Model StripedKernels::upload(const simd::MultihitModel& multihit) const {
  Model model = upload(StripedSweep::Multihit, simd::Packing::Whole, multihit.striped);
  model.specials = {{multihit.n_begin, multihit.n_loop, multihit.e_to_c, multihit.e_to_j, multihit.c_end,
                     multihit.c_loop, multihit.j_begin, multihit.j_loop}};
  return model;
}

cl::Kernel StripedKernels::kernel(const Model& model) {
  const std::size_t lanes = variant_.vector_bytes / model.score_bytes;
  const std::size_t model_lanes = model.packing == simd::Packing::Chunks ? lanes / 2 : lanes;
  const SweepSource source = source_of(model.sweep);
  return session_.kernel({"striped_lanes.cl", source.file, "striped.cl"}, "striped",
                         "-cl-std=CL1.2" + define("BITS", model.score_bytes * 8) + define("LANES", lanes) +
                             define("MODEL_LANES", model_lanes) + source.options);
}

template <class T>
std::size_t StripedKernels::run(const Model& model, const StripedSlice& slice, const StripedGroups& groups,
                                std::vector<T>& results) {
  return groups.count == 0 ? 0 : launch(model, slice, groups, results.data());
}

std::size_t StripedKernels::launch(const Model& model, const StripedSlice& slice, const StripedGroups& groups,
                                   void* results) {
  cl::Kernel sweep = kernel(model);
  return session_.guarded([&] {
    const cl::CommandQueue& queue = session_.queue();
    const std::size_t work_groups = std::min<std::size_t>(variant_.work_groups, groups.count);
    const cl::Buffer cells(session_.context(), CL_MEM_READ_WRITE,
                           work_groups * model.vectors * kStripedVectors * 2 * variant_.vector_bytes);
    const std::size_t result_bytes = slice.size() * model.score_bytes;
    const cl::Buffer result_buffer(session_.context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, result_bytes,
                                   results);
    cl_uint counted[2] = {0, 0};  // groups handed out, carries followed
    const cl::Buffer counters(session_.context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof counted,
                              counted);
    cl_uint argument = 0;
    const auto pass = [&](const auto& value) { sweep.setArg(argument++, value); };
    pass(slice.residues);
    pass(slice.starts);
    pass(slice.lengths);
    pass(groups.members);
    pass(groups.count);
    pass(counters);
    pass(model.transitions);
    pass(model.emissions);
    pass(model.crossings);
    pass(static_cast<cl_int>(model.vectors));
    pass(model.floors);
    pass(model.specials);
    pass(cells);
    pass(result_buffer);
    queue.enqueueNDRangeKernel(sweep, cl::NullRange, cl::NDRange(work_groups), cl::NDRange(1));
    queue.enqueueReadBuffer(result_buffer, CL_TRUE, 0, result_bytes, results);
    queue.enqueueReadBuffer(counters, CL_TRUE, 0, sizeof counted, counted);
    return std::size_t{counted[1]};
  });
}

template StripedKernels::Model StripedKernels::upload(StripedSweep, simd::Packing,
                                                      const simd::StripedModel<std::int16_t>&) const;
template StripedKernels::Model StripedKernels::upload(StripedSweep, simd::Packing,
                                                      const simd::StripedModel<std::int32_t>&) const;
template std::size_t StripedKernels::run(const Model&, const StripedSlice&, const StripedGroups&,
                                         std::vector<std::int16_t>&);
template std::size_t StripedKernels::run(const Model&, const StripedSlice&, const StripedGroups&,
                                         std::vector<std::int32_t>&);

}  // namespace gpuhmm
