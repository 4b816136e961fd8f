// The pool of engines: chooses the member that scores each slice of a batch, and replaces members that fail
// or are too slow.
#include <algorithm>
#include <chrono>
#include <ranges>
#include <utility>

#include "filter/batch_cut.hpp"
#include "filter/pool_members.hpp"
#include "filter/work_sharing.hpp"
#include "gpuhmm/engine.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/viterbi.hpp"
#include "util/parallel.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

namespace {

// With fewer models for each engine some would be idle for long at the end: engines then score slices.
constexpr std::size_t kModelsEach = 4;

// An engine below this part of the speed of the fastest gets no slice: speeds are not known well enough to
// cut one that is worth its preparation.
constexpr double kLeastSliceSpeed = 0.5;

std::vector<double> expected_speeds(std::span<const std::unique_ptr<ScoreEngine>> engines) {
  std::vector<double> speeds;
  for (const auto& engine : engines) speeds.push_back(engine->expected_speed());
  return speeds;
}

// Models for which devices prepare before the first is scored, as a multiple of those scored at a time.
constexpr std::size_t kExpectedEach = 4;

std::span<const ScoreModel* const> first_models(std::span<const ScoreModel* const> models,
                                                std::size_t calls) {
  return models.first(std::min(models.size(), kExpectedEach * calls));
}

// True if each engine should score whole models rather than a share of the sequences of each.
bool share_models(std::span<const double> speeds, std::size_t models) {
  if (speeds.empty()) return false;
  const double least = WorkSharing::kLeastSpeed * std::ranges::max(speeds);
  const auto sharers = std::ranges::count_if(speeds, [&](double speed) { return speed >= least; });
  return sharers > 1 && models >= kModelsEach * static_cast<std::size_t>(sharers);
}

}  // namespace

// A piece of work that a member has taken: a slice to be scored with a model. From the choice of the member,
// which may have to be waited for, to the end of the call.
class EnginePool::Reservation {
 public:
  // `first`: no member has had the piece before. `moves`: how often it has been given back.
  Reservation(EnginePool& pool, Batch& batch, Slice& slice, int nodes, bool first, std::size_t moves)
      : pool_(pool), batch_(batch), slice_(slice), moves_(moves) {
    constexpr std::chrono::milliseconds kAskAgain(50);
    const double cells = static_cast<double>(slice.sequences.residue_count()) * nodes;
    std::unique_lock lock(pool.mutex_);
    std::optional<std::size_t> place;
    while (!(place = choose(cells, nodes))) pool.freed_.wait_for(lock, kAskAgain);
    piece_ = &pool.sharing_->begin(*place, cells, seconds_now());
    piece_->moves = moves;
    if (!first || slice.owner != nullptr) return;
    ++batch.begun_;
    batch.nodes_begun_ += nodes;
  }
  ~Reservation() {
    {
      const std::lock_guard lock(pool_.mutex_);
      pool_.sharing_->end(*piece_, seconds_now());
    }
    pool_.freed_.notify_all();
  }
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  Member& member() const { return *pool_.members_[piece_->member]; }
  // True if others could do the work, too.
  bool has_others() const { return pool_.shares(member()); }

  void begin_part(double cells) const {
    const std::lock_guard lock(pool_.mutex_);
    pool_.sharing_->begin_part(*piece_, cells, seconds_now());
  }
  void end_part() const {
    const std::lock_guard lock(pool_.mutex_);
    pool_.sharing_->end_part(*piece_, seconds_now());
  }
  // Whether the member should go on with the slice.
  bool should_go_on() const {
    const std::lock_guard lock(pool_.mutex_);
    return pool_.sharing_->should_go_on(*piece_, pool_.at_work(), cells_left(0, 0), seconds_now());
  }

 private:
  // Cells of the models that nobody has begun yet, less `own` ones; `nodes` of these. Slices: not known.
  double cells_left(std::size_t own, int nodes) const {
    if (slice_.owner != nullptr) return 0;
    const std::size_t begun = batch_.begun_ % pool_.models_;
    const std::size_t left = own == 0 && begun == 0 ? 0 : pool_.models_ - begun - own;
    const double mean = (batch_.nodes_begun_ + nodes) / static_cast<double>(batch_.begun_ + own);
    return static_cast<double>(left * slice_.sequences.residue_count()) * mean;
  }

