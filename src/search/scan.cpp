// The two loops of a scan: blocks of sequences, and for each of them groups of profiles.
#include "gpuhmm/scan.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "filter/sequence_set.hpp"
#include "gpuhmm/hits.hpp"
#include "plan7/score_model.hpp"
#include "search/run.hpp"
#include "search/scan_batch.hpp"
#include "search/scan_library.hpp"
#include "util/parallel.hpp"
#include "util/read_ahead.hpp"

namespace gpuhmm {

namespace {

// Cells that make another thread worthwhile, and the cells that take as long as configuring one node.
constexpr double kCellsPerThread = 1e7, kCellsToConfigure = 8'000;

// Reports that make another thread worthwhile.
constexpr std::size_t kQueriesPerThread = 64;

// The size of a batch, unless the caller sets it.
constexpr std::size_t kBatchResidues = std::size_t{8} << 20, kBatchSequences = 100'000;

// A group of profiles and a block of sequences that are scored together.
struct Round {
  ScanGroup& group;
  ScanBatch& batch;
  PreparedBlock& block;
};

// The engine and the memory of one host thread.
struct HostWorker {
  explicit HostWorker(const SequenceBatch& sequences)
      : engine(make_simd_engine(1)), prepared(engine->prepare(sequences)), scores(sequences.size()) {}

  std::unique_ptr<ScoreEngine> engine;
  std::unique_ptr<PreparedBatch> prepared;
  std::vector<std::int32_t> scores;
};

class Scan {
 public:
  Scan(const ProfileOpener& open_profiles, bool reopenable, const SequenceOpener& open_sequences,
       const ScanOptions& options, ScanObserver& observer)
      : options_(options),
        observer_(observer),
        run_(options, observer),
        library_(open_profiles, reopenable, options.thresholds, options.kept_nodes, options.profiles),
        queries_(open_sequences(Alphabet::get(library_.alphabet())), options.thresholds.xnu, true) {}

  SearchStatistics run() {
    SearchStatistics& totals = run_.statistics;
    totals.batch_sequences = options_.batch_sequences > 0 ? options_.batch_sequences : kBatchSequences;
    totals.batch_residues = options_.batch_residues > 0 ? options_.batch_residues : kBatchResidues;
    const auto read = [&] { return queries_.next(totals.batch_sequences, totals.batch_residues); };
    SequenceBlock first = read();
    run_.check_alphabet(first.sequences, library_.alphabet(), queries_.name());
    read_ahead(std::move(first), read, [this](SequenceBlock& block) { pass(std::move(block)); });
    run_.engines(true);  // throws if making the engines failed
    return run_.finish();
  }

 private:
  void pass(SequenceBlock&& read) {
    PreparedBlock block(std::move(read));
    ScanBatch batch(block, options_.thresholds, options_.counting, options_.alignments, options_.wanted);
    run_.count(block);
    run_.enter_outer(block.read);
    const bool small = block.sequences.residue_count() < options_.small_batch;
    library_.pass(small ? options_.small_group_nodes : options_.large_group_nodes, !block.last,
                  [&](ScanGroup& group) {
                    add({group, batch, block}, small);
                  });
    report(batch);
  }

  // Scores the pairs of a round, and aligns the candidates.
  void add(const Round& round, bool small) {
    const ScanGroup& group = round.group;
    if (group.models.empty()) return;
    if (static_cast<std::uint64_t>(group.end()) <= options_.profiles.first) return pass_over(round);
    const double residues = static_cast<double>(round.block.sequences.residue_count());
    const double cells = group.nodes * residues;
    run_.enter_inner(group.read, cells);
    const unsigned threads = threads_for(cells + group.nodes * kCellsToConfigure);
    const bool only_group = group.first == 0 && group.last;
    const bool by_batch = !small || (options_.device_named ? only_group : group.models.size() < threads);
    if (by_batch || options_.device_named) {
      run_.begin_engines({cells, !round.block.last || !group.last}, group.models.size());
    }
    if (by_batch) {
      batch_by_batch(round);
    } else {
      profile_by_profile(round, threads);
    }
    run_.statistics.profiles = group.end();
    run_.statistics.cells += cells;
  }

  // Replays what the profiles before the wanted ones do to the queries' matrices.
  void pass_over(const Round& round) {
    const std::size_t count = round.group.models.size();
    parallel_for(options_.threads, count, 1,
                 [&](std::size_t m, std::size_t) { round.group.models[m].configure(); });
    align(round, 0, std::vector<QueryCandidates>(count));
  }

  // The number of threads that pays for this much work.
  unsigned threads_for(double cells) const {
    return static_cast<unsigned>(
        std::clamp(cells / kCellsPerThread, 1.0, static_cast<double>(options_.threads)));
  }

