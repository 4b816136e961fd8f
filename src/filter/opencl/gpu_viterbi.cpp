// Chooses the kernels for a model, and decides which of their scores are proven.
#include "filter/opencl/gpu_viterbi.hpp"

#include <algorithm>
#include <future>
#include <limits>
#include <ranges>
#include <utility>

#include "filter/opencl/gpu_bound_model.hpp"
#include "filter/opencl/gpu_model.hpp"
#include "filter/opencl/gpu_shapes.hpp"

namespace gpuhmm {

namespace {

constexpr std::int32_t kNoMark = std::numeric_limits<std::int32_t>::max();
// A listed sequence takes about as long as kListedCost sequences in the tiled kernel: if more than kFew
// sequences pass the bound and listing them would take longer, all sequences are scored exactly.
constexpr std::size_t kListedCost = 6;
constexpr std::size_t kFew = 1000;
// Where bounds suffice, the caller gets up to one sequence in so many that its bound has not decided, or
// kFew, with a score above all others: several domains may bring it above the bound, which is that of one.
constexpr std::size_t kLeftToCaller = 32;
constexpr std::int32_t kNoBound = 1'000'000'000;
// For fewer sequences even a weak bound is tried: it costs little.
constexpr std::size_t kMany = 20'000;

// So many values and some more, as the next batch may be a little larger.
constexpr std::size_t with_room(std::size_t count) { return count + count / 16; }

// Scores one model on one batch.
class Scoring {
 public:
  Scoring(const ScoreModel& score_model, const GpuBatch& batch, std::span<std::int32_t> scores,
          std::int32_t enough, GpuStream& stream, GpuModelPairs& model_pairs)
      : score_model_(score_model),
        model_(score_model),
        batch_(batch),
        scores_(scores),
        enough_(enough),
        stream_(stream),
        model_pairs_(model_pairs) {}

  GpuScoring run(std::optional<std::int32_t> threshold, bool bounds_suffice) {
    if (!threshold || !score_by_bound(*threshold)) {
      score_exactly();
    } else if (bounds_suffice) {
      leave_to_caller();
    }
    score_again();
    return std::move(result_);
  }

 private:
  bool is_short(std::uint32_t i) const { return batch_.layout.place(i) != GpuLayout::kNowhere; }

  // False if the bound lets so many sequences pass that it is of no use.
  bool score_by_bound(std::int32_t threshold) {
    GpuModelPairs::Coming coming(model_pairs_);
    // Above the J mark a bound of the single-hit score is no bound of the score.
    const bool no_j = model_.j_mark == kNoMark;
    const GpuBoundModel bound(score_model_,
                              no_j ? threshold : std::min(threshold, model_.score(model_.j_mark, 0)));
    if (bound.weak && batch_.short_sequences >= kMany) return false;
    const GpuStream::Best found = stream_.run_bounds(model_, bound, batch_, coming, result_.times);
    for (std::uint32_t i = 0; i < scores_.size(); ++i) {
      const std::size_t length = batch_.layout.length(i);
      if (length == 0) continue;
      if (!is_short(i) && !(found.long_bounds && found.long_done)) {
        take_exact(i, found);
      } else if (found.best[i] == kGpuOverflown) {
        again_.push_back(i);
      } else {
        scores_[i] = bound.score(found.best[i], length);
        const bool single_hit = no_j || scores_[i] <= model_.score(model_.j_mark, length);
        if (scores_[i] >= threshold || !single_hit) again_.push_back(i);
      }
    }
    result_.scored_again = again_.size();
    return again_.size() <= kFew || again_.size() * kListedCost <= batch_.short_sequences;
  }

  // Gives short sequences that bounds do not decide a score at or above the threshold, if they are few.
  void leave_to_caller() {
    if (again_.size() > std::max(kFew, scores_.size() / kLeftToCaller)) return;
    std::erase_if(again_, [&](std::uint32_t i) {
      if (is_short(i)) scores_[i] = kNoBound;
      return is_short(i);
    });
    result_.scored_again = again_.size();
  }

  void score_exactly() {
    again_.clear();
    result_.unproven.clear();
    const GpuStream::Best found = stream_.run(model_, batch_, result_.times);
    for (std::uint32_t i = 0; i < scores_.size(); ++i) {
      if (batch_.layout.length(i) > 0) take_exact(i, found);
    }
  }

