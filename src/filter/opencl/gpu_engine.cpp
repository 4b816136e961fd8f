// The engine for GPUs: keeps batches on the device, in pieces if they do not fit its memory.
#include "filter/opencl/gpu_engine.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <list>
#include <mutex>
#include <numeric>
#include <shared_mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "filter/opencl/gpu_viterbi.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

namespace {

struct GpuPrepared : PreparedBatch {
  explicit GpuPrepared(SequenceSet set) : sequences(std::move(set)) {}

  SequenceSet sequences;
  std::shared_ptr<const GpuBatch> resident;    // all sequences; null if they do not fit
  std::list<std::vector<std::size_t>> pieces;  // if they do not fit: indices that go to the device together
  std::unique_ptr<PreparedBatch> general;      // for models that the fast kernels do not support
};

class GpuEngine : public ScoreEngine {
 public:
  GpuEngine(const DeviceInfo& device, GpuEngineOptions options)
      : options_(std::move(options)),
        variant_(options_.variant.value_or(choose_gpu_variant(device))),
        device_(device),
        viterbi_(device_, variant_) {
    if (options_.host_threads == 0) options_.host_threads = std::max(1U, std::thread::hardware_concurrency());
    if (!options_.host_engine) options_.host_engine = make_reference_engine(options_.host_threads);
    times_.start = seconds_now() - made_;
  }
  ~GpuEngine() override { wait_for_begin(); }

  std::string description() const override { return device_.description(); }

  bool verified() const override { return true; }

  unsigned concurrency() const override { return variant_.models_at_once; }

  bool pairs_models() const override { return variant_.two_models; }

  double expected_speed() const override { return variant_.expected_speed; }

  void count_into(WorkMeter* meter) override { meter_ = meter; }

  EngineTimes times() const override {
    const std::lock_guard lock(times_mutex_);
    EngineTimes times = times_;
    times.kernels = viterbi_.busy_seconds();
    times.scored_again = scored_again_;
    return times;
  }

  std::optional<DeviceCosts> device_costs() const override { return device_.costs(description()); }

  const OpenDevice* aligning_device() const override {
    return device_.info().type == DeviceType::Gpu ? &device_ : nullptr;
  }

  void expect(std::span<const ScoreModel* const> models, bool with_threshold) override {
    wait_for_begin();
    for (const ScoreModel* model : models) viterbi_.expect(*model, with_threshold);
    for (const ScoreModel* model : models) viterbi_.build_programs(*model, with_threshold);
  }

  // Batches take a byte a residue and a little more; streams take up to half of the memory.
  bool prepares_ahead(std::size_t residues) const override {
    constexpr std::uint64_t kMemories = 16;
    return kMemories * residues <= device_.info().memory;
  }

  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& sequences) override {
    if (first_.valid()) {
      std::unique_ptr<GpuPrepared> batch = first_.get();
      if (batch->sequences == sequences) return batch;
    }
    return prepared(sequences);
  }

  std::shared_future<void> begin(const SequenceSet& sequences, std::span<const ScoreModel* const> models,
                                 bool with_threshold) override {
    std::promise<std::unique_ptr<GpuPrepared>> promise;
    first_ = promise.get_future();
    begun_ = std::async(std::launch::async, [this, own = std::move(promise), sequences, with_threshold,
                                             models = std::vector(models.begin(), models.end())]() mutable {
      auto first = std::move(own);  // a batch that nobody takes ends with the engine, not with the result
      try {
        for (const ScoreModel* model : models) viterbi_.expect(*model, with_threshold);
        const std::future<void> building = std::async(std::launch::async, [&] {
          for (const ScoreModel* model : models) viterbi_.build_programs(*model, with_threshold);
        });
        first.set_value(prepared(sequences));
      } catch (...) {
        first.set_exception(std::current_exception());
      }
    });
    return begun_;
  }

  void score(const ScoreModel& model, PreparedBatch& prepared, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    score_batch(model, prepared, {threshold, false, EnginePool::kNeverEnough}, scores);
  }

  void score_up_to(const ScoreModel& model, PreparedBatch& prepared, std::optional<std::int32_t> threshold,
                   std::int32_t enough, std::span<std::int32_t> scores) override {
    score_batch(model, prepared, {threshold, false, enough}, scores);
  }

