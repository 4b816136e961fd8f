// Batches on a GPU, cut to what fits; see the header.
#include "filter/opencl/gpu_engine.hpp"

#include <algorithm>
#include <list>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "filter/opencl/gpu_viterbi.hpp"
#include "opencl/error.hpp"
#include "opencl/kernel_sources.hpp"
#include "opencl/session.hpp"

namespace gpuhmm {

namespace {

// Consecutive sequences of a batch. The first slice of a batch is the batch itself; pieces own copies.
struct Slice {
  const SequenceBatch* sequences;
  std::unique_ptr<SequenceBatch> owned;
  std::size_t first = 0;  // place of its first sequence in the batch
  std::unique_ptr<GpuBatch> resident;
};

struct GpuPrepared : PreparedBatch {
  explicit GpuPrepared(const SequenceBatch& sequence_batch) : batch(sequence_batch) {
    slices.push_back({&batch, nullptr, 0, nullptr});
  }
  const SequenceBatch& batch;
  std::list<Slice> slices;
  bool stays = true;                       // slices stay on the device between models
  std::unique_ptr<PreparedBatch> general;  // for models that the fast kernels do not take
};

Slice piece_of(const Slice& slice, std::size_t from, std::size_t to) {
  auto sequences = std::make_unique<SequenceBatch>();
  for (std::size_t i = from; i < to; ++i) {
    sequences->begin_sequence("", "", "");
    sequences->append_residues(slice.sequences->residues(i));
  }
  const SequenceBatch* view = sequences.get();
  return {view, std::move(sequences), slice.first + from, nullptr};
}

class GpuEngine : public ScoreEngine {
 public:
  GpuEngine(const DeviceInfo& device, GpuEngineOptions options)
      : options_(std::move(options)),
        session_(device),
        viterbi_(session_.context(), session_.context().getInfo<CL_CONTEXT_DEVICES>().front(),
                 options_.variant.value_or(choose_gpu_variant(device)), kernel_sources()) {
    if (options_.host_threads == 0) options_.host_threads = std::max(1U, std::thread::hardware_concurrency());
    if (!options_.host_engine) options_.host_engine = make_reference_engine(options_.host_threads);
  }

  std::string description() const override {
    return "OpenCL, " + session_.info().name + " (" + session_.info().platform + ")";
  }

  bool verified() const override { return true; }

  std::unique_ptr<PreparedBatch> prepare(const SequenceBatch& batch) override {
    return std::make_unique<GpuPrepared>(batch);
  }

  void score(const ScoreModel& model, PreparedBatch& prepared, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    auto& batch = dynamic_cast<GpuPrepared&>(prepared);
    if (batch.batch.residue_count() == 0) return;
    if (!viterbi_.supports(model)) {
      score_generally(model, batch, threshold, scores);
      return;
    }
    std::vector<std::size_t> unproven;
    for (auto slice = batch.slices.begin(); slice != batch.slices.end();) {
      if (score_slice(model, batch, *slice, threshold, scores, unproven)) {
        ++slice;
      } else {
        slice = halve(batch, slice);
      }
    }
    score_on_host(model, batch.batch, unproven, scores);
  }

 private:
  // False if the device has not enough memory for the slice.
  bool score_slice(const ScoreModel& model, GpuPrepared& batch, Slice& slice,
                   std::optional<std::int32_t> threshold, std::span<std::int32_t> scores,
                   std::vector<std::size_t>& unproven) {
    const std::size_t count = slice.sequences->size();
    try {
      if (!slice.resident) {
        if (options_.out_of_memory && options_.out_of_memory(slice.sequences->residue_count())) return false;
        slice.resident = viterbi_.prepare(*slice.sequences, options_.host_threads);
      }
      for (const std::uint32_t i :
           viterbi_.score(model, *slice.resident, threshold, scores.subspan(slice.first, count))) {
        unproven.push_back(slice.first + i);
      }
    } catch (const OpenClError& error) {
      if (is_out_of_memory(error.code()) && count > 1) return false;
      throw EngineFailure(error.what());
    }
    if (!batch.stays) slice.resident.reset();
    return true;
  }

  // Puts the halves of a slice, by residues, in its place, and empties the device for what comes.
  std::list<Slice>::iterator halve(GpuPrepared& batch, std::list<Slice>::iterator slice) {
    const SequenceBatch& sequences = *slice->sequences;
    if (sequences.size() < 2)
      throw EngineFailure(description() + ": not enough device memory for one sequence");
    batch.stays = false;
    for (Slice& other : batch.slices) other.resident.reset();
    std::size_t middle = 0;
    for (std::size_t residues = 0; middle + 1 < sequences.size() && residues < sequences.residue_count() / 2;
         ++middle) {
      residues += sequences.length(middle);
    }
    middle = std::max<std::size_t>(middle, 1);
    const auto second = batch.slices.insert(std::next(slice), piece_of(*slice, middle, sequences.size()));
    const auto first = batch.slices.insert(second, piece_of(*slice, 0, middle));
    batch.slices.erase(slice);
    return first;
  }

  void score_on_host(const ScoreModel& model, const SequenceBatch& batch, std::span<const std::size_t> places,
                     std::span<std::int32_t> scores) {
    if (places.empty()) return;
    SequenceBatch sequences;
    for (const std::size_t i : places) {
      sequences.begin_sequence("", "", "");
      sequences.append_residues(batch.residues(i));
    }
    std::vector<std::int32_t> exact(places.size());
    const std::unique_ptr<PreparedBatch> prepared = options_.host_engine->prepare(sequences);
    options_.host_engine->score(model, *prepared, std::nullopt, exact);
    for (std::size_t i = 0; i < places.size(); ++i) scores[places[i]] = exact[i];
  }

  void score_generally(const ScoreModel& model, GpuPrepared& batch, std::optional<std::int32_t> threshold,
                       std::span<std::int32_t> scores) {
    if (!general_ && options_.make_general_engine) general_ = options_.make_general_engine();
    ScoreEngine& engine = general_ ? *general_ : *options_.host_engine;
    if (!batch.general) batch.general = engine.prepare(batch.batch);
    engine.score(model, *batch.general, threshold, scores);
  }

  GpuEngineOptions options_;
  Session session_;
  GpuViterbi viterbi_;
  std::unique_ptr<ScoreEngine> general_;
};

}  // namespace

std::unique_ptr<ScoreEngine> make_gpu_engine(const DeviceInfo& device, GpuEngineOptions options) {
  try {
    return std::make_unique<GpuEngine>(device, std::move(options));
  } catch (const OpenClError& error) {
    throw EngineFailure(error.what());
  }
}

}  // namespace gpuhmm