  // The member that should score the slice now, if one is free. A slice whose owner has failed gets another
  // one. The caller holds the pool's mutex.
  std::optional<std::size_t> choose(double cells, int nodes) const {
    WorkSharing& sharing = *pool_.sharing_;
    Member* const owner = moves_ > 0 ? nullptr : slice_.owner;
    if (owner != nullptr && !owner->failed) {
      return sharing.is_free(owner->place) ? std::optional(owner->place) : std::nullopt;
    }
    const auto chosen =
        sharing.choose(pool_.at_work(), cells, moves_ > 0 ? 0 : cells_left(1, nodes), seconds_now());
    if (owner != nullptr && chosen) slice_.owner = pool_.members_[*chosen].get();
    return chosen;
  }

  EnginePool& pool_;
  Batch& batch_;
  Slice& slice_;
  std::size_t moves_;
  WorkSharing::Piece* piece_ = nullptr;
};

EnginePool::Batch::Batch(const SequenceBatch& batch, std::shared_ptr<const LengthOrder> by_length)
    : sequences_(batch), by_length_(std::move(by_length)) {}
EnginePool::Batch::~Batch() {
  for (const std::shared_future<void>& preparing : preparing_) preparing.wait();
}

EnginePool::EnginePool(std::vector<std::unique_ptr<ScoreEngine>> engines,
                       std::function<void(const std::string&)> warn, const PoolOptions& options)
    : sharers_(engines.size() - 1),
      models_(std::max<std::size_t>(options.models, 1)),
      by_models_(share_models(expected_speeds(std::span(engines).first(sharers_)), models_)),
      host_threads_(options.host_threads),
      warn_(std::move(warn)),
      verifier_(options.verification) {
  const auto add = [&](std::unique_ptr<ScoreEngine> engine) {
    engine->count_into(options.meter);
    members_.push_back(std::make_unique<Member>(std::move(engine), members_.size()));
    return members_.back().get();
  };
  unsigned device_calls = 0;
  for (auto& engine : engines) {
    if (engine->verified()) device_calls += engine->concurrency();
    host_ = add(std::move(engine));
  }
  if (device_calls > 0 && host_threads_ > 0) {
    long_sequences_ = add(make_simd_engine(host_threads_, device_calls));
  }
  std::vector<WorkSharing::Traits> traits;
  for (const auto& member : members_) {
    traits.push_back({member->engine->expected_speed(), member->engine->concurrency()});
  }
  sharing_ = std::make_unique<WorkSharing>(traits);
}

EnginePool::~EnginePool() = default;

void EnginePool::begin(ScoreEngine& engine, std::size_t devices, Batch& batch, const Expected& expected,
                       const PoolOptions& options) {
  if (!batch.by_length_) return;  // an engine could take a later batch for this one
  const SequenceSet all(batch.sequences_, batch.by_length_);
  const std::size_t residues = all.residue_count();
  if (!share_models(std::vector<double>(devices, engine.expected_speed()), options.models)) return;
  if (residues > part_residues(engine) || !engine.prepares_ahead(residues)) return;
  if (count_for_host(all, engine.expected_speed(), options.host_threads) > 0) return;
  auto models = first_models(expected.models, devices * engine.concurrency());
  std::shared_future<void> begun = engine.begin(all, models, expected.with_threshold);
  if (!begun.valid()) return;
  const std::unique_lock lock(batch.mutex_);
  batch.preparing_.push_back(std::move(begun));
}

std::future<void> EnginePool::expect(Expected expected) {
  const auto is_device = [](const auto& member) { return member->engine->verified(); };
  if (std::ranges::none_of(members_, is_device)) return {};
  return std::async(std::launch::async, [this, expected = std::move(expected)] {
    const auto models = first_models(expected.models, concurrency());
    for (const std::size_t m : at_work()) {
      try {
        members_[m]->engine->expect(models, expected.with_threshold);
      } catch (const EngineFailure&) {  // which the first call with the model will meet again
      }
    }
  });
}