  // Takes the score of a sequence from an exact single-hit kernel, if the score is proven. J can only raise
  // it.
  void take_exact(std::uint32_t i, const GpuStream::Best& found) {
    const std::size_t length = batch_.layout.length(i);
    scores_[i] = model_.score(found.best[i], length);
    if (!is_short(i) && !found.long_done) {
      result_.unproven.push_back(i);
    } else if (found.best[i] > model_.j_mark) {
      if (scores_[i] < enough_ || !model_.proven(found.best[i], length)) again_.push_back(i);
    } else if (!model_.proven(found.best[i], length)) {
      result_.unproven.push_back(i);
    }
  }

  // Scores the sequences that the first pass left undecided by the exact multihit kernel.
  void score_again() {
    const std::vector<std::uint32_t>& lengths = batch_.layout.by_length->lengths;
    std::ranges::stable_sort(again_, std::ranges::greater(), [&](std::uint32_t i) { return lengths[i]; });
    const std::vector<std::int32_t> listed = stream_.run_listed(model_, batch_, again_, result_.times);
    for (std::size_t a = 0; a < again_.size(); ++a) {
      const std::uint32_t i = again_[a];
      scores_[i] = model_.score(listed[a], lengths[i]);
      if (!model_.proven_multihit(listed[a], lengths[i])) result_.unproven.push_back(i);
    }
  }

