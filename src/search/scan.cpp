// The streaming scan; see the header.
#include "search/scan.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plan7/reporting.hpp"
#include "plan7/xnu.hpp"
#include "formats/sequence/likely_alphabet.hpp"
#include "util/in_order.hpp"
#include "util/parallel.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

namespace {

// The work that is worth another thread, in cells, and what configuring a node takes, likewise.
constexpr double kCellsPerThread = 1e7, kCellsToConfigure = 8'000;

// Reports that are worth another thread.
constexpr std::size_t kQueriesPerThread = 64;

// Sequences scanned together.
struct Block {
  SequenceBatch sequences;
  bool last = true;
  std::optional<double> read;  // the part of the file up to its end
  double seconds = 0;
};

// What a thread of profile_by_profile works with.
struct ProfileWorker {
  // Without an engine of its own it works for the engine of all.
  ProfileWorker(std::unique_ptr<ScoreEngine> own_engine, const SequenceBatch& sequences)
      : engine(std::move(own_engine)),
        prepared(engine ? engine->prepare(sequences) : nullptr),
        scores(sequences.size()) {}

  std::unique_ptr<ScoreEngine> engine;
  std::unique_ptr<PreparedBatch> prepared;
  std::vector<std::int32_t> scores;
};

// Engines made in a thread of their own, and what the user is to be told of them.
struct NewScorer {
  std::unique_ptr<Scorer> scorer;
  std::vector<std::string> warnings;
};

class Scan {
 public:
  Scan(const ProfileOpener& open_profiles, bool reopenable, const SequenceOpener& open_sequences,
       const ScanOptions& options, ScanObserver& observer)
      : options_(options),
        observer_(observer),
        meter_(options.meter != nullptr ? *options.meter : own_meter_),
        library_(open_profiles, reopenable, options.thresholds, options.kept_nodes),
        reader_(open_sequences(Alphabet::get(library_.alphabet()))) {}

  SearchStatistics run() {
    Block block = read_block_of_queries();
    if (options_.check_alphabet) {
      const auto warning = alphabet_warning(block.sequences, library_.alphabet(), reader_->name());
      if (warning) observer_.warning(*warning);
    }
    for (;;) {
      std::future<Block> next;
      if (!block.last) {
        next = std::async(std::launch::async, [this] { return read_block_of_queries(); });
      }
      statistics_.seconds.parse += block.seconds;
      scan_block(block);
      if (block.last) {
        take_scorer(true);  // or learn what went wrong
        return statistics_;
      }
      block = next.get();
    }
  }

 private:
  Block read_block_of_queries() {
    Block block;
    const Stopwatch watch(block.seconds);
    SequenceBatch& batch = block.sequences;
    block.last = !read_block(*reader_, batch, options_.batch_sequences, options_.batch_residues) ||
                 (batch.size() < options_.batch_sequences && batch.residue_count() < options_.batch_residues);
    if (options_.thresholds.xnu) {
      for (std::size_t i = 0; i < batch.size(); ++i) mask_repeats(batch.mutable_residues(i));
    }
    block.read = block.last ? 1.0 : reader_->fraction_read();
    return block;
  }

  void scan_block(const Block& block) {
    const SequenceBatch& sequences = block.sequences;
    ScanBatch batch(sequences, options_.thresholds, statistics_.sequences == 0, options_.counting,
                    options_.alignments);
    Scorer::Batch prepared(sequences);
    const bool small = sequences.residue_count() < options_.small_batch;
    statistics_.residues += static_cast<std::int64_t>(sequences.residue_count());
    library_.pass(small ? options_.small_group_nodes : options_.large_group_nodes, !block.last,
                  [&](ScanGroup& group, std::optional<double> done) {
                    begin_to_count(group, sequences, block, done);
                    const unsigned threads = threads_for(group, sequences);
                    const bool more = !block.last || !group.last;
                    const bool only_group = group.first == 0 && group.last;
                    if (!small || (options_.device_named ? only_group : group.models.size() < threads)) {
                      batch_by_batch(group, batch, prepared, more);
                    } else {
                      if (options_.device_named) begin_scorer(group, sequences, more);
                      profile_by_profile(group, batch, prepared, threads);
                    }
                    count(group, sequences);
                  });
    report(batch);
    statistics_.sequences += static_cast<std::int64_t>(sequences.size());
    read_before_ = block.read;
  }

  // As many threads as the work is worth.
  unsigned threads_for(const ScanGroup& group, const SequenceBatch& sequences) const {
    const double cells = group.nodes * (static_cast<double>(sequences.residue_count()) + kCellsToConfigure);
    return static_cast<unsigned>(
        std::clamp(cells / kCellsPerThread, 1.0, static_cast<double>(options_.threads)));
  }

