// Manages engines, progress, totals and results of a run.
#include "search/run.hpp"

#include <chrono>
#include <utility>

#include "gpuhmm/sequence_file.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {

Run::Run(const RunOptions& options, RunObserver& observer)
    : options_(options),
      observer_(observer),
      meter_(options.meter != nullptr ? *options.meter : own_meter_),
      engines_(options.thresholds.forward ? nullptr : options.engines) {}

void Run::check_stop() const {
  if (options_.stop != nullptr && *options_.stop) throw RunStopped();
}

void Run::warn(const std::string& message) {
  const std::lock_guard lock(observer_mutex_);
  observer_.warning(message);
}

void Run::check_alphabet(const SequenceBatch& first, AlphabetKind profiles, const std::string& name) {
  if (!options_.check_alphabet) return;
  if (const auto warning = alphabet_warning(first, profiles, name)) warn(*warning);
}

std::unique_ptr<EnginePool> Run::made_engines(const ExpectedWork& work, std::size_t models,
                                              const Opened& opened) {
  const Warning on_warning = [this](const std::string& message) { warn(message); };
  const PoolOptions options{models, options_.threads, options_.verification, &meter_};
  EngineOpened on_opened;
  if (opened) {
    on_opened = [&](ScoreEngine& engine, std::size_t devices) { opened(engine, devices, options); };
  }
  return std::make_unique<EnginePool>(options_.make_engines(work, on_warning, on_opened), on_warning,
                                      options);
}

bool Run::lacks_engines() const {
  return engines_ == nullptr && !engines_to_come_.valid() && !options_.thresholds.forward;
}

void Run::make_engines(const ExpectedWork& work, std::size_t models, const Opened& opened) {
  if (!lacks_engines()) return;
  own_engines_ = made_engines(work, models, opened);
  engines_ = own_engines_.get();
}

void Run::begin_engines(const ExpectedWork& work, std::size_t models) {
  if (!lacks_engines()) return;
  engines_to_come_ =
      std::async(std::launch::async, [this, work, models] { return made_engines(work, models, {}); });
}

EnginePool* Run::engines(bool wait) {
  constexpr std::chrono::seconds kNow(0);
  if (engines_to_come_.valid() && (wait || engines_to_come_.wait_for(kNow) == std::future_status::ready)) {
    own_engines_ = engines_to_come_.get();
    engines_ = own_engines_.get();
  }
  return engines_;
}

PathDevices* Run::path_devices() {
  if (path_devices_ == nullptr && engines_ != nullptr) {
    const std::vector<const OpenDevice*> devices = engines_->aligning_devices();
    if (devices.empty()) return nullptr;
    path_devices_ = std::make_unique<PathDevices>(devices, options_.verification,
                                                  [this](const std::string& message) { warn(message); });
  }
  return path_devices_.get();
}

void Run::retire_engines(std::unique_ptr<EnginePool::Batch>& prepared,
                         std::vector<std::future<void>> others) {
  take_engine_totals();
  engines_ = nullptr;
  retiring_ = std::async(std::launch::async,
                         [others = std::move(others), engines = std::move(own_engines_),
                          batch = std::move(prepared), devices = std::move(path_devices_)]() mutable {
                           others.clear();  // which waits
                           devices.reset();
                           batch.reset();
                           engines.reset();
                         });
}

void Run::take_engine_totals() {
  if (engines_ == nullptr) return;
  statistics.seconds.engine = engines_->times();
  statistics.devices = engines_->device_costs();
}

void Run::Interval::advance(std::optional<double> end) {
  from = to;
  to = end;
}

std::optional<double> Run::Interval::at(std::optional<double> part) const {
  if (!from || !to || !part) return std::nullopt;
  return *from + (*to - *from) * *part;
}

void Run::enter_outer(std::optional<double> end) {
  outer_.advance(end);
  inner_ = {};
}

void Run::enter_inner(std::optional<double> end, double cells) {
  check_stop();
  inner_.advance(end);
  meter_.begin(outer_.at(inner_.from), outer_.at(inner_.to), search_amount(cells));
}

void Run::count(const SequenceBlock& block) {
  statistics.seconds.parse += block.seconds;
  statistics.sequences = block.counted_after;
  statistics.residues += static_cast<std::int64_t>(block.sequences.residue_count());
}

SearchStatistics Run::finish() {
  statistics.seconds.score = clocks.score.seconds();
  statistics.seconds.rescore = clocks.rescore.seconds();
  statistics.seconds.report = clocks.report.seconds();
  statistics.seconds.align = clocks.align.times();
  take_engine_totals();
  const std::lock_guard lock(observer_mutex_);
  observer_.finished(statistics);
  return statistics;
}

RunResults::RunResults(Run& run, std::size_t count)
    : run_(run), writers_(count, [&run](std::size_t, std::span<const ResultWriter> next) {
        const std::lock_guard lock(run.observer_mutex_);
        const StageClock::Running running(run.clocks.report);
        for (const ResultWriter& writer : next) writer();
      }) {}

void RunResults::put(std::size_t place, const std::function<ResultWriter()>& make) {
  run_.check_stop();
  ResultWriter writer;
  {
    const StageClock::Running running(run_.clocks.report);
    writer = make();
  }
  writers_.put(place, std::move(writer));
}

void ScoreBuffers::lend(std::size_t size, const std::function<void(std::vector<std::int32_t>& scores)>& use) {
  std::vector<std::int32_t> scores;
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      scores = std::move(free_.back());
      free_.pop_back();
    }
  }
  scores.resize(size);
  use(scores);
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(scores));
}

}  // namespace gpuhmm
