// The pool of engines: splits batches into slices, chooses the member that scores each, and replaces members
// that fail.
#include <algorithm>
#include <atomic>
#include <ranges>
#include <semaphore>
#include <utility>

#include "filter/batch_cut.hpp"
#include "gpuhmm/engine.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/viterbi.hpp"
#include "util/parallel.hpp"
#include "util/permit.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

namespace {

// A batch is split again, once, when every member has worked for kMeasuredSeconds and the slowest takes this
// many times as long as if all finished together.
constexpr double kMeasuredSeconds = 0.5;
constexpr double kWorthCutting = 1 / 0.85;

// True if each engine should score whole models rather than a share of the sequences of each: the engines are
// equally fast, and there are so many models that none is idle for long at the end.
bool share_models(std::span<const std::unique_ptr<ScoreEngine>> engines, std::size_t models) {
  constexpr double kEqual = 0.9;
  constexpr std::size_t kModelsEach = 4;
  if (engines.empty()) return false;
  const auto [slowest, fastest] = std::ranges::minmax(
      engines | std::views::transform([](const auto& engine) { return engine->expected_speed(); }));
  return slowest >= kEqual * fastest && models >= kModelsEach * engines.size();
}

}  // namespace

// An engine, its load and its measured speed.
struct EnginePool::Member {
  Member(std::unique_ptr<ScoreEngine> own_engine, std::size_t own_place)
      : engine(std::move(own_engine)),
        place(own_place),
        free(static_cast<std::ptrdiff_t>(engine->concurrency())) {}

  std::unique_ptr<ScoreEngine> engine;
  std::size_t place;               // in members_
  std::counting_semaphore<> free;  // calls that it can still take
  std::mutex preparing;            // held while it prepares a slice
  StageClock busy;
  std::atomic<double> cells = 0;  // done while busy
  std::atomic<bool> failed = false;
  unsigned reserved = 0;   // calls reserved or running
  std::uint64_t made = 0;  // calls reserved so far

  bool measured() const { return busy.seconds() >= kMeasuredSeconds && cells > 0; }
  // Cells a second: measured, or else as expected.
  double speed() const { return measured() ? cells / busy.seconds() : engine->expected_speed(); }
  // Reserved calls relative to concurrency; if equal, the member with fewer calls so far comes first.
  std::pair<double, std::uint64_t> load() const {
    return {static_cast<double>(reserved) / engine->concurrency(), made};
  }
};

// Sequences of a batch that one member scores.
struct EnginePool::Slice {
  Slice(SequenceSet set, std::vector<std::size_t> own_places, Member* own_owner, std::size_t members)
      : sequences(std::move(set)), places(std::move(own_places)), owner(own_owner), prepared(members) {}

  PreparedBatch& prepared_for(Member& member) {
    Prepared& own = prepared[member.place];
    const std::lock_guard lock(own.mutex);
    if (!own.batch) {
      const std::lock_guard alone(member.preparing);
      own.batch = member.engine->prepare(sequences);
    }
    return *own.batch;
  }

  struct Prepared {
    std::mutex mutex;
    std::unique_ptr<PreparedBatch> batch;
  };
  SequenceSet sequences;
  std::vector<std::size_t> places;  // indices into the batch; empty: the whole batch, in its order
  Member* owner;                    // null: the least busy member
  std::vector<Prepared> prepared;   // by member
};

// Reserves a member for one call, from the choice of the member to the end of the call. Waits for a free
// member if several could do it.
class EnginePool::Reservation {
 public:
  Reservation(EnginePool& pool, Slice& slice) : pool_(pool) {
    std::unique_lock lock(pool.mutex_);
    pool.freed_.wait(lock, [&] { return (member_ = pool.member_for(slice)) != nullptr; });
    ++member_->reserved;
    ++member_->made;
  }
  ~Reservation() {
    {
      const std::lock_guard lock(pool_.mutex_);
      --member_->reserved;
    }
    pool_.freed_.notify_all();
  }
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  Member& member() const { return *member_; }

 private:
  EnginePool& pool_;
  Member* member_ = nullptr;
};

EnginePool::Batch::Batch(const SequenceBatch& batch) : sequences_(batch) {}
EnginePool::Batch::~Batch() = default;

EnginePool::EnginePool(std::vector<std::unique_ptr<ScoreEngine>> engines,
                       std::function<void(const std::string&)> warn, const PoolOptions& options)
    : sharing_(engines.size() - 1),
      by_models_(share_models(std::span(engines).first(sharing_), options.models)),
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
}

EnginePool::~EnginePool() = default;

EnginePool::Devices EnginePool::score(const ScoreModel& model, Batch& batch,
                                      std::optional<std::int32_t> threshold, std::span<std::int32_t> scores,
                                      std::int32_t enough) {
  const Call call = [&](ScoreEngine& engine, PreparedBatch& prepared, std::span<std::int32_t> own) {
    engine.score_up_to(model, prepared, threshold, enough, own);
  };
  return score_by(call, model, batch, scores);
}