  void score_bounds(const ScoreModel& model, PreparedBatch& prepared, std::int32_t threshold,
                    std::int32_t enough, std::span<std::int32_t> scores) override {
    score_batch(model, prepared, {threshold, true, enough}, scores);
  }

 private:
  // What GpuViterbi::score is asked for.
  struct Wanted {
    std::optional<std::int32_t> threshold;
    bool bounds_suffice;
    std::int32_t enough;
  };

  void score_batch(const ScoreModel& model, PreparedBatch& prepared, const Wanted& wanted,
                   std::span<std::int32_t> scores) {
    auto& batch = dynamic_cast<GpuPrepared&>(prepared);
    if (batch.sequences.residue_count() == 0) return;
    if (!viterbi_.supports(model)) {
      score_generally(model, batch, wanted.threshold, scores);
      return;
    }
    std::optional<std::vector<std::size_t>> unproven = score_resident(model, batch, wanted, scores);
    if (!unproven) unproven = score_in_pieces(model, batch, wanted.threshold, scores);
    score_on_host(model, batch.sequences, *unproven, scores);
  }

  // The thread uses this engine and the models, and others may hold its result longer than these exist.
  void wait_for_begin() const {
    if (begun_.valid()) begun_.wait();
  }

  std::unique_ptr<GpuPrepared> prepared(const SequenceSet& sequences) {
    auto batch = std::make_unique<GpuPrepared>(sequences);
    if (sequences.residue_count() > 0) batch->resident = send(sequences);
    return batch;
  }

  // The sequences on the device, or null if they do not fit.
  std::shared_ptr<const GpuBatch> send(const SequenceSet& sequences) {
    return if_it_fits(sequences.size(), [&]() -> std::shared_ptr<const GpuBatch> {
      if (options_.out_of_memory && options_.out_of_memory(sequences.residue_count())) return nullptr;
      auto batch = viterbi_.prepare(sequences, options_.host_threads);
      const std::lock_guard lock(times_mutex_);
      times_.pack += batch->times.pack;
      times_.copy += batch->times.copy;
      return batch;
    });
  }

  // Runs `body`. Returns an empty result if device memory runs out and fewer sequences could be tried.
  template <class Body>
  auto if_it_fits(std::size_t sequences, const Body& body) -> decltype(body()) {
    try {
      return body();
    } catch (const EngineFailure& failure) {
      if (failure.out_of_memory() && sequences > 1) return {};
      throw;
    }
  }

  // Returns the indices of the sequences that the kernels do not prove; nothing if device memory runs out.
  std::optional<std::vector<std::size_t>> score_resident(const ScoreModel& model, GpuPrepared& batch,
                                                         const Wanted& wanted,
                                                         std::span<std::int32_t> scores) {
    const std::shared_lock lock(memory_mutex_);
    if (!batch.resident) return std::nullopt;
    return if_it_fits(scores.size(), [&]() -> std::optional<std::vector<std::size_t>> {
      const GpuScoring scoring = viterbi_.score(model, *batch.resident, wanted.threshold, scores,
                                                wanted.bounds_suffice, wanted.enough);
      scored_again_ += static_cast<std::int64_t>(scoring.scored_again);
      return std::vector<std::size_t>(scoring.unproven.begin(), scoring.unproven.end());
    });
  }

  // The same with pieces that are sent one after the other and halved until they fit.
  std::vector<std::size_t> score_in_pieces(const ScoreModel& model, GpuPrepared& batch,
                                           std::optional<std::int32_t> threshold,
                                           std::span<std::int32_t> scores) {
    const std::unique_lock lock(memory_mutex_);
    batch.resident.reset();
    viterbi_.release_memory();
    if (batch.pieces.empty()) {
      batch.pieces.emplace_back(batch.sequences.size());
      std::iota(batch.pieces.front().begin(), batch.pieces.front().end(), std::size_t{0});
    }
    std::vector<std::size_t> unproven;
    for (auto piece = batch.pieces.begin(); piece != batch.pieces.end();) {
      if (score_piece(model, batch.sequences.subset(*piece), *piece, threshold, scores, unproven)) {
        ++piece;
      } else {
        halve(batch.sequences, batch.pieces, piece);
      }
    }
    return unproven;
  }

