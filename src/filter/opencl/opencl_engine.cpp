// The exact engine for any OpenCL device: keeps batches on the device as far as they fit, and makes smaller
// launches when memory runs out.
#include "filter/opencl/opencl_engine.hpp"

#include <algorithm>
#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "filter/opencl/device_model.hpp"
#include "filter/opencl/packing.hpp"
#include "opencl/growing_buffer.hpp"
#include "opencl/queue.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/viterbi.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kLargestSlice = std::size_t{1} << 30;  // bytes

// The sequences of a slice on the device.
struct SliceBuffers {
  cl::Buffer residues, starts, lengths;
};
struct Slice {
  PackedSlice packed;
  std::shared_ptr<const SliceBuffers> resident;  // null: the slice is sent for every model
};

struct OpenClBatch : PreparedBatch {
  explicit OpenClBatch(SequenceSet sequences) : batch(std::move(sequences)) {}

  SequenceSet batch;
  std::vector<Slice> slices;
  std::vector<std::size_t> long_places;  // indices into `batch`
  std::unique_ptr<PreparedBatch> long_prepared;
};

// The model's tables on the device.
struct ModelBuffers {
  cl_int8 specials{};
  cl::Buffer parameters, emission;
  cl_int nodes = 0;
};

std::size_t default_budget(const DeviceInfo& device) {
  return device.type == DeviceType::Cpu ? device.memory / 8 : device.memory / 4 * 3;
}

class OpenClEngine : public ScoreEngine {
 public:
  OpenClEngine(const DeviceInfo& device, OpenClOptions options)
      : options_(std::move(options)),
        device_(device),
        queue_(device_, Timing::Off),
        variant_(options_.variant.value_or(choose_variant(device))) {
    if (options_.host_threads == 0) options_.host_threads = std::max(1U, std::thread::hardware_concurrency());
    if (!options_.host_engine) options_.host_engine = make_reference_engine(options_.host_threads);
    const std::size_t budget = options_.memory_budget > 0 ? options_.memory_budget : default_budget(device);
    *resident_left_ = budget / 2;
    slice_bytes_ = std::min({budget / 8, static_cast<std::size_t>(device.max_allocation), kLargestSlice});
    border_limit_ = std::min(budget / 2, static_cast<std::size_t>(device.max_allocation));
    kernel_ = device_.kernel({"viterbi.cl"}, "viterbi", build_options(variant_, kDeviceLow));
  }

  std::string description() const override { return device_.description(); }

  bool verified() const override { return true; }

