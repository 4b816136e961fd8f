// The two loops of a search: groups of profiles, and for each of them blocks of sequences. As many profiles
// are scored at the same time as the engines can, while the hits of those already scored are aligned.
#include "gpuhmm/search.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <future>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "plan7/score_model.hpp"
#include "search/alignment_turns.hpp"
#include "search/block_queue.hpp"
#include "search/profile_search.hpp"
#include "search/run.hpp"
#include "search/scoring_turns.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

// With more cells, aligning the hits may take longer than starting a thread.
constexpr double kWorthAThread = 1e6;

// Residues that are read at least before engines are chosen.
constexpr std::size_t kFirstRead = std::size_t{8} << 20;

// The sequences of a batch, unless the caller sets it.
constexpr std::size_t kBatchSequences = std::size_t{4} << 20;

// The rest of the sequences joins a block if it is at most this part of one, as a small one keeps no device
// busy.
constexpr double kSmallRest = 1.0 / 8;

// Profiles of similar size are scored one after the other within so many, where devices score two at a time.
constexpr std::size_t kSorted = 64;

// Profiles searched together in one pass over the database; a deque, since threads hold references to its
// elements.
struct Group {
  std::deque<ProfileSearch> searches;
  double nodes = 0;
  std::future<void> programs;  // devices build them for the models of the searches until this is ready
  bool last = false;           // no profiles follow

  AlphabetKind alphabet() const { return searches.front().profile().alphabet; }
};

// What the threads of a pass share.
struct Pass {
  EnginePool* engines;
  PathDevices* path_devices;
  ScoringTurns turns;
  AlignmentTurns alignments;
  std::atomic<std::size_t> left;  // profiles that have not had the last block
};

}  // namespace

struct ResidentSequences::Block {
  Block(SequenceBlock&& all, AlphabetKind kind) : prepared(std::move(all)), alphabet(kind) {}

  PreparedBlock prepared;
  AlphabetKind alphabet;
};

ResidentSequences::ResidentSequences(std::unique_ptr<Block> block) : block_(std::move(block)) {}
ResidentSequences::~ResidentSequences() = default;
AlphabetKind ResidentSequences::alphabet() const { return block_->alphabet; }

std::unique_ptr<ResidentSequences> ResidentSequences::read(std::unique_ptr<SequenceReader> sequences,
                                                           AlphabetKind alphabet, const EnginePool& engines) {
  SequenceBlocks blocks(std::move(sequences), false, false);
  SequenceBlock all = blocks.next(kBatchSequences, engines.preferred_batch());
  if (!all.last) return nullptr;
  return std::unique_ptr<ResidentSequences>(
      new ResidentSequences(std::make_unique<Block>(std::move(all), alphabet)));
}

namespace {

class Search {
 public:
  Search(ProfileReader& profiles, const SequenceOpener& open_sequences, bool reopenable,
         const SearchOptions& options, SearchObserver& observer)
      : profiles_(profiles),
        open_sequences_(open_sequences),
        reopenable_(reopenable),
        options_(options),
        wanted_(options.histogram ? HitsWanted::Registered : options.wanted),
        most_profiles_(static_cast<std::int64_t>(std::min<std::uint64_t>(
            static_cast<std::uint64_t>(options.most_profiles), options.profiles.end))),
        observer_(observer),
        run_(options, observer) {}

  SearchStatistics run() {
    bool more = true;
    while (more) {
      Group& group = group_.emplace();
      more = read_group(group);
      group.last = !more;
      if (group.searches.empty()) break;
      run_.enter_outer(more ? profiles_.fraction_read() : 1.0);
      if (whole_ == nullptr && is_resident(group.alphabet())) use_resident();
      if (whole_ != nullptr) {
        prepare_devices(group);
        pass(group, whole_, [] { return nullptr; });
      } else {
        pass(group);
      }
    }
    return run_.finish();
  }