// True if there are others that could do the member's work, too.
bool EnginePool::shares(const Member& member) const {
  const std::vector<std::size_t> members = at_work();
  return members.size() > 1 && std::ranges::find(members, member.place) != members.end();
}

// Of a slice in several parts the first one.
void EnginePool::prepare_ahead(Batch& batch) {
  const std::shared_lock lock = hold(batch);
  const std::vector<std::size_t> members = at_work();
  parallel_for(static_cast<unsigned>(members.size()), members.size(), 1, [&](std::size_t m, std::size_t) {
    Member& member = *members_[members[m]];
    for (const auto& slice : batch.slices_) {
      if (slice->owner != nullptr && slice->owner != &member) continue;
      if (!member.engine->prepares_ahead(slice->sequences.residue_count())) continue;
      try {
        slice->parts_for(member, !shares(member)).front()->prepared_for(member);
      } catch (const EngineFailure&) {  // which the first call will meet again
      }
    }
  });
}

EnginePool::Devices EnginePool::score(const ScoreModel& model, Batch& batch,
                                      std::optional<std::int32_t> threshold, std::span<std::int32_t> scores,
                                      std::int32_t enough) {
  const Call call = [&](ScoreEngine& engine, PreparedBatch& prepared, std::span<std::int32_t> own) {
    engine.score_up_to(model, prepared, threshold, enough, own);
  };
  return score_by(call, model, batch, scores);
}

EnginePool::Devices EnginePool::score_bounds(const ScoreModel& model, Batch& batch, std::int32_t threshold,
                                             std::span<std::int32_t> scores, std::int32_t enough) {
  const Call call = [&](ScoreEngine& engine, PreparedBatch& prepared, std::span<std::int32_t> own) {
    engine.score_bounds(model, prepared, threshold, enough, own);
  };
  return score_by(call, model, batch, scores);
}

EnginePool::Devices EnginePool::score_whole_bits(const ScoreModel& model, Batch& batch,
                                                 std::span<std::int32_t> scores, std::int32_t enough) {
  const Call call = [&](ScoreEngine& engine, PreparedBatch& prepared, std::span<std::int32_t> own) {
    engine.score_whole_bits(model, prepared, enough, own);
  };
  return score_by(call, model, batch, scores);
}

EnginePool::Devices EnginePool::score_by(const Call& call, const ScoreModel& model, Batch& batch,
                                         std::span<std::int32_t> scores) {
  const std::shared_lock lock = hold(batch);
  const std::size_t count = batch.slices_.size();
  std::vector<const ScoreEngine*> engines(count);
  parallel_for(static_cast<unsigned>(count), count, 1, [&](std::size_t s, std::size_t) {
    Slice& slice = *batch.slices_[s];
    if (slice.places.empty()) {
      engines[s] = &score_slice(call, model, batch, slice, scores);
      return;
    }
    std::vector<std::int32_t> found(slice.places.size());
    engines[s] = &score_slice(call, model, batch, slice, found);
    for (std::size_t i = 0; i < found.size(); ++i) scores[slice.places[i]] = found[i];
  });
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const bool no_path = scores[i] < kMinusInfinity / 2 && batch.sequences_.length(i) > 0;
    if (no_path) scores[i] = viterbi_score(model, batch.sequences_.residues(i));
  }
  Devices devices;
  for (const ScoreEngine* engine : engines) {
    if (engine->verified() && std::ranges::find(devices, engine) == devices.end()) devices.push_back(engine);
  }
  return devices;
}

// If a member fails or is too slow, its slice goes to another.
const ScoreEngine& EnginePool::score_slice(const Call& call, const ScoreModel& model, Batch& batch,
                                           Slice& slice, std::span<std::int32_t> scores) {
  std::size_t moves = 0;
  for (bool first = true;; first = false) {
    const Reservation reservation(*this, batch, slice, model.nodes, first, moves);
    Member& member = reservation.member();
    try {
      if (score_parts(call, model, slice, reservation, scores)) return *member.engine;
      ++moves;
    } catch (const EngineFailure& failure) {
      fail(member, failure);
    }
  }
}

