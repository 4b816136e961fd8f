// A stream of a GPU: a command queue with its buffers, which runs the fast kernels for one model at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "filter/opencl/gpu_batch.hpp"
#include "filter/opencl/gpu_bound_model.hpp"
#include "filter/opencl/gpu_bound_pair.hpp"
#include "filter/opencl/gpu_model.hpp"
#include "filter/opencl/gpu_model_pairs.hpp"
#include "filter/opencl/gpu_programs.hpp"
#include "filter/opencl/gpu_shapes.hpp"
#include "filter/opencl/gpu_variant.hpp"
#include "opencl/command_log.hpp"
#include "opencl/growing_buffer.hpp"
#include "opencl/pinned_array.hpp"
#include "opencl/queue.hpp"

namespace gpuhmm {

/// Device time of the kernels of one model, seconds by OpenCL events.
struct GpuTimes {
  double tiled = 0, packed = 0, long_sequences = 0, listed = 0;  ///< sums over launches
  double span = 0;             ///< first start to last end of each phase of a call, summed
  double first = 0, last = 0;  ///< first start and last end, on the device's clock

  void add(const GpuTimes& other);
};

/// Not thread-safe; several streams of a device may run at the same time. Calls throw EngineFailure.
class GpuStream {
 public:
  /// `long_queue`, for long sequences, may be shared by streams. The others are shared, too, and must outlive
  /// the stream.
  GpuStream(Queue long_queue, const GpuVariant& variant, const GpuPrograms& programs,
            GpuModelPairs& model_pairs)
      : device_(long_queue.device()),
        variant_(variant),
        programs_(programs),
        model_pairs_(model_pairs),
        queue_(device_),
        long_queue_(std::move(long_queue)) {}

  /// The results of the single-hit kernels. Valid until the next call.
  struct Best {
    std::span<const std::int32_t> best;  ///< best E of every sequence, of the model or of the bound
    bool long_bounds;                    ///< those of long sequences are upper bounds
    bool long_done;                      ///< false: the model is too large for the kernel for long sequences
  };
  /// Runs the exact single-hit kernels.
  Best run(const GpuModel& model, const GpuBatch& batch, GpuTimes& times);
  /// Runs the packed ones. The long sequences of a small batch or for a large model go to the exact one,
  /// which finishes the longest of them sooner.
  Best run_bounds(const GpuModel& model, const GpuBoundModel& bound, const GpuBatch& batch,
                  GpuModelPairs::Coming& coming, GpuTimes& times);

  /// Best E of these sequences by the multihit kernel; kGpuFloor where it reached its limit of passes.
  std::vector<std::int32_t> run_listed(const GpuModel& model, const GpuBatch& batch,
                                       const std::vector<std::uint32_t>& sequences, GpuTimes& times);

  /// Takes the memory on the device for batches of so many sequences and models that need so many bytes of
  /// edges for each.
  void take_memory(std::size_t sequences, std::size_t edge_bytes);
  /// The edges of a sequence in launches of tiled or packed kernels, bytes.
  static std::size_t edge_bytes(int pairs, bool packed);
  /// Lends pinned memory for the results of as many sequences, and for those of the long ones among them; it
  /// must outlive the stream.
  void lend_results(std::span<cl_int> all, std::span<cl_int> of_long_ones) {
    host_best_.lend(all);
    host_long_best_.lend(of_long_ones);
  }
  /// Frees the stream's working memory on the device.
  void release_memory();

 private:
  template <class RunShort>
  Best run_phase(const GpuModel& model, const GpuBoundModel* bound, const GpuBatch& batch, GpuTimes& times,
                 const RunShort& run_short);

  // Values in pinned memory: lent, or of its own if there are more.
  class HostValues {
   public:
    void lend(std::span<cl_int> memory) { values_ = memory; }
    cl_int* at_least(const Queue& queue, std::size_t count) {
      if (values_.size() < count) {
        own_ = PinnedArray<cl_int>(queue, count);
        values_ = {own_.data(), count};
      }
      return values_.data();
    }
    cl_int* data() const { return values_.data(); }

   private:
    PinnedArray<cl_int> own_;
    std::span<cl_int> values_;
  };

  template <class T>
  cl::Event sent(GrowingBuffer& space, const std::vector<T>& values);
  cl::Event received(const Queue& queue, const cl::Buffer& from, HostValues& into, std::size_t count);
  std::optional<cl::Event> run_long(const GpuModel& model, const GpuBoundModel* bound, const GpuBatch& batch,
                                    const cl::Event& ready, double& seconds);
  void run_tiled(const GpuModel& model, const GpuBatch& batch, double& seconds);
  // What the packed kernel knows of its models.
  struct PackedTables {
    const cl::Buffer &emissions, &moves, &inserts;
    cl_uint begin, start_p, peak_limits;
  };
  void run_packed(const GpuBatch& batch, const cl::Kernel& kernel, const GpuPackedShape& shape,
                  const PackedTables& tables, double& seconds);
  void bound_alone(const GpuModelPairs::Call& call, double& seconds);
  void bound_both(const GpuModelPairs::Call& call, const GpuModelPairs::Call& other, double& seconds);
  std::size_t run_list_part(const GpuModel& model, const GpuBatch& batch,
                            std::span<const std::uint32_t> sequences, std::int32_t* best, double& seconds);
  template <class Launch>
  void run_in_groups(std::size_t groups, std::size_t group, int pairs, const Launch& launch);
  template <class... Arguments>
  void launch(const Queue& queue, const cl::Kernel& kernel, const WorkItems& items, double& seconds,
              const Arguments&... arguments);
  void finish_launches(GpuTimes& times);
  template <class Body>
  auto run_or_finish(const Body& body);

  const OpenDevice& device_;
  const GpuVariant& variant_;
  const GpuPrograms& programs_;
  GpuModelPairs& model_pairs_;
  Queue queue_, long_queue_;
  // Reused from model to model; the contents are not.
  GrowingBuffer edges_, border_, best_, long_best_;
  GrowingBuffer emissions_, moves_;                              // of the exact model
  GrowingBuffer bound_emissions_, bound_moves_, bound_inserts_;  // of the bound
  GrowingBuffer two_emissions_, two_moves_, two_inserts_;        // of two bounds
  std::optional<GpuBoundPair> two_models_;                       // from which the tables are copied
  GrowingBuffer list_firsts_, list_strides_, list_words_, list_rows_, list_best_;
  HostValues host_best_, host_long_best_;
  CommandLog<double*> launches_;  // of the current phase; the label is the sum that their time is added to
};

}  // namespace gpuhmm