 private:
  // False if this group is the last.
  bool read_group(Group& group) {
    const double limit =
        reopenable_ ? static_cast<double>(options_.group_nodes) : std::numeric_limits<double>::infinity();
    while (group.nodes < limit) {
      if (profiles_taken_ == most_profiles_) return false;
      std::optional<Profile> profile = profiles_.next();
      if (!profile) return false;
      if (static_cast<std::uint64_t>(profiles_taken_++) < options_.profiles.first) continue;
      group.nodes += profile->nodes;
      group.searches.emplace_back(RunProfile(std::move(*profile), options_.thresholds), options_.alignments,
                                  wanted_);
    }
    return true;
  }

  bool is_resident(AlphabetKind alphabet) const {
    return options_.resident != nullptr && options_.resident->alphabet() == alphabet &&
           options_.engines != nullptr && !options_.thresholds.xnu && !options_.count_empty;
  }

  void use_resident() {
    const AlphabetKind alphabet = options_.resident->alphabet();
    whole_ = BlockQueue::Block(BlockQueue::Block(), &options_.resident->block().prepared);
    run_.check_alphabet(whole_->sequences, alphabet, open_sequences_(Alphabet::get(alphabet))->name());
    run_.count(*whole_);
  }

  std::size_t batch_sequences() const {
    return options_.batch_sequences > 0 ? options_.batch_sequences : kBatchSequences;
  }
  // The size from the options, or else the size that the engines prefer. Before there are engines, a size
  // that is enough to choose them and that suits the host.
  std::size_t batch_residues() {
    if (options_.batch_residues > 0) return options_.batch_residues;
    const EnginePool* const engines = run_.engines(false);
    return engines != nullptr ? engines->preferred_batch() : std::max(options_.first_residues, kFirstRead);
  }

  // Reads a first block and makes the engines. If the block cannot grow, as its size was chosen for them
  // (first_residues) or all is read, they begin with it as they open; else it grows to the size they prefer.
  BlockQueue::Block first_block(SequenceBlocks& sequences, Group& group) {
    SequenceBlock block = sequences.next(batch_sequences(), batch_residues());
    const double residues =
        static_cast<double>(block.sequences.residue_count()) / std::max(block.read.value_or(1.0), 1e-6);
    const ExpectedWork work{group.nodes * residues, !block.read};
    const std::size_t models = group.searches.size();
    if (block.last || options_.first_residues > 0) {
      take_small_rest(sequences, block);
      if (!options_.thresholds.forward) block.sort();  // while devices open
      auto prepared = std::make_shared<PreparedBlock>(std::move(block));
      run_.make_engines(work, models, [&](ScoreEngine& engine, std::size_t devices, const PoolOptions& pool) {
        EnginePool::begin(engine, devices, *prepared->prepared, expected(group), pool);
      });
      prepare_devices(group);
      return prepared;
    }
    run_.make_engines(work, models);
    prepare_devices(group);
    if (block.sequences.residue_count() < batch_residues()) {
      sequences.extend(block, batch_sequences(), batch_residues());
    }
    take_small_rest(sequences, block);
    return std::make_shared<PreparedBlock>(std::move(block));
  }

  // Has devices build programs and take memory while the host reads, sorts and packs sequences.
  void prepare_devices(Group& group) {
    EnginePool* const engines = run_.engines(false);
    if (engines == nullptr) return;
    group.programs = engines->expect(expected(group));
    PathDevices* const devices = run_.path_devices();
    if (devices == nullptr || streams_.valid()) return;
    streams_ = std::async(std::launch::async, [devices] { devices->open(); });
  }
  EnginePool::Expected expected(const Group& group) const {
    std::vector<const ScoreModel*> models;
    for (const ProfileSearch& search : group.searches) models.push_back(&search.model());
    return {std::move(models), !options_.histogram};
  }

  // The next block, without a small rest after it unless the caller chose its size.
  SequenceBlock next_block(SequenceBlocks& sequences) {
    SequenceBlock block = sequences.next(batch_sequences(), batch_residues());
    take_small_rest(sequences, block);
    return block;
  }
  void take_small_rest(SequenceBlocks& sequences, SequenceBlock& block) {
    residues_read_ += static_cast<double>(block.sequences.residue_count());
    if (block.last || !block.read || options_.batch_residues > 0 || options_.batch_sequences > 0) return;
    const double batch = static_cast<double>(batch_residues());
    const double rest = residues_read_ * (1 / std::max(*block.read, 1e-6) - 1);
    if (rest > kSmallRest * batch) return;
    const auto more = static_cast<std::size_t>(2 * kSmallRest * batch);
    sequences.extend(block, 2 * batch_sequences(), block.sequences.residue_count() + more);
  }