// False if the member should not go on.
bool EnginePool::score_parts(const Call& call, const ScoreModel& model, Slice& slice,
                             const Reservation& reservation, std::span<std::int32_t> scores) {
  Member& member = reservation.member();
  const Slice::Parts& parts = slice.parts_for(member, !reservation.has_others());
  for (const auto& part : parts) {
    if (part != parts.front() && !reservation.should_go_on()) return false;
    PreparedBatch& prepared = part->prepared_for(member);
    std::vector<std::int32_t> found(part->places.size());
    reservation.begin_part(static_cast<double>(part->sequences.residue_count()) * model.nodes);
    call(*member.engine, prepared, part->places.empty() ? scores : found);
    reservation.end_part();
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (part->sequences.length(i) > 0) scores[part->places[i]] = found[i];
    }
  }
  return true;
}

void EnginePool::fail(Member& member, const EngineFailure& failure) {
  if (&member == host_) throw EngineFailure(failure);
  {
    const std::lock_guard lock(mutex_);
    if (member.failed.exchange(true)) return;
  }
  freed_.notify_all();
  const std::lock_guard lock(warn_mutex_);
  warn_(std::string(failure.what()) + "; going on with " + description());
}

// The members that share the work and have not failed; the host if none is left. Needs no mutex.
std::vector<std::size_t> EnginePool::at_work() const {
  double fastest = 0;
  for (std::size_t m = 0; m < sharers_; ++m) {
    if (!members_[m]->failed) fastest = std::max(fastest, members_[m]->engine->expected_speed());
  }
  const double least = fastest * (by_models_ ? WorkSharing::kLeastSpeed : kLeastSliceSpeed);
  std::vector<std::size_t> members;
  for (std::size_t m = 0; m < sharers_; ++m) {
    if (!members_[m]->failed && members_[m]->engine->expected_speed() >= least) members.push_back(m);
  }
  if (members.empty()) members.push_back(host_->place);
  return members;
}

void EnginePool::verify(const Devices& devices, const ScoreModel& model, const SequenceBatch& batch,
                        bool exact, std::span<const std::int32_t> scores, unsigned threads,
                        std::int32_t enough) {
  verifier_.verify(devices, model, batch, {scores, exact, enough}, threads);
}

std::string EnginePool::description() const {
  std::vector<const ScoreEngine*> engines;
  for (const std::size_t m : at_work()) engines.push_back(members_[m]->engine.get());
  return join_descriptions(engines);
}

unsigned EnginePool::concurrency() const {
  unsigned most = 0, sum = 0;
  for (const std::size_t m : at_work()) {
    most = std::max(most, members_[m]->engine->concurrency());
    sum += members_[m]->engine->concurrency();
  }
  return by_models_ ? sum : most;
}

bool EnginePool::pairs_models() const {
  return std::ranges::any_of(at_work(), [&](std::size_t m) { return members_[m]->engine->pairs_models(); });
}

std::size_t EnginePool::largest(std::size_t (ScoreEngine::*size)() const) const {
  return std::ranges::max(
      at_work() | std::views::transform([&](std::size_t m) { return (*members_[m]->engine.*size)(); }));
}

std::size_t EnginePool::batches_at_once() const { return by_models_ && at_work().size() > 1 ? 3 : 2; }

std::size_t EnginePool::least_batch() const { return largest(&ScoreEngine::least_batch); }

std::size_t EnginePool::preferred_batch() const { return largest(&ScoreEngine::preferred_batch); }

EngineTimes EnginePool::times() const {
  EngineTimes sum;
  for (const auto& member : members_) sum += member->engine->times();
  return sum;
}

std::vector<const OpenDevice*> EnginePool::aligning_devices() const {
  std::vector<const OpenDevice*> devices;
  for (const std::size_t m : at_work()) {
    if (const OpenDevice* device = members_[m]->engine->aligning_device()) devices.push_back(device);
  }
  return devices;
}

std::vector<DeviceCosts> EnginePool::device_costs() const {
  std::vector<DeviceCosts> all;
  for (const auto& member : members_) {
    if (const auto costs = member->engine->device_costs()) all.push_back(*costs);
  }
  return all;
}

}  // namespace gpuhmm