  // Each thread configures and scores profiles of its own. A device that was named takes, once it has
  // started, as many at a time as it can beside them: for a single one a kernel takes longer to start than to
  // run.
  void profile_by_profile(ScanGroup& group, ScanBatch& batch, Scorer::Batch& prepared, unsigned threads) {
    take_scorer(false);
    const unsigned lanes = scorer_ ? scorer_->engine().concurrency() : 0;
    std::vector<QueryCandidates> candidates(group.models.size());
    {
      const StageClock::Running running(score_clock_);
      const std::size_t block = std::max<std::size_t>(1, candidates.size() / (std::size_t{8} * threads));
      std::atomic<std::size_t> next = 0;
      parallel_for(lanes + threads, lanes + threads, 1, [&](std::size_t worker, std::size_t) {
        ProfileWorker work(worker < lanes ? nullptr : make_simd_engine(1), batch.sequences());
        const std::size_t most = worker < lanes ? 1 : block;
        for (std::size_t first; (first = next.fetch_add(most)) < candidates.size();) {
          const std::size_t last = std::min(first + most, candidates.size());
          for (std::size_t m = first; m < last; ++m) {
            group.models[m].configure();
            if (work.engine == nullptr) {
              candidates[m] = score_model(group, m, batch, prepared, work.scores);
              continue;
            }
            if (!options_.thresholds.forward) {
              work.engine->score(*group.models[m].model, *work.prepared, threshold_of(group.models[m]),
                                 work.scores);
              meter_.add_work(static_cast<std::int64_t>(batch.sequences().residue_count()) *
                              group.models[m].profile.nodes);
            }
            candidates[m] = select(group, m, batch, work.scores);
          }
        }
      });
      statistics_.engine = make_simd_engine(1)->description() + " in each of " + std::to_string(threads);
      if (lanes > 0) statistics_.engine = scorer_->engine().description() + " and " + statistics_.engine;
    }
    const StageClock::Running running(rescore_clock_);
    batch.add(group, 0, candidates, library_.known(), options_.threads, &meter_);
  }