  // Each thread configures and scores its own profiles. If --device names a device, it scores further
  // profiles as soon as it has started, as many at a time as it can: with a single one, starting the kernel
  // takes longer than running it.
  void profile_by_profile(const Round& round, unsigned threads) {
    EnginePool* const engines = run_.engines(false);
    const unsigned calls = engines != nullptr ? engines->concurrency() : 0;
    const std::size_t count = round.group.models.size();
    std::vector<QueryCandidates> candidates(count);
    {
      const StageClock::Running running(run_.clocks.score);
      const std::size_t share = std::max<std::size_t>(1, count / (std::size_t{8} * threads));
      std::atomic<std::size_t> next = 0;
      // Calls score(place) for profiles that no other thread has taken, and takes `most` at a time.
      const auto score_rest = [&](std::size_t most, const auto& score) {
        for (std::size_t first; (first = next.fetch_add(most)) < count;) {
          for (std::size_t m = first; m < std::min(first + most, count); ++m) {
            run_.check_stop();
            round.group.models[m].configure();
            candidates[m] = score(m);
          }
        }
      };
      parallel_for(calls + threads, calls + threads, 1, [&](std::size_t worker, std::size_t) {
        if (worker < calls) {
          std::vector<std::int32_t> scores(round.batch.sequences().size());
          score_rest(1, [&](std::size_t m) { return score_by_engines(*engines, round, m, scores); });
        } else {
          HostWorker host(round.batch.sequences());
          score_rest(share, [&](std::size_t m) { return score_by_host(host, round, m); });
        }
      });
      run_.statistics.engine = make_simd_engine(1)->description() + " in each of " + std::to_string(threads);
      if (calls > 0) {
        run_.statistics.engine = engines->description() + " and " + run_.statistics.engine;
      }
    }
    align(round, 0, candidates);
  }

  // The engines score the batch with as many profiles at a time as they can; with several threads the hits of
  // profiles already scored are aligned at the same time.
  void batch_by_batch(const Round& round) {
    EnginePool* const engines = run_.engines(true);
    const std::size_t count = round.group.models.size();
    parallel_for(options_.threads, count, 1,
                 [&](std::size_t m, std::size_t) { round.group.models[m].configure(); });
    InOrder<QueryCandidates> scored(count,
                                    [&](std::size_t first, std::span<const QueryCandidates> candidates) {
                                      align(round, first, candidates);
                                    });
    const unsigned calls = engines != nullptr ? engines->concurrency() : 1;
    ScoreBuffers buffers;
    parallel_for(options_.threads > 1 ? calls + 1 : 1, count, 1, [&](std::size_t m, std::size_t) {
      QueryCandidates candidates;
      buffers.lend(round.batch.sequences().size(), [&](std::span<std::int32_t> scores) {
        candidates =
            engines != nullptr ? score_by_engines(*engines, round, m, scores) : select(round, m, scores);
      });
      scored.put(m, std::move(candidates));
    });
    if (engines != nullptr) run_.statistics.engine = engines->description();
  }

  QueryCandidates score_by_engines(EnginePool& engines, const Round& round, std::size_t place,
                                   std::span<std::int32_t> scores) {
    run_.check_stop();
    const RunProfile& profile = round.group.models[place];
    {
      const StageClock::Running running(run_.clocks.score);
      const EnginePool::Devices devices =
          engines.score(*profile.model, *round.block.prepared, threshold_of(profile), scores);
      engines.verify(devices, *profile.model, round.batch.sequences(), false, scores, options_.threads);
    }
    return select(round, place, scores);
  }

  QueryCandidates score_by_host(HostWorker& host, const Round& round, std::size_t place) {
    const RunProfile& profile = round.group.models[place];
    if (!options_.thresholds.forward) {
      host.engine->score(*profile.model, *host.prepared, threshold_of(profile), host.scores);
      run_.meter().add_work(static_cast<std::int64_t>(round.batch.sequences().residue_count()) *
                            profile.profile.nodes);
    }
    return select(round, place, host.scores);
  }

  QueryCandidates select(const Round& round, std::size_t place, std::span<const std::int32_t> scores) const {
    return round.batch.select(round.group.models[place], round.group.first + static_cast<std::int64_t>(place),
                              library_.known(), scores);
  }

  std::int32_t threshold_of(const RunProfile& profile) const {
    return ScanBatch::filter_threshold(profile, library_.known());
  }

  // Aligns the candidates of consecutive profiles, the first one at place `first` of the group.
  void align(const Round& round, std::size_t first, std::span<const QueryCandidates> candidates) {
    const StageClock::Running running(run_.clocks.rescore);
    round.batch.add(round.group, first, candidates, library_.known(), options_.threads, run_.meter());
  }

  void report(ScanBatch& batch) {
    const SequenceBatch& queries = batch.sequences();
    std::vector<ScanResult> results(queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i) {
      ScanResult& result = results[i];
      result.hits = batch.finish(i, library_.known());
      result.thresholds = report_thresholds(!result.hits.sequences.empty());
      result.profiles = library_.known();
      const double given = options_.thresholds.database_size.value_or(0);
      result.database_size = given != 0 ? given : static_cast<double>(result.profiles);
    }
    RunResults written(run_, queries.size());
    parallel_for(options_.threads, queries.size(), kQueriesPerThread,
                 [&](std::size_t first, std::size_t last) {
                   for (std::size_t i = first; i < last; ++i) {
                     written.put(i, [&] { return observer_.result(queries[i], std::move(results[i])); });
                   }
                 });
  }

  Thresholds report_thresholds(bool any_registered) {
    any_registered_ = any_registered_ || any_registered;
    if (options_.counting == ScanCounting::Serial) {
      return scan_report_thresholds(library_.last_thresholds(), any_registered);
    }
    // As in threaded HMMER, whose reporting thread never sees the thresholds of single profiles.
    return scan_report_thresholds(options_.thresholds, any_registered_);
  }

  const ScanOptions& options_;
  ScanObserver& observer_;
  Run run_;
  ScanLibrary library_;
  SequenceBlocks queries_;
  bool any_registered_ = false;  // for any query so far
};

}  // namespace

SearchStatistics scan(const ProfileOpener& open_profiles, bool reopenable,
                      const SequenceOpener& open_sequences, const ScanOptions& options,
                      ScanObserver& observer) {
  return Scan(open_profiles, reopenable, open_sequences, options, observer).run();
}

}  // namespace gpuhmm
