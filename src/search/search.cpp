// The streaming search; see the header.
#include "search/search.hpp"

#include <algorithm>
#include <future>
#include <limits>
#include <list>
#include <map>
#include <mutex>
#include <utility>

#include "plan7/xnu.hpp"
#include "formats/sequence/likely_alphabet.hpp"
#include "search/batch_pass.hpp"
#include "util/in_order.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

namespace {

// Cells whose hits may take longer to align than a thread takes to start.
constexpr double kWorthAThread = 1e6;

// Residues read before an engine is chosen.
constexpr std::size_t kFirstRead = std::size_t{8} << 20;

// Profiles searched together in one pass over the database.
struct Group {
  std::list<Profile> profiles;  // a list, since searches refer to its members
  std::list<ProfileSearch> searches;
};

// From where to where a stretch of the work goes, as fractions of the whole, if they are known; at first none
// of it.
struct Stretch {
  std::optional<double> from, to = 0.0;

  // The stretch after this one, up to `next`.
  Stretch then(std::optional<double> next) const { return {to, next}; }
  // The place at `part`, 0 to 1, of this stretch.
  std::optional<double> at(std::optional<double> part) const {
    if (!from || !to || !part) return std::nullopt;
    return *from + (*to - *from) * *part;
  }
};

class Search {
 public:
  Search(ProfileReader& profiles, const SequenceOpener& open_sequences, bool reopenable,
         const SearchOptions& options, SearchObserver& observer)
      : profiles_(profiles),
        open_sequences_(open_sequences),
        reopenable_(reopenable),
        options_(options),
        observer_(observer),
        meter_(options.meter != nullptr ? *options.meter : own_meter_) {}

  SearchStatistics run() {
    bool more = true;
    while (more) {
      Group group;
      more = read_group(group);
      if (group.profiles.empty()) break;
      profiles_read_ = profiles_read_.then(more ? profiles_.fraction_read() : 1.0);
      pass(group);
    }
    update_times();
    return statistics_;
  }

 private:
  struct Block {
    std::unique_ptr<NumberedBatch> batch;
    bool last = true;
    std::optional<double> read;  // the part of the database up to its end
    double seconds = 0;
  };

  bool read_group(Group& group) {
    const std::size_t limit = reopenable_ ? options_.group_nodes : std::numeric_limits<std::size_t>::max();
    for (std::size_t nodes = 0; nodes < limit;) {
      if (profiles_taken_ == options_.most_profiles) return false;
      std::optional<Profile> profile = profiles_.next();
      if (!profile) return false;
      ++profiles_taken_;
      nodes += static_cast<std::size_t>(profile->nodes);
      check_masking(*profile, options_.thresholds);
      const Thresholds thresholds = thresholds_for(*profile, options_.thresholds);
      group.profiles.push_back(std::move(*profile));
      group.searches.emplace_back(group.profiles.back(), thresholds, options_.alignments);
    }
    return true;
  }

  // Residues of a batch: what was asked for or, once that is known, what the engine prefers. Until then what
  // is enough to choose the engine, and all that the host wants.
  std::size_t batch_residues() const {
    if (options_.batch_residues > 0) return options_.batch_residues;
    return scorer_ ? scorer_->engine().preferred_batch() : kFirstRead;
  }

  // Appends to a batch up to its bounds.
  void fill(SequenceReader& reader, SequenceBatch& batch, Block& block) const {
    const Stopwatch watch(block.seconds);
    const std::size_t most = batch_residues();
    block.last = !read_block(reader, batch, options_.batch_sequences, most) ||
                 (batch.size() < options_.batch_sequences && batch.residue_count() < most);
    block.read = block.last ? 1.0 : reader.fraction_read();
  }

  void finish(SequenceBatch&& batch, std::int64_t counted, Block& block) const {
    const Stopwatch watch(block.seconds);
    if (options_.thresholds.xnu) {
      for (std::size_t i = 0; i < batch.size(); ++i) mask_repeats(batch.mutable_residues(i));
    }
    block.batch = std::make_unique<NumberedBatch>(std::move(batch), counted, options_.count_empty);
  }

  Block read_batch(SequenceReader& reader, std::int64_t counted) const {
    Block block;
    SequenceBatch batch;
    fill(reader, batch, block);
    finish(std::move(batch), counted, block);
    return block;
  }

  // The first batch of a group; makes the scorer when some of it has been read, and reads on if the engine
  // prefers larger batches.
  Block read_first_batch(SequenceReader& reader, const Group& group) {
    Block block;
    SequenceBatch batch;
    fill(reader, batch, block);
    prepare_scorer(group, batch.residue_count(), block);
    if (!block.last && batch.residue_count() < batch_residues()) fill(reader, batch, block);
    finish(std::move(batch), 0, block);
    return block;
  }