  std::optional<DeviceCosts> device_costs() const override { return device_.costs(description()); }

  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& batch) override {
    auto prepared = std::make_unique<OpenClBatch>(batch);
    const std::vector<std::size_t> order = longest_first(batch);
    const std::size_t long_count = count_long(batch, order);
    if (long_count > 0) {
      prepared->long_places.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(long_count));
      prepared->long_prepared = options_.host_engine->prepare(batch.subset(prepared->long_places));
    }
    std::vector<PackedSlice> packed =
        pack_sequences(batch, std::span(order).subspan(long_count), {variant_.width(), variant_.rows},
                       slice_bytes_, options_.host_threads);
    for (PackedSlice& slice : packed) {
      prepared->slices.push_back({std::move(slice), nullptr});
      make_resident(prepared->slices.back());
    }
    return prepared;
  }

  void score(const ScoreModel& model, PreparedBatch& prepared, std::optional<std::int32_t> /*threshold*/,
             std::span<std::int32_t> scores) override {
    auto& batch = dynamic_cast<OpenClBatch&>(prepared);
    std::future<std::vector<std::int32_t>> long_scores;
    if (batch.long_prepared) {
      long_scores = std::async(std::launch::async, [&] {
        std::vector<std::int32_t> result(batch.long_places.size());
        options_.host_engine->score(model, *batch.long_prepared, std::nullopt, result);
        return result;
      });
    }
    const std::vector<std::size_t> unproven = score_on_device(model, batch.slices, scores);
    parallel_for(options_.host_threads, unproven.size(), 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t u = first; u < last; ++u) {
        scores[unproven[u]] = viterbi_score(model, batch.batch.residues(unproven[u]));
      }
    });
    if (long_scores.valid()) {
      const std::vector<std::int32_t> result = long_scores.get();
      for (std::size_t i = 0; i < result.size(); ++i) scores[batch.long_places[i]] = result[i];
    }
  }

 private:
  // How many sequences from the start of `order` (longest first) go to the host.
  std::size_t count_long(const SequenceSet& batch, std::span<const std::size_t> order) const {
    const std::size_t host_share = batch.residue_count() / 100;
    const std::size_t even_share = batch.residue_count() / variant_.long_share;
    std::size_t residues = 0;
    std::size_t count = 0;
    for (; count < order.size(); ++count) {
      const std::size_t length = batch.length(order[count]);
      residues += length;
      const bool too_long = options_.long_sequence > 0 ? length > options_.long_sequence
                                                       : (length > even_share && residues <= host_share) ||
                                                             length * variant_.width() > slice_bytes_;
      if (!too_long) break;
    }
    return count;
  }

  SliceBuffers send(const PackedSlice& slice) const {
    if (options_.sending) options_.sending(slice.words.size() * sizeof(std::uint32_t));
    return {queue_.upload(slice.words), queue_.upload(slice.starts), queue_.upload(slice.lengths)};
  }

  // Keeps a slice on the device if the memory budget allows; returns its bytes to the budget when it is
  // destroyed.
  void make_resident(Slice& slice) {
    const std::size_t bytes = slice.packed.words.size() * sizeof(std::uint32_t);
    if (bytes > *resident_left_) return;
    try {
      slice.resident = {new SliceBuffers(send(slice.packed)), [left = resident_left_, bytes](auto* buffers) {
                          delete buffers;
                          *left += bytes;
                        }};
    } catch (const EngineFailure& failure) {
      if (!failure.out_of_memory()) throw;
      *resident_left_ = 0;
      return;
    }
    *resident_left_ -= bytes;
    slice.packed.words = {};
  }

  // Scores all slices; returns the sequences whose scores are not proven.
  std::vector<std::size_t> score_on_device(const ScoreModel& model, std::span<const Slice> slices,
                                           std::span<std::int32_t> scores) {
    std::vector<std::size_t> unproven;
    if (slices.empty()) return unproven;
    const ScoreRange range(model);
    const ModelBuffers tables = upload(DeviceModel(model));
    for (const Slice& slice : slices) {
      accept(range, slice.packed, score_slice(tables, slice), scores, unproven);
    }
    return unproven;
  }

  ModelBuffers upload(const DeviceModel& model) const {
    ModelBuffers tables;
    tables.parameters = queue_.upload(model.parameters);
    tables.emission = queue_.upload(model.emission);
    std::copy(model.specials.begin(), model.specials.end(), tables.specials.s);
    tables.nodes = static_cast<cl_int>(model.emission.size() / 32);
    return tables;
  }

  // Scores of all slots of a slice, in smaller launches when memory runs out.
  std::vector<std::int32_t> score_slice(const ModelBuffers& tables, const Slice& slice) {
    const std::size_t group_border =
        std::size_t{4} * sizeof(cl_int) * static_cast<std::size_t>(tables.nodes) * variant_.width();
    const SliceBuffers buffers = slice.resident ? *slice.resident : send(slice.packed);
    for (;;) {
      std::size_t groups = std::max<std::size_t>(1, border_limit_ / group_border);
      groups = std::min(groups, slice.packed.groups());
      if (variant_.launch_groups > 0) groups = std::min(groups, variant_.launch_groups);
      try {
        return launch(tables, slice, buffers, groups, border_.at_least(device_, groups * group_border));
      } catch (const EngineFailure& failure) {
        if (!failure.out_of_memory() || groups == 1) throw;
        border_.release();
        border_limit_ = groups / 2 * group_border;
      }
    }
  }

  std::vector<std::int32_t> launch(const ModelBuffers& tables, const Slice& slice,
                                   const SliceBuffers& buffers, std::size_t groups,
                                   const cl::Buffer& border) {
    std::vector<std::int32_t> scores(slice.packed.lengths.size());
    const cl::Buffer score_buffer = device_.buffer<std::int32_t>(scores.size(), CL_MEM_WRITE_ONLY);
    ++launches_;
    if (options_.launch_status) {
      const int status = options_.launch_status(launches_);
      device_.guarded([&] {
        if (status != CL_SUCCESS) throw cl::Error(status, "clEnqueueNDRangeKernel");
      });
    }
    queue_.launch(kernel_, {groups * variant_.work_group, variant_.work_group}, buffers.residues,
                  buffers.starts, buffers.lengths, static_cast<cl_uint>(slice.packed.groups()),
                  tables.parameters, tables.emission, tables.nodes, tables.specials, border, score_buffer);
    queue_.read(score_buffer, scores.data(), scores.size());
    return scores;
  }

  // Writes the scores that are proven, and lists the sequences of the others.
  static void accept(const ScoreRange& range, const PackedSlice& slice, std::span<const std::int32_t> slots,
                     std::span<std::int32_t> scores, std::vector<std::size_t>& unproven) {
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
      const std::size_t i = slice.sequences[slot];
      if (i == PackedSlice::kNoSequence) continue;
      switch (range.judge(static_cast<std::size_t>(slice.lengths[slot]), slots[slot])) {
        case ScoreRange::Verdict::Exact:
          scores[i] = slots[slot];
          break;
        case ScoreRange::Verdict::NoPath:
          scores[i] = kMinusInfinity;
          break;
        case ScoreRange::Verdict::Unknown:
          unproven.push_back(i);
          break;
      }
    }
  }

  OpenClOptions options_;
  OpenDevice device_;
  Queue queue_;
  KernelVariant variant_;
  cl::Kernel kernel_;
  GrowingBuffer border_;  // shared by all launches
  std::size_t border_limit_ = 0;
  // Bytes that may still be kept on the device. Shared with slices, which may outlive the engine.
  std::shared_ptr<std::size_t> resident_left_ = std::make_shared<std::size_t>(0);
  std::size_t slice_bytes_ = 0;
  std::size_t launches_ = 0;
};

}  // namespace

std::unique_ptr<ScoreEngine> make_opencl_engine(const DeviceInfo& device, OpenClOptions options) {
  return std::make_unique<OpenClEngine>(device, std::move(options));
}

}  // namespace gpuhmm