  // A device, or all threads, score the batch with as many profiles at a time as the engine takes; with
  // several threads the hits of those scored are aligned meanwhile.
  void batch_by_batch(ScanGroup& group, ScanBatch& batch, Scorer::Batch& prepared, bool more) {
    prepare_scorer(group, batch.sequences(), more);
    parallel_for(options_.threads, group.models.size(), 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t m = first; m < last; ++m) group.models[m].configure();
    });
    InOrder<QueryCandidates> scored(
        group.models.size(), [&](std::size_t first, std::span<const QueryCandidates> candidates) {
          const StageClock::Running running(rescore_clock_);
          batch.add(group, first, candidates, library_.known(), options_.threads, &meter_);
        });
    const unsigned lanes = scorer_ ? scorer_->engine().concurrency() : 1;
    parallel_for(options_.threads > 1 ? lanes + 1 : 1, group.models.size(), 1,
                 [&](std::size_t first, std::size_t last) {
                   std::vector<std::int32_t> scores(batch.sequences().size());
                   for (std::size_t m = first; m < last; ++m) {
                     scored.put(m, score_model(group, m, batch, prepared, scores));
                   }
                 });
    if (scorer_) statistics_.engine = scorer_->engine().description();
  }

  QueryCandidates score_model(const ScanGroup& group, std::size_t place, const ScanBatch& batch,
                              Scorer::Batch& prepared, std::span<std::int32_t> scores) {
    const ScanModel& model = group.models[place];
    if (!options_.thresholds.forward) {
      const StageClock::Running running(score_clock_);
      const ScoreEngine& engine = scorer_->score(*model.model, prepared, threshold_of(model), scores);
      scorer_->verify(engine, *model.model, batch.sequences(), false, scores, options_.threads);
    }
    return select(group, place, batch, scores);
  }

  QueryCandidates select(const ScanGroup& group, std::size_t place, const ScanBatch& batch,
                         std::span<const std::int32_t> scores) const {
    return batch.select(group.models[place], group.first + static_cast<std::int64_t>(place), library_.known(),
                        scores);
  }

  std::int32_t threshold_of(const ScanModel& model) const {
    return ScanBatch::filter_threshold(model, library_.known());
  }

  void prepare_scorer(const ScanGroup& group, const SequenceBatch& sequences, bool more) {
    if (options_.thresholds.forward) return;
    begin_scorer(group, sequences, more);
    take_scorer(true);
  }

  // Starts to make engines in a thread, unless that was done before.
  void begin_scorer(const ScanGroup& group, const SequenceBatch& sequences, bool more) {
    if (scorer_ || scorer_to_come_.valid() || options_.thresholds.forward) return;
    const double cells = group.nodes * static_cast<double>(sequences.residue_count());
    scorer_to_come_ = std::async(std::launch::async, [this, cells, more, profiles = group.models.size()] {
      NewScorer made;
      auto engines = options_.make_engines(
          {cells, more, profiles}, [&made](const std::string& message) { made.warnings.push_back(message); });
      const Warning warn = [this](const std::string& message) { observer_.warning(message); };
      made.scorer = std::make_unique<Scorer>(std::move(engines), warn, options_.verification, &meter_);
      return made;
    });
  }

  // Takes the engines begun, if they are there or if `wait`.
  void take_scorer(bool wait) {
    if (!scorer_to_come_.valid()) return;
    if (!wait && scorer_to_come_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    NewScorer made = scorer_to_come_.get();
    for (const std::string& message : made.warnings) observer_.warning(message);
    scorer_ = std::move(made.scorer);
  }

  // `done`: the part of the profiles up to the end of the group.
  void begin_to_count(const ScanGroup& group, const SequenceBatch& sequences, const Block& block,
                      std::optional<double> done) {
    const auto of_run = [&](std::optional<double> part) -> std::optional<double> {
      if (!read_before_ || !block.read || !part) return std::nullopt;
      return *read_before_ + (*block.read - *read_before_) * *part;
    };
    const std::optional<double> before = group.first == 0 ? 0.0 : profiles_before_;
    profiles_before_ = done;
    meter_.begin(of_run(before), of_run(done),
                 search_amount(group.nodes * static_cast<double>(sequences.residue_count())));
  }

  void count(const ScanGroup& group, const SequenceBatch& sequences) {
    statistics_.profiles = group.end();
    statistics_.cells += group.nodes * static_cast<double>(sequences.residue_count());
    statistics_.seconds.score = score_clock_.seconds();
    statistics_.seconds.rescore = rescore_clock_.seconds();
    if (scorer_) statistics_.seconds.engine = scorer_->times();
  }

  void report(ScanBatch& batch) {
    const Stopwatch watch(statistics_.seconds.report);
    const SequenceBatch& queries = batch.sequences();
    std::vector<ScanResult> results(queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i) {
      ScanResult& result = results[i];
      result.hits = batch.finish(i, library_.known());
      result.thresholds = report_thresholds(!result.hits.sequences.empty());
      result.profiles = library_.known();
      const int given = options_.thresholds.database_size.value_or(0);
      result.database_size = given != 0 ? given : static_cast<double>(result.profiles);
    }
    InOrder<ResultWriter> writers(queries.size(), [](std::size_t, std::span<const ResultWriter> next) {
      for (const ResultWriter& writer : next) writer();
    });
    parallel_for(options_.threads, queries.size(), kQueriesPerThread,
                 [&](std::size_t first, std::size_t last) {
                   for (std::size_t i = first; i < last; ++i) {
                     writers.put(i, observer_.result(queries[i], std::move(results[i])));
                   }
                 });
  }

  Thresholds report_thresholds(bool any_registered) {
    any_registered_ = any_registered_ || any_registered;
    if (options_.counting == ScanCounting::Serial) {
      return scan_report_thresholds(library_.last_thresholds(), any_registered);
    }
    // the thread that writes the report never sees thresholds of single profiles
    return scan_report_thresholds(options_.thresholds, any_registered_);
  }

  const ScanOptions& options_;
  ScanObserver& observer_;
  WorkMeter own_meter_;
  WorkMeter& meter_;
  ScanLibrary library_;
  std::unique_ptr<SequenceReader> reader_;
  std::unique_ptr<Scorer> scorer_;
  std::future<NewScorer> scorer_to_come_;
  SearchStatistics statistics_;
  StageClock score_clock_, rescore_clock_;
  std::optional<double> read_before_ = 0.0;  // the part of the sequences in the batches before
  std::optional<double> profiles_before_;    // the part of the profiles in the groups before
  bool any_registered_ = false;              // for any query so far
};

}  // namespace

SearchStatistics scan(const ProfileOpener& open_profiles, bool reopenable,
                      const SequenceOpener& open_sequences, const ScanOptions& options,
                      ScanObserver& observer) {
  return Scan(open_profiles, reopenable, open_sequences, options, observer).run();
}

}  // namespace gpuhmm
