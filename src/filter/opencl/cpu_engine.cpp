// Chooses striped kernels for a model, and passes the sequences that they leave undecided to slower ones.
#include "filter/opencl/cpu_engine.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include "filter/opencl/striped_batch.hpp"
#include "filter/opencl/striped_kernels.hpp"
#include "filter/sequence_set.hpp"
#include "filter/simd/glocal_bound.hpp"
#include "filter/simd/glocal_form.hpp"
#include "opencl/queue.hpp"
#include "plan7/single_hit_model.hpp"

namespace gpuhmm {

namespace {

using simd::LazyFRule;
using simd::LevelledModel;
using simd::Packing;
using simd::StripedShape;

// Bytes; where a sequence starts in a slice is a 32-bit number.
constexpr std::size_t kLargestSlice = std::size_t{1} << 31;
// Batches of at least this many sequences get a trial for the lazy-F rule.
constexpr std::size_t kTrialBatch = 64;
// The trial chooses LazyFRule::Always if lazy-F matters in more than one of this many rows.
constexpr std::size_t kFollowedRows = 5;

// Scores of one model for a batch, and which of them are decided.
struct Task {
  const ScoreModel& model;
  const SingleHitModel& single;
  StripedBatch& batch;
  std::span<std::int32_t> scores;
  std::vector<std::uint8_t>& decided;  // by sequence
};

class CpuEngine : public ScoreEngine {
 public:
  CpuEngine(const DeviceInfo& device, CpuEngineOptions options)
      : options_(std::move(options)),
        device_(device),
        queue_(device_, Timing::Off),
        variant_(options_.variant.value_or(choose_striped_variant(device))),
        kernels_(queue_, variant_),
        slice_bytes_(std::min<std::size_t>(device.max_allocation, kLargestSlice)) {
    if (options_.slice_bytes > 0) slice_bytes_ = std::min(slice_bytes_, options_.slice_bytes);
  }

  std::string description() const override { return device_.description(); }

  bool verified() const override { return true; }

  std::size_t preferred_batch() const override { return std::size_t{32} << 20; }

  std::optional<DeviceCosts> device_costs() const override { return device_.costs(description()); }

  void count_into(WorkMeter* meter) override { meter_ = meter; }

  double expected_speed() const override { return expected_cpu_speed(device_.info()); }

  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& batch) override {
    return std::make_unique<StripedBatch>(batch, queue_, slice_bytes_);
  }

  void score(const ScoreModel& model, PreparedBatch& prepared, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    auto& batch = dynamic_cast<StripedBatch&>(prepared);
    std::vector<std::uint8_t> decided(batch.sequences().size(), 0);
    const std::optional<SingleHitModel> single = reduce_to_single_hit(model);
    if (single) score_single_hit({model, *single, batch, scores, decided}, threshold);
    score_multihit(model, single, batch, scores, decided);
    std::vector<std::size_t> open;
    std::ranges::copy_if(batch.order(), std::back_inserter(open), [&](std::size_t i) { return !decided[i]; });
    score_generally(model, batch.sequences(), open, scores);
  }

 private:
  void score_single_hit(const Task& task, std::optional<std::int32_t> threshold) {
    if (threshold && sweep_all<std::int16_t>(task, StripedSweep::GlocalBound, [&](const StripedShape& shape) {
          return simd::stripe_glocal_bound(task.model, task.single, *threshold, shape);
        })) {
      return;
    }
    if (sweep_single_hit<std::int16_t>(task, [&](LazyFRule rule, const StripedShape& shape) {
          return simd::stripe_exact16(task.model, task.single, rule, shape, simd::useful_mark(task.single));
        })) {
      return;
    }
    sweep_single_hit<std::int32_t>(task, [&](LazyFRule rule, const StripedShape& shape) {
      return std::optional(simd::stripe_exact32(task.model, task.single, rule, shape));
    });
  }

  // False if make(rule, shape) gives no model.
  template <class T, class Make>
  bool sweep_single_hit(const Task& task, const Make& make) {
    const std::optional<LazyFRule> rule = lazy_f_rule<T>(task, make);
    if (!rule) return false;
    return sweep_all<T>(task, sweep_of(*rule), [&](const StripedShape& shape) { return make(*rule, shape); });
  }

  // Whether lazy-F matters in so many rows that it is cheaper to apply it always than to test for it: tried
  // on a group of sequences of middle length. Nothing if `make` gives no model.
  template <class T, class Make>
  std::optional<LazyFRule> lazy_f_rule(const Task& task, const Make& make) {
    const std::vector<std::size_t>& order = task.batch.order();
    if (order.size() < kTrialBatch || task.batch.slices().empty()) {
      return simd::is_glocal(task.model, task.single) ? LazyFRule::Always : LazyFRule::WhenUseful;
    }
    const Packing packing = packing_of<T>(task.model);
    const std::optional<LevelledModel<T>> model =
        make(LazyFRule::WhenUseful, kernels_.shape<T>(task.model.nodes, packing));
    if (!model) return std::nullopt;
    const StripedSlice& slice = task.batch.slices().front();
    std::vector<cl_uint> group;
    for (std::size_t i = 0; i < std::min(striped_group_size(packing), slice.size()); ++i) {
      group.push_back(static_cast<cl_uint>(slice.size() / 2 + i));
    }
    std::vector<T> best(slice.size());
    const std::size_t followed =
        kernels_.run(kernels_.upload(StripedSweep::SingleHit, packing, model->striped), slice,
                     make_striped_groups(queue_, group, packing), best);
    const std::size_t rows = kStripedVectors * task.batch.sequences().length(order[slice.first + group[0]]);
    return followed * kFollowedRows > rows ? LazyFRule::Always : LazyFRule::WhenUseful;
  }