  // All blocks with a group of profiles.
  void pass(Group& group) {
    SequenceBlocks sequences(open_sequences_(Alphabet::get(group.alphabet())), options_.thresholds.xnu,
                             options_.count_empty);
    counted_in_all_ = std::max(counted_in_all_, sequences.counted_in_all().value_or(0));
    residues_read_ = 0;
    BlockQueue::Block first = first_block(sequences, group);
    if (run_.statistics.profiles == 0) {
      run_.check_alphabet(first->sequences, group.alphabet(), sequences.name());
    }
    run_.statistics.residues = 0;
    const BlockQueue::Block last = pass(group, std::move(first), [&] { return read_ahead(sequences); });
    if (last->first && reopenable_) whole_ = last;
  }

  // The next block, in a thread of its own while others work on those before.
  BlockQueue::Block read_ahead(SequenceBlocks& sequences) {
    auto block = std::make_shared<PreparedBlock>(next_block(sequences));
    if (EnginePool* const engines = run_.engines(false)) engines->prepare_ahead(*block->prepared);
    return block;
  }

  // The same from the block `first` on; returns the last.
  BlockQueue::Block pass(Group& group, BlockQueue::Block first,
                         const std::function<BlockQueue::Block()>& read) {
    const double cells = group.nodes * static_cast<double>(first->sequences.residue_count());
    EnginePool* const engines = run_.engines(false);
    PathDevices* const path_devices = run_.path_devices();
    const unsigned calls = engines != nullptr ? engines->concurrency() : 1;
    Pass pass{engines, path_devices, ScoringTurns(calls, path_devices),
              AlignmentTurns(path_devices, options_.threads, calls > 1), group.searches.size()};
    const bool overlap = options_.threads > 1 && group.searches.size() > 1 && cells > kWorthAThread;
    const std::vector<std::size_t> order = scoring_order(group, engines);
    const std::size_t pieces = group.searches.size() * (first->last ? 1 : 2);  // that can be in work
    const auto threads =
        overlap ? static_cast<unsigned>(std::min<std::size_t>(calls + pass.alignments.profiles(), pieces))
                : 1U;
    BlockQueue queue(std::move(first), group.searches.size(),
                     engines != nullptr ? engines->batches_at_once() : BlockQueue::kLeast,
                     {read, [&](PreparedBlock& block) { begin(group, block); }});
    RunResults results(run_, group.searches.size());
    parallel_for(threads, threads, 1, [&](std::size_t, std::size_t) {
      try {
        while (const std::optional<BlockQueue::Piece> piece = queue.take()) {
          do_piece(group, order[piece->profile], *piece->block, pass, queue, results);
          queue.finish(*piece);
        }
      } catch (...) {
        queue.stop();
        throw;
      }
    });
    counted_in_all_ = std::max(counted_in_all_, queue.last_block()->counted_after);
    run_.statistics.profiles += static_cast<std::int64_t>(group.searches.size());
    if (const EnginePool* const left = run_.engines(false)) run_.statistics.engine = left->description();
    return queue.last_block();
  }

  // Some profiles may still be at the block before.
  void begin(const Group& group, PreparedBlock& block) {
    if (whole_ == nullptr) run_.count(block);
    const double cells = group.nodes * static_cast<double>(block.sequences.residue_count());
    run_.enter_inner(block.read, cells);
    run_.statistics.cells += cells;
    run_.statistics.batch_residues = batch_residues();
    run_.statistics.batch_sequences = batch_sequences();
  }

