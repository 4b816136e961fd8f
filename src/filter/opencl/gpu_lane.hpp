// One model at a time on its way through a GPU: queues, work space and the launches of the fast kernels.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "filter/opencl/gpu_batch.hpp"
#include "filter/opencl/gpu_bound_model.hpp"
#include "filter/opencl/gpu_model.hpp"
#include "filter/opencl/gpu_programs.hpp"
#include "filter/opencl/gpu_variant.hpp"
#include "filter/opencl/pinned_memory.hpp"
#include "opencl/cl.hpp"

namespace gpuhmm {

/// Device time of the kernels of one model, seconds by OpenCL events.
struct GpuTimes {
  double tiled = 0, packed = 0, long_sequences = 0, listed = 0;  ///< sums
  double span = 0;             ///< first start to last end, without the pauses between the phases of a call
  double first = 0, last = 0;  ///< when the first started and the last ended, on the device's clock

  void add(const GpuTimes& other);
};

/// Not thread-safe; several lanes of a device work side by side. Calls throw cl::Error and OpenClError.
class GpuLane {
 public:
  /// `long_queue`, for long sequences, may be shared by lanes.
  GpuLane(cl::Context context, cl::Device device, cl::CommandQueue long_queue, const GpuVariant& variant,
          GpuPrograms& programs);

  /// What the single-hit kernels found. Good until the next call.
  struct Best {
    std::span<const std::int32_t> best;  ///< E of every sequence, of the model or of the bound
    bool long_bounds;                    ///< those of long sequences are bounds
    bool long_done;                      ///< false: the model is too large for the kernel for long sequences
  };
  /// Runs the single-hit kernels: with `bound` the packed ones, else the exact ones. For the long sequences
  /// of a small batch or for a large model always the exact one, which is sooner done with the longest of
  /// them.
  Best run(const GpuModel& model, const GpuBoundModel* bound, const GpuBatch& batch, GpuTimes& times);

  /// Best E of these sequences by the multihit kernel; kGpuFloor where it gave up.
  std::vector<std::int32_t> run_listed(const GpuModel& model, const GpuBatch& batch,
                                       const std::vector<std::uint32_t>& sequences, GpuTimes& times);

  /// Gives its work space on the device back.
  void release_memory();

 private:
  /// A buffer that grows and is kept: drivers wait for all kernels before they give memory back. Its contents
  /// are of no use from one model to the next.
  struct WorkSpace {
    cl::Buffer buffer;
    std::size_t bytes = 0;
  };
  Best run_phase(const GpuModel& model, const GpuBoundModel* bound, const GpuBatch& batch, GpuTimes& times);

  using Launches = std::vector<std::pair<cl::Event, double*>>;

  cl::Buffer& grown(WorkSpace& space, std::size_t bytes);
  template <class T>
  const cl::Buffer& sent(WorkSpace& space, const std::vector<T>& values, cl::Event* done = nullptr);
  template <class T>
  cl::Event received(const cl::CommandQueue& queue, const cl::Buffer& from, PinnedArray<T>& into,
                     std::size_t count);
  std::optional<cl::Event> run_long(const GpuModel& model, const GpuBoundModel* bound, const GpuBatch& batch,
                                    const cl::Event& ready, double& seconds);
  void run_tiled(const GpuModel& model, const GpuBatch& batch, double& seconds);
  void run_packed(const GpuBoundModel& model, int pairs, const GpuBatch& batch, double& seconds);
  std::size_t run_list_part(const GpuModel& model, const GpuBatch& batch,
                            std::span<const std::uint32_t> sequences, std::int32_t* best, double& seconds);
  template <class Launch>
  void run_in_groups(std::size_t groups, std::size_t group, int pairs, const Launch& launch);
  void launch(const cl::CommandQueue& queue, const cl::Kernel& kernel, std::size_t groups, std::size_t group,
              double& seconds, const std::vector<cl::Event>& after = {});
  void finish_launches(GpuTimes& times);
  template <class Body>
  auto settled(const Body& body);

  cl::Context context_;
  const GpuVariant& variant_;
  GpuPrograms& programs_;
  cl::CommandQueue queue_, long_queue_;
  WorkSpace edges_, border_, best_, long_best_;
  WorkSpace emissions_, moves_;                              // of the exact model
  WorkSpace bound_emissions_, bound_moves_, bound_inserts_;  // of the bound
  WorkSpace list_firsts_, list_strides_, list_words_, list_rows_, list_best_;
  PinnedArray<cl_int> host_best_, host_long_best_;
  Launches launches_;  // of the phase being run
};

}  // namespace gpuhmm