  const ScoreModel& score_model_;
  GpuModel model_;
  const GpuBatch& batch_;
  std::span<std::int32_t> scores_;
  std::int32_t enough_;
  GpuStream& stream_;
  GpuModelPairs& model_pairs_;
  GpuScoring result_;
  std::vector<std::uint32_t> again_;
};

}  // namespace

// Memory of batches that have ended, for those to come.
class GpuViterbi::Spare {
 public:
  std::shared_ptr<GpuBatchMemory> take() {
    const std::lock_guard lock(mutex_);
    if (kept_.empty()) return std::make_shared<GpuBatchMemory>();
    std::shared_ptr<GpuBatchMemory> memory = std::move(kept_.back());
    kept_.pop_back();
    return memory;
  }
  void give_back(std::shared_ptr<GpuBatchMemory> memory) {
    const std::lock_guard lock(mutex_);
    kept_.push_back(std::move(memory));
  }
  void release() {
    const std::lock_guard lock(mutex_);
    kept_.clear();
  }

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<GpuBatchMemory>> kept_;
};

// A free stream, held during one call; waits until there is one.
class GpuViterbi::Borrowed {
 public:
  explicit Borrowed(GpuViterbi& owner) : owner_(owner) {
    std::unique_lock lock(owner_.mutex_);
    owner_.stream_free_.wait(lock, [&] { return !owner_.free_streams_.empty(); });
    stream_ = owner_.free_streams_.back();
    owner_.free_streams_.pop_back();
  }
  ~Borrowed() {
    const std::lock_guard lock(owner_.mutex_);
    owner_.free_streams_.push_back(stream_);
    owner_.stream_free_.notify_one();
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;

  GpuStream& stream() const { return *stream_; }

 private:
  GpuViterbi& owner_;
  GpuStream* stream_;
};

GpuViterbi::GpuViterbi(const OpenDevice& device, const GpuVariant& variant)
    : device_(device),
      variant_(variant),
      programs_(device, variant),
      model_pairs_(variant_),
      spare_(std::make_shared<Spare>()) {
  std::vector<Queue> long_queues;
  for (unsigned n = 0; n < std::min(variant_.models_at_once, variant_.long_queues); ++n) {
    long_queues.emplace_back(device_);
  }
  for (unsigned n = 0; n < variant_.models_at_once; ++n) {
    streams_.push_back(
        std::make_unique<GpuStream>(long_queues[n % long_queues.size()], variant_, programs_, model_pairs_));
    free_streams_.push_back(streams_.back().get());
  }
}

// The memory from which the first batch was copied then takes the results of the streams.
std::shared_ptr<const GpuBatch> GpuViterbi::prepare(const SequenceSet& sequences, unsigned threads) {
  std::shared_ptr<GpuBatchMemory> memory = spare_->take();
  memory->staging.begin(device_, sequences.residue_count() / 4, threads);
  std::future<void> taken;
  const bool first = !prepared_.exchange(true);
  if (first) taken = std::async(std::launch::async, [&] { take_memory(with_room(sequences.size())); });
  const auto* const batch = new GpuBatch(sequences, variant_, threads, device_, *memory);
  std::shared_ptr<const GpuBatch> prepared(batch, [memory, spare = spare_](const GpuBatch* ended) {
    delete ended;
    spare->give_back(memory);
  });
  if (first) {
    lend_results(memory->staging.take_memory(), with_room(sequences.size()),
                 with_room(batch->layout.long_sequences.size()));
  }
  return prepared;
}

// Of streams: all are free when the first batch comes.
void GpuViterbi::take_memory(std::size_t sequences) {
  const std::lock_guard lock(mutex_);
  try {
    for (GpuStream* stream : free_streams_) stream->take_memory(sequences, edge_bytes_);
  } catch (const EngineFailure&) {  // a stream that needs the memory will meet it again
  }
}

void GpuViterbi::lend_results(PinnedArray<cl_uint> memory, std::size_t sequences,
                              std::size_t long_sequences) {
  const std::lock_guard lock(mutex_);
  const std::size_t each = sequences + long_sequences;
  if (results_.size() > 0 || memory.size() < each) return;
  results_ = std::move(memory);
  std::span<cl_int> left(reinterpret_cast<cl_int*>(results_.data()), results_.size());
  for (GpuStream* stream : std::views::reverse(free_streams_)) {  // in the order in which they are borrowed
    if (left.size() < each) break;
    stream->lend_results(left.first(sequences), left.subspan(sequences, long_sequences));
    left = left.subspan(each);
  }
}

bool GpuViterbi::supports(const ScoreModel& model) const { return fits_gpu_kernels(model); }

void GpuViterbi::expect(const ScoreModel& model, bool with_threshold) {
  if (!supports(model)) return;
  const bool bounded = with_threshold && !GpuBoundModel(model, 0).weak;
  const std::size_t bytes = GpuStream::edge_bytes(GpuModel(model).pairs, bounded && !variant_.two_models);
  const std::lock_guard lock(mutex_);
  edge_bytes_ = std::max(edge_bytes_, bytes);
}

void GpuViterbi::build_programs(const ScoreModel& score_model, bool with_threshold) const {
  if (!supports(score_model)) return;
  const GpuModel model(score_model);
  const bool bounded = with_threshold && !GpuBoundModel(score_model, 0).weak;
  const bool long_bounds = bounded && bounds_long_sequences(variant_, model.pairs);
  if (const std::optional<GpuLongTables> tables = long_tables(variant_, model, long_bounds)) {
    long_bounds ? programs_.long_packed(tables->shape)
                : programs_.long_sequences(model.half_words, tables->shape);
  }
  if (bounded) {
    for (const GpuModels models : {GpuModels::One, GpuModels::Two}) {
      if (models == GpuModels::Two && !variant_.two_models) break;
      const GpuPackedShape shape = packed_shape(variant_, models, model.pairs);
      programs_.packed(models, shape.strips.tables, shape.group);
    }
  } else {
    programs_.tiled(model.half_words);
  }
  programs_.listed(model.half_words, GpuItemMemory(model, variant_.local_bytes).emissions_local);
}

GpuScoring GpuViterbi::score(const ScoreModel& model, const GpuBatch& batch,
                             std::optional<std::int32_t> threshold, std::span<std::int32_t> scores,
                             bool bounds_suffice, std::int32_t enough) {
  if (scores.empty()) return {};
  const Borrowed borrowed(*this);
  GpuScoring result =
      Scoring(model, batch, scores, enough, borrowed.stream(), model_pairs_).run(threshold, bounds_suffice);
  add_busy(result.times);
  return result;
}

// Calls arrive approximately in the order in which their kernels started on the device.
void GpuViterbi::add_busy(const GpuTimes& times) {
  const std::lock_guard lock(mutex_);
  busy_ += std::max(0.0, times.last - std::max(times.first, busy_until_));
  busy_until_ = std::max(busy_until_, times.last);
}

double GpuViterbi::busy_seconds() const {
  const std::lock_guard lock(mutex_);
  return busy_;
}

void GpuViterbi::release_memory() {
  spare_->release();
  for (const auto& stream : streams_) stream->release_memory();
}

}  // namespace gpuhmm