  // The profiles of a group in the order in which they are scored.
  static std::vector<std::size_t> scoring_order(const Group& group, const EnginePool* engines) {
    std::vector<std::size_t> order(group.searches.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (engines == nullptr || !engines->pairs_models()) return order;
    for (std::size_t first = 0; first < order.size(); first += kSorted) {
      const auto begin = order.begin() + static_cast<std::ptrdiff_t>(first);
      std::ranges::stable_sort(begin, begin + std::min(kSorted, order.size() - first), {},
                               [&](std::size_t i) { return group.searches[i].profile().nodes; });
    }
    return order;
  }

  // Profiles are reported in their order as soon as they are finished.
  void do_piece(Group& group, std::size_t profile, PreparedBlock& block, Pass& pass, BlockQueue& queue,
                RunResults& results) {
    ProfileSearch& search = group.searches[profile];
    buffers_.lend(block.sequences.size(),
                  [&](std::span<std::int32_t> scores) { add(search, block, pass, scores); });
    const bool last = block.last;
    if (last && --pass.left == 0 && group.last) {
      queue.release_ended();
      retire_engines(group, block);
    }
    run_.meter().complete(
        search_amount(search.profile().nodes * static_cast<double>(block.sequences.residue_count())));
    if (!last) return;
    results.put(profile,
                [&] { return observer_.result(search.profile(), search.thresholds(), search.finish()); });
  }

  // All hits are aligned: drivers give memory and devices back while the last texts are made and written.
  void retire_engines(Group& group, PreparedBlock& block) {
    EnginePool* const engines = run_.engines(false);
    if (engines == nullptr || engines == options_.engines) return;
    run_.statistics.engine = engines->description();
    std::vector<std::future<void>> others;
    if (group.programs.valid()) others.push_back(std::move(group.programs));
    if (streams_.valid()) others.push_back(std::move(streams_));
    run_.retire_engines(block.prepared, std::move(others));
  }

  // Scores a block with one profile, and aligns the candidates.
  void add(ProfileSearch& search, PreparedBlock& block, Pass& pass, std::span<std::int32_t> scores) {
    EnginePool* const engines = pass.engines;
    PathDevices* const path_devices = pass.path_devices;
    run_.check_stop();
    EnginePool::Devices devices;
    search.expect(block, std::max(counted_in_all_, block.counted_after));
    const std::int32_t enough = search.enough(block.counted_after);
    if (engines != nullptr) {
      const ScoringTurns::Turn turn(pass.turns);
      const StageClock::Running running(run_.clocks.score);
      const std::int32_t threshold = search.filter_threshold(block.counted_after);
      if (options_.histogram) {
        devices = engines->score_whole_bits(search.model(), *block.prepared, scores, enough);
      } else if (path_devices != nullptr && path_devices->usable()) {
        devices = engines->score_bounds(search.model(), *block.prepared, threshold, scores, enough);
      } else {
        devices = engines->score(search.model(), *block.prepared, threshold, scores, enough);
      }
    }
    const AlignmentTurns::Turn turn(pass.alignments);
    const StageClock::Running running(run_.clocks.rescore);
    if (engines != nullptr) {
      engines->verify(devices, search.model(), block.sequences, options_.histogram, scores, options_.threads,
                      enough);
    }
    search.add(block, scores, options_.histogram, turn.threads(), run_.clocks.align, run_.meter(),
               path_devices);
    pass.turns.aligned();
  }

  ProfileReader& profiles_;
  const SequenceOpener& open_sequences_;
  bool reopenable_;
  const SearchOptions& options_;
  HitsWanted wanted_;
  std::int64_t most_profiles_;
  SearchObserver& observer_;
  std::optional<Group> group_;  // ends behind run_, whose devices may be building programs for its models
  Run run_;
  std::future<void> streams_;  // of the devices that align, made in another thread
  ScoreBuffers buffers_;
  std::int64_t profiles_taken_ = 0;
  std::int64_t counted_in_all_ = 0;  // sequences, or as many as were known before the pass
  double residues_read_ = 0;         // in the pass
  BlockQueue::Block whole_;          // the whole database, if it is one block
};

}  // namespace

SearchStatistics search(ProfileReader& profiles, const SequenceOpener& open_sequences, bool reopenable,
                        const SearchOptions& options, SearchObserver& observer) {
  return Search(profiles, open_sequences, reopenable, options, observer).run();
}

}  // namespace gpuhmm