EnginePool::Devices EnginePool::score_whole_bits(const ScoreModel& model, Batch& batch,
                                                 std::span<std::int32_t> scores) {
  const Call call = [&](ScoreEngine& engine, PreparedBatch& prepared, std::span<std::int32_t> own) {
    engine.score_whole_bits(model, prepared, own);
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
      engines[s] = &score_slice(call, model, slice, scores);
      return;
    }
    std::vector<std::int32_t> found(slice.places.size());
    engines[s] = &score_slice(call, model, slice, found);
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

// If a member fails, its slice goes to another.
const ScoreEngine& EnginePool::score_slice(const Call& call, const ScoreModel& model, Slice& slice,
                                           std::span<std::int32_t> scores) {
  for (;;) {
    const Reservation reservation(*this, slice);
    Member& member = reservation.member();
    try {
      const Permit permit(member.free);
      PreparedBatch& prepared = slice.prepared_for(member);
      const StageClock::Running running(member.busy);
      call(*member.engine, prepared, scores);
      member.cells += static_cast<double>(slice.sequences.residue_count()) * model.nodes;
      return *member.engine;
    } catch (const EngineFailure& failure) {
      fail(member, failure);
    }
  }
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
std::vector<EnginePool::Member*> EnginePool::at_work() const {
  std::vector<Member*> members;
  for (std::size_t m = 0; m < sharing_; ++m) {
    if (!members_[m]->failed) members.push_back(members_[m].get());
  }
  if (members.empty()) members.push_back(host_);
  return members;
}

// The member that should score a slice now, null if all are busy. The caller holds mutex_. A slice whose
// owner has failed gets another owner.
EnginePool::Member* EnginePool::member_for(Slice& slice) const {
  if (slice.owner != nullptr && !slice.owner->failed) return slice.owner;
  const std::vector<Member*> members = at_work();
  Member* const least = *std::ranges::min_element(members, {}, &Member::load);
  if (slice.owner != nullptr) return slice.owner = least;
  return members.size() == 1 || least->reserved < least->engine->concurrency() ? least : nullptr;
}

// Splits the batch if that is due; it stays as it is while the returned lock is held.
std::shared_lock<std::shared_mutex> EnginePool::hold(Batch& batch) const {
  const auto is_cut = [&] {
    return batch.cut_ == Batch::Cut::ForGood ||
           (batch.cut_ == Batch::Cut::ByExpectedSpeeds && !all_measured());
  };
  std::shared_lock lock(batch.mutex_);
  if (is_cut()) return lock;
  lock.unlock();
  {
    const std::unique_lock alone(batch.mutex_);
    if (!is_cut()) cut(batch);
  }
  lock.lock();
  return lock;
}

bool EnginePool::all_measured() const { return std::ranges::all_of(at_work(), &Member::measured); }

void EnginePool::cut(Batch& batch) const {
  const std::vector<Member*> members = at_work();
  const bool deal = !by_models_ && members.size() > 1;
  const bool again = batch.cut_ != Batch::Cut::None;
  batch.cut_ = deal && !all_measured() ? Batch::Cut::ByExpectedSpeeds : Batch::Cut::ForGood;
  if (again && !recut_pays(batch)) return;

  batch.slices_.clear();
  const SequenceSet all(batch.sequences_);
  const auto add = [&](std::span<const std::size_t> some, Member* owner) {
    if (some.empty()) return;
    std::vector<std::size_t> places(some.begin(), some.end());
    SequenceSet set = all.subset(places);
    batch.slices_.push_back(
        std::make_unique<Slice>(std::move(set), std::move(places), owner, members_.size()));
  };
  std::size_t for_host = 0;
  if (long_sequences_ != nullptr && members.front() != host_) {
    double speed = 0;  // of all members that score the same model together
    for (const Member* member : std::span(members).first(deal ? members.size() : 1)) {
      speed += member->engine->expected_speed();
    }
    for_host = count_for_host(all, speed, host_threads_);
  }
  if (!deal && for_host == 0) {
    batch.slices_.push_back(
        std::make_unique<Slice>(all, std::vector<std::size_t>(), nullptr, members_.size()));
    return;
  }
  const std::vector<std::size_t> order = longest_first(all);
  add(std::span(order).first(for_host), long_sequences_);
  const std::span<const std::size_t> others = std::span(order).subspan(for_host);
  if (!deal) {
    add(others, nullptr);
    return;
  }
  std::vector<double> speeds;
  for (const Member* member : members) speeds.push_back(member->speed());
  const std::vector<std::vector<std::size_t>> dealt = deal_by_speed(all, others, speeds);
  for (std::size_t m = 0; m < members.size(); ++m) add(dealt[m], members[m]);
}

bool EnginePool::recut_pays(const Batch& batch) const {
  std::vector<double> residues, speeds;
  for (const Member* member : at_work()) {
    residues.push_back(0);
    speeds.push_back(member->speed());
    for (const auto& slice : batch.slices_) {
      if (slice->owner == member) residues.back() += static_cast<double>(slice->sequences.residue_count());
    }
  }
  return imbalance(residues, speeds) > kWorthCutting;
}

void EnginePool::verify(const Devices& devices, const ScoreModel& model, const SequenceBatch& batch,
                        bool exact, std::span<const std::int32_t> scores, unsigned threads,
                        std::int32_t enough) {
  verifier_.verify(devices, model, batch, {scores, exact, enough}, threads);
}

std::string EnginePool::description() const {
  std::vector<const ScoreEngine*> engines;
  for (const Member* member : at_work()) engines.push_back(member->engine.get());
  return join_descriptions(engines);
}

unsigned EnginePool::concurrency() const {
  unsigned most = 0, sum = 0;
  for (const Member* member : at_work()) {
    most = std::max(most, member->engine->concurrency());
    sum += member->engine->concurrency();
  }
  return by_models_ ? sum : most;
}

std::size_t EnginePool::largest(std::size_t (ScoreEngine::*size)() const) const {
  return std::ranges::max(
      at_work() | std::views::transform([size](const Member* member) { return (*member->engine.*size)(); }));
}

std::size_t EnginePool::least_batch() const { return largest(&ScoreEngine::least_batch); }

std::size_t EnginePool::preferred_batch() const { return largest(&ScoreEngine::preferred_batch); }

EngineTimes EnginePool::times() const {
  EngineTimes sum;
  for (const auto& member : members_) sum += member->engine->times();
  return sum;
}

}  // namespace gpuhmm