  // False if the device has not enough memory for the piece.
  bool score_piece(const ScoreModel& model, const SequenceSet& piece, std::span<const std::size_t> places,
                   std::optional<std::int32_t> threshold, std::span<std::int32_t> scores,
                   std::vector<std::size_t>& unproven) {
    const std::shared_ptr<const GpuBatch> sent = send(piece);
    if (!sent) return false;
    return if_it_fits(places.size(), [&] {
      std::vector<std::int32_t> found(places.size());
      const GpuScoring scoring = viterbi_.score(model, *sent, threshold, found);
      scored_again_ += static_cast<std::int64_t>(scoring.scored_again);
      for (std::size_t i = 0; i < places.size(); ++i) {
        if (piece.length(i) > 0) scores[places[i]] = found[i];
      }
      for (const std::uint32_t i : scoring.unproven) unproven.push_back(places[i]);
      if (meter_ != nullptr) {
        meter_->add_work(static_cast<std::int64_t>(piece.residue_count()) * model.nodes);
      }
      return true;
    });
  }

  // Splits a piece into two with about as many residues each.
  void halve(const SequenceSet& sequences, std::list<std::vector<std::size_t>>& pieces,
             std::list<std::vector<std::size_t>>::iterator piece) {
    viterbi_.release_memory();
    if (piece->size() < 2) throw EngineFailure(description() + ": not enough device memory for one sequence");
    std::size_t residues = 0;
    for (const std::size_t i : *piece) residues += sequences.length(i);
    auto middle = piece->begin() + 1;
    for (std::size_t passed = sequences.length(piece->front());
         middle + 1 != piece->end() && passed < residues / 2; ++middle) {
      passed += sequences.length(*middle);
    }
    pieces.insert(std::next(piece), std::vector<std::size_t>(middle, piece->end()));
    piece->erase(middle, piece->end());
  }

  void score_on_host(const ScoreModel& model, const SequenceSet& sequences,
                     std::span<const std::size_t> places, std::span<std::int32_t> scores) {
    if (places.empty()) return;
    std::vector<std::int32_t> exact(places.size());
    const std::lock_guard lock(host_mutex_);
    const auto prepared = options_.host_engine->prepare(sequences.subset(places));
    options_.host_engine->score(model, *prepared, std::nullopt, exact);
    for (std::size_t i = 0; i < places.size(); ++i) scores[places[i]] = exact[i];
  }

  void score_generally(const ScoreModel& model, GpuPrepared& batch, std::optional<std::int32_t> threshold,
                       std::span<std::int32_t> scores) {
    const std::lock_guard lock(host_mutex_);
    if (!general_ && options_.make_general_engine) general_ = options_.make_general_engine();
    ScoreEngine& engine = general_ ? *general_ : *options_.host_engine;
    if (!batch.general) batch.general = engine.prepare(batch.sequences);
    engine.score(model, *batch.general, threshold, scores);
  }

  double made_ = seconds_now();
  GpuEngineOptions options_;
  GpuVariant variant_;
  OpenDevice device_;
  GpuViterbi viterbi_;
  // Shared: to use GpuPrepared::resident; exclusive: to change it, to use GpuPrepared::pieces or to release
  // memory, which other batches may be using.
  std::shared_mutex memory_mutex_;
  std::mutex host_mutex_;  // of host_engine, general_ and GpuPrepared::general
  std::unique_ptr<ScoreEngine> general_;
  std::atomic<std::int64_t> scored_again_ = 0;
  WorkMeter* meter_ = nullptr;
  mutable std::mutex times_mutex_;
  EngineTimes times_;
  std::future<std::unique_ptr<GpuPrepared>> first_;  // which begin() prepares
  std::shared_future<void> begun_;                   // the thread of begin()
};

}  // namespace

std::unique_ptr<ScoreEngine> make_gpu_engine(const DeviceInfo& device, GpuEngineOptions options) {
  return std::make_unique<GpuEngine>(device, std::move(options));
}

}  // namespace gpuhmm