  void pass(Group& group) {
    batches_read_ = {};
    if (whole_) {  // the whole database is still there from the group before
      batches_read_ = batches_read_.then(1.0);
      score(group, *whole_, *whole_prepared_, true);
      return;
    }
    const std::unique_ptr<SequenceReader> reader =
        open_sequences_(Alphabet::get(group.profiles.front().alphabet));
    Block block = read_first_batch(*reader, group);
    if (options_.check_alphabet && statistics_.sequences == 0) {
      const auto warning =
          alphabet_warning(block.batch->sequences, group.profiles.front().alphabet, reader->name());
      if (warning) observer_.warning(*warning);
    }
    statistics_.sequences = 0;
    statistics_.residues = 0;
    for (;;) {
      batches_read_ = batches_read_.then(block.read);
      statistics_.seconds.parse += block.seconds;
      statistics_.sequences = block.batch->counted_after;
      statistics_.residues += static_cast<std::int64_t>(block.batch->sequences.residue_count());
      std::future<Block> next;
      if (!block.last) {
        next = std::async(std::launch::async, [this, &reader, counted = block.batch->counted_after] {
          return read_batch(*reader, counted);
        });
      }
      auto prepared = std::make_unique<Scorer::Batch>(block.batch->sequences);
      score(group, *block.batch, *prepared, block.last);
      if (block.last) {
        if (block.batch->counted_before == 0 && reopenable_) {
          whole_ = std::move(block.batch);
          whole_prepared_ = std::move(prepared);
        }
        return;
      }
      prepared.reset();
      block = next.get();
    }
  }

  // `residues`: read so far, the part block.read of the database.
  void prepare_scorer(const Group& group, std::size_t residues, const Block& block) {
    if (scorer_ || options_.thresholds.forward) return;
    double cells = 0;
    for (const Profile& profile : group.profiles) cells += profile.nodes;
    cells *= static_cast<double>(residues) / std::max(block.read.value_or(1.0), 1e-6);
    const Warning warn = [this](const std::string& message) {
      const std::lock_guard lock(observer_mutex_);
      observer_.warning(message);
    };
    scorer_ =
        std::make_unique<Scorer>(options_.make_engines({cells, !block.read, group.profiles.size()}, warn),
                                 warn, options_.verification, &meter_);
  }

  // With `last`, profiles are reported in their order as soon as they are finished.
  void score(Group& group, const NumberedBatch& batch, Scorer::Batch& prepared, bool last) {
    double nodes = 0;
    for (const Profile& profile : group.profiles) nodes += profile.nodes;
    const double residues = static_cast<double>(batch.sequences.residue_count());
    const PassOptions pass{
        options_.histogram, !options_.thresholds.forward, options_.threads,
        options_.threads > 1 && group.searches.size() > 1 && nodes * residues > kWorthAThread, &meter_};
    meter_.begin(profiles_read_.at(batches_read_.from), profiles_read_.at(batches_read_.to),
                 search_amount(nodes * residues));
    std::map<const ProfileSearch*, std::size_t> places;
    for (const ProfileSearch& search : group.searches) places.emplace(&search, places.size());
    InOrder<ResultWriter> writers(places.size(), [&](std::size_t, std::span<const ResultWriter> next) {
      for (const ResultWriter& writer : next) write(writer);
    });
    pass_batch(group.searches, batch, scorer_.get(), prepared, pass, clocks_, [&](ProfileSearch& search) {
      {
        const std::lock_guard lock(observer_mutex_);
        const double cells = search.profile().nodes * residues;
        statistics_.cells += cells;
        meter_.settle(search_amount(cells));
      }
      if (last) writers.put(places.at(&search), make_writer(search));
    });
  }

  void update_times() {
    statistics_.seconds.score = clocks_.score.seconds();
    statistics_.seconds.rescore = clocks_.rescore.seconds();
    statistics_.seconds.report = clocks_.report.seconds();
    statistics_.seconds.align = clocks_.align.times();
    if (!scorer_) return;
    statistics_.seconds.engine = scorer_->times();
    statistics_.engine = scorer_->engine().description();
  }

  ResultWriter make_writer(ProfileSearch& search) {
    const StageClock::Running running(clocks_.report);
    return observer_.result(search.profile(), search.thresholds(), search.finish());
  }

  void write(const ResultWriter& writer) {
    const std::lock_guard lock(observer_mutex_);
    const StageClock::Running running(clocks_.report);
    ++statistics_.profiles;
    writer();
  }

  ProfileReader& profiles_;
  const SequenceOpener& open_sequences_;
  bool reopenable_;
  const SearchOptions& options_;
  SearchObserver& observer_;
  WorkMeter own_meter_;
  WorkMeter& meter_;
  std::mutex observer_mutex_;  // of observer_ and statistics_ during a pass
  SearchStatistics statistics_;
  std::int64_t profiles_taken_ = 0;
  PassClocks clocks_;
  Stretch profiles_read_;  // the group searched, in the profile file
  Stretch batches_read_;   // the batch scored, in the database
  std::unique_ptr<Scorer> scorer_;
  std::unique_ptr<NumberedBatch> whole_;
  std::unique_ptr<Scorer::Batch> whole_prepared_;
};

}  // namespace

SearchStatistics search(ProfileReader& profiles, const SequenceOpener& open_sequences, bool reopenable,
                        const SearchOptions& options, SearchObserver& observer) {
  auto search = std::make_unique<Search>(profiles, open_sequences, reopenable, options, observer);
  const SearchStatistics statistics = search->run();
  if (options.ends_program) static_cast<void>(search.release());
  return statistics;
}

}  // namespace gpuhmm