  // Parameters for the sequences of one packing, on the host and on the device.
  template <class T>
  struct Part {
    Packing packing;
    LevelledModel<T> levelled;
    StripedKernels::Model uploaded;
  };

  // Scores all sequences with parameters from make(shape), and records the scores that these prove. False if
  // make gives none.
  template <class T, class Make>
  bool sweep_all(const Task& task, StripedSweep sweep, const Make& make) {
    const bool chunks = packing_of<T>(task.model) == Packing::Chunks;
    const auto groups_of = [chunks](const StripedSlice& slice, Packing packing) -> const StripedGroups& {
      if (packing == Packing::Chunks) return slice.even_chunks;
      return chunks ? slice.uneven_whole : slice.all_whole;
    };
    std::vector<Part<T>> parts;
    for (const Packing packing : {Packing::Chunks, Packing::Whole}) {
      if (packing == Packing::Chunks && !chunks) continue;
      if (std::ranges::all_of(task.batch.slices(), [&](const StripedSlice& slice) {
            return groups_of(slice, packing).places.empty();
          })) {
        continue;
      }
      std::optional<LevelledModel<T>> levelled = make(kernels_.shape<T>(task.model.nodes, packing));
      if (!levelled) return false;
      StripedKernels::Model uploaded = kernels_.upload(sweep, packing, levelled->striped);
      parts.push_back({packing, std::move(*levelled), std::move(uploaded)});
    }
    for (const StripedSlice& slice : task.batch.slices()) {
      for (const Part<T>& part : parts) {
        const StripedGroups& groups = groups_of(slice, part.packing);
        std::vector<T> best(slice.size());
        kernels_.run(part.uploaded, slice, groups, best);
        std::size_t residues = 0;
        for (const cl_uint place : groups.places) {
          const std::size_t i = task.batch.order()[slice.first + place];
          record(task, i, part.levelled, best[place]);
          residues += task.batch.sequences().length(i);
        }
        if (meter_ != nullptr) meter_->add_work(static_cast<std::int64_t>(residues) * task.model.nodes);
      }
    }
    return true;
  }

  // Writes the score of sequence i, whose largest M~ is `best`, if the parameters prove it.
  template <class T>
  static void record(const Task& task, std::size_t i, const LevelledModel<T>& levelled, T best) {
    if (best > levelled.mark) return;
    const std::optional<std::int32_t> score =
        task.single.score(levelled.score(best), task.batch.sequences().length(i));
    if (!score) return;
    task.scores[i] = *score;
    task.decided[i] = 1;
  }

  // Scores the sequences that are still undecided by the full recurrence.
  void score_multihit(const ScoreModel& model, const std::optional<SingleHitModel>& single,
                      const StripedBatch& batch, std::span<std::int32_t> scores,
                      std::vector<std::uint8_t>& decided) {
    if (std::ranges::all_of(batch.order(), [&](std::size_t i) { return decided[i]; })) return;
    const simd::MultihitModel multihit =
        simd::stripe_multihit(model, single, variant_.vector_bytes / sizeof(std::int32_t));
    const StripedKernels::Model uploaded = kernels_.upload(multihit);
    for (const StripedSlice& slice : batch.slices()) {
      std::vector<cl_uint> places;
      for (const cl_uint place : slice.all_whole.places) {
        const std::size_t i = batch.order()[slice.first + place];
        if (!decided[i] && multihit.fits(batch.sequences().length(i))) places.push_back(place);
      }
      const StripedGroups groups = make_striped_groups(queue_, std::move(places), Packing::Whole);
      std::vector<std::int32_t> results(slice.size());
      kernels_.run(uploaded, slice, groups, results);
      for (const cl_uint place : groups.places) {
        const std::size_t i = batch.order()[slice.first + place];
        decided[i] = results[place] > multihit.exact_above(batch.sequences().length(i));
        if (decided[i]) scores[i] = results[place];
      }
    }
  }

  // Scores the sequences `open` exactly by the general engine.
  void score_generally(const ScoreModel& model, const SequenceSet& batch,
                       const std::vector<std::size_t>& open, std::span<std::int32_t> scores) {
    if (open.empty()) return;
    if (!general_) {
      general_ = options_.make_general_engine
                     ? options_.make_general_engine()
                     : make_reference_engine(std::max(1U, std::thread::hardware_concurrency()));
    }
    std::vector<std::int32_t> exact(open.size());
    general_->score(model, *general_->prepare(batch.subset(open)), std::nullopt, exact);
    for (std::size_t i = 0; i < open.size(); ++i) scores[open[i]] = exact[i];
  }

  // The faster packing for sequences of similar length.
  template <class T>
  Packing packing_of(const ScoreModel& model) const {
    const std::size_t row = static_cast<std::size_t>(model.nodes) * sizeof(T);
    const bool whole = variant_.vector_bytes <= 16 ||
                       (row >= variant_.smallest_whole_row && row <= variant_.largest_whole_row);
    return whole ? Packing::Whole : Packing::Chunks;
  }

  CpuEngineOptions options_;
  OpenDevice device_;
  Queue queue_;
  StripedVariant variant_;
  StripedKernels kernels_;
  std::size_t slice_bytes_;
  std::unique_ptr<ScoreEngine> general_;
  WorkMeter* meter_ = nullptr;
};

}  // namespace

std::unique_ptr<ScoreEngine> make_cpu_engine(const DeviceInfo& device, CpuEngineOptions options) {
  return std::make_unique<CpuEngine>(device, std::move(options));
}

}  // namespace gpuhmm
