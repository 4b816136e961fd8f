// The two loops of a scan with HMMER3 profiles: blocks of sequences, and groups of profiles.
#include <algorithm>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gpuhmm/hmmer3_run.hpp"
#include "hmmer3/comparison.hpp"
#include "hmmer3/hit_list.hpp"
#include "hmmer3/pressing/pressed_library.hpp"
#include "search/hmmer3_comparisons.hpp"
#include "search/hmmer3_completion.hpp"
#include "search/hmmer3_device_use.hpp"
#include "search/hmmer3_sizes.hpp"
#include "search/run.hpp"
#include "util/parallel.hpp"
#include "util/read_ahead.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm::hmmer3 {

namespace {

// Residues of a block up to which pressed profiles are read only as far as the filters let sequences pass.
// With more, wide vectors gain more than reading costs.
constexpr std::size_t kFewResidues = 10000;

// Consecutive profiles of the library: read from a profile file or from a pressed database.
struct ProfileGroup {
  std::size_t size() const { return pressed ? pressed->records().size() : profiles.size(); }
  AlphabetKind alphabet() const {
    return pressed ? pressed->records().front().alphabet : profiles.front().alphabet;
  }

  std::vector<Profile> profiles;
  std::optional<PressedGroup> pressed;
  std::int64_t before = 0;  // profiles before this group
  double nodes = 0;
  bool last = true;
  std::optional<double> read;
};

class ProfileGroups {
 public:
  // `range`: the profiles to give.
  ProfileGroups(ProfileReader&& reader, double nodes, const RecordRange& range)
      : reader_(std::move(reader)), pressed_(PressedLibrary::of(reader_)), nodes_(nodes), range_(range) {}

  ProfileGroup next() {
    while (count_ < range_.first && !read(nodes_, range_.first - count_).last) {
    }
    if (alphabet_ && count_ >= range_.end) return {};
    ProfileGroup group = read(nodes_, range_.empty() ? 1 : range_.end - count_);
    return range_.empty() ? ProfileGroup{} : std::move(group);
  }

  // The alphabet of all profiles; nothing if the file holds none.
  std::optional<AlphabetKind> alphabet() const { return alphabet_; }

 private:
  // Profiles, until they have `nodes` nodes together or are `most`.
  ProfileGroup read(double nodes, std::uint64_t most) {
    ProfileGroup group;
    group.before = static_cast<std::int64_t>(count_);
    group.last = false;
    pressed_ ? read_pressed(group, nodes, most) : read_file(group, nodes, most);
    count_ += group.size();
    if (group.size() > 0) alphabet_ = group.alphabet();
    group.last = group.last || count_ >= range_.end;
    return group;
  }

  void read_pressed(ProfileGroup& group, double nodes, std::uint64_t most) {
    group.pressed = pressed_->next(nodes, most);
    for (const FilterRecord& record : group.pressed->records()) group.nodes += record.costs.nodes;
    group.last = pressed_->at_end();
    group.read = pressed_->fraction_read();
  }

  void read_file(ProfileGroup& group, double nodes, std::uint64_t most) {
    while (group.nodes < nodes && group.profiles.size() < most && !group.last) {
      std::optional<Profile> profile = reader_.next();
      group.last = !profile;
      if (group.last) break;
      group.nodes += profile->nodes;
      group.profiles.push_back(std::move(*profile));
    }
    group.read = group.last ? 1.0 : reader_.fraction_read();
  }

  ProfileReader reader_;
  std::optional<PressedLibrary> pressed_;
  double nodes_;
  RecordRange range_;
  std::uint64_t count_ = 0;  // profiles read
  std::optional<AlphabetKind> alphabet_;
};

class Scan {
 public:
  Scan(const ProfileOpener& open_profiles, bool reopenable, const SequenceOpener& open_sequences,
       const SearchOptions& options, SearchObserver& observer)
      : open_profiles_(open_profiles),
        reopenable_(reopenable),
        open_sequences_(open_sequences),
        options_(options),
        observer_(observer),
        run_(options, observer),
        devices_(options, DeviceTeams::One, [this](const std::string& message) { run_.warn(message); }) {}

  SearchStatistics run() {
    // The alphabet of the sequences is that of the first profile.
    ProfileGroups groups = open_groups();
    ProfileGroup first = groups.next();
    if (!groups.alphabet()) return run_.finish();
    const AlphabetKind alphabet = *groups.alphabet();
    SequenceBlocks sequences(open_sequences_(Alphabet::get(alphabet)), false, true);
    if (options_.results_before_errors) sequences.end_at_errors();
    constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
    run_.statistics.batch_sequences = reopenable_ ? block_sequences(options_) : kAll;
    const auto residues = [&] { return reopenable_ ? scan_residues(options_, devices_.teams()) : kAll; };
    const auto read = [&] { return sequences.next(run_.statistics.batch_sequences, residues()); };
    bool opened = true;
    SequenceBlock start = read();
    run_.check_alphabet(start.sequences, alphabet, sequences.name());
    read_ahead(std::move(start), read, [&](SequenceBlock& block) {
      run_.count(block);
      run_.enter_outer(block.read);
      if (!opened) {
        groups = open_groups();
        first = groups.next();
      }
      opened = false;
      scan_block(block, groups, std::move(first));
    });
    run_.statistics.batch_residues = residues();
    devices_.describe(run_.statistics);
    if (sequences.failure()) {
      observer_.interrupted(std::nullopt);
      std::rethrow_exception(sequences.failure());
    }
    return run_.finish();
  }

 private:
  ProfileGroups open_groups() const {
    return {open_profiles_(), static_cast<double>(options_.group_nodes), options_.profiles};
  }

  void scan_block(const SequenceBlock& block, ProfileGroups& groups, ProfileGroup first) {
    results_.assign(block.sequences.size(), {});
    impossible_.emplace(FirstImpossible::Order::Scan);
    seconds_ = 0;
    std::int64_t models = 0;
    double nodes = 0;
    read_ahead(
        std::move(first), [&] { return groups.next(); },
        [&](ProfileGroup& group) {
          const Stopwatch watch(seconds_);
          const StageClock::Running running(run_.clocks.score);
          const double residues = static_cast<double>(block.sequences.residue_count());
          run_.enter_inner(group.read, group.nodes * residues);
          scan_group(block, group);
          models += static_cast<std::int64_t>(group.size());
          nodes += group.nodes;
          run_.statistics.cells += group.nodes * residues;
        });
    run_.statistics.profiles = models;
    finish(block, models, nodes);
  }

  void scan_group(const SequenceBlock& block, ProfileGroup& group) {
    const bool on_host = devices_.teams() == 0;
    if (on_host && group.pressed && block.sequences.residue_count() <= kFewResidues) {
      return scan_pressed(block, group);
    }
    // A device takes many profiles at a time.
    const std::size_t at_once = on_host ? profiles_at_once(options_.threads) : group.size();
    for (std::size_t first = 0; first < group.size(); first += at_once)
      scan_profiles(block, group, first, std::min(at_once, group.size() - first));
  }

  // Compares `count` profiles of the group from number `first` on.
  void scan_profiles(const SequenceBlock& block, ProfileGroup& group, std::size_t first, std::size_t count) {
    const Models models = models_of(group, first, count);
    std::optional<StageDevices::Pass> on_devices;
    std::vector<const SearchProfile*> pointers;
    for (const auto& model : models) pointers.push_back(model.get());
    devices_.prepare(block.sequences, pointers, !block.last || !group.last);
    devices_.begin(on_devices, 0, block.sequences, std::move(pointers));
    const bool only_first = DeviceUse::for_stages(on_devices) != nullptr;
    const auto make = [&](std::size_t p) {
      run_.check_stop();
      return std::make_unique<StagedComparison>(*models[p], block.sequences, options_.hmmer3,
                                                place_of(group, first + p),
                                                on_devices ? on_devices->take(p) : std::nullopt, only_first);
    };
    std::vector<double> seconds(count);
    const StagedComparisons compared = filtered(count, options_.threads, make, seconds, run_.clocks.score);
    StageDevices* const devices = DeviceUse::for_stages(on_devices);
    if (devices != nullptr) devices->run_stages(block.sequences, true, compared);
    complete(compared, options_.threads, devices, seconds, run_.clocks.score, [this] { run_.check_stop(); });
    parallel_for(options_.threads, count, 1, [&](std::size_t p, std::size_t) {
      add(compared[p]->results(), models[p]->profile, group.before + static_cast<std::int64_t>(first + p));
      count_progress(block, models[p]->profile.nodes);
    });
  }

  using Models = std::vector<std::unique_ptr<const SearchProfile>>;
  // `count` whole profiles of the group from number `first` on.
  Models models_of(ProfileGroup& group, std::size_t first, std::size_t count) const {
    Models models(count);
    parallel_for(options_.threads, count, 1, [&](std::size_t p, std::size_t) {
      models[p] = group.pressed ? std::make_unique<const SearchProfile>(
                                      group.pressed->whole(group.pressed->records()[first + p], true))
                                : std::make_unique<const SearchProfile>(std::move(group.profiles[first + p]));
    });
    return models;
  }

  ComparisonPlace place_of(const ProfileGroup& group, std::size_t number) {
    return {*impossible_, static_cast<std::uint64_t>(group.before) + number, 0};
  }

  // Reads profiles only as far as the filters let sequences pass.
  void scan_pressed(const SequenceBlock& block, const ProfileGroup& group) {
    const std::vector<FilterRecord>& records = group.pressed->records();
    const Sharing sharing(options_.threads, records.size());
    parallel_for(sharing.side_by_side, records.size(), 1, [&](std::size_t p, std::size_t) {
      run_.check_stop();
      const FilterRecord& record = records[p];
      std::optional<SearchProfile> whole;
      const auto complete = [&]() -> const SearchProfile& {
        return whole.emplace(group.pressed->whole(record, false));
      };
      Comparisons compared =
          compare(FirstFilter{record.name, record.statistics, record.costs, complete}, block.sequences,
                  options_.hmmer3, place_of(group, p), sharing.threads_each);
      // Otherwise no sequence has passed a filter.
      if (whole) add(std::move(compared), whole->profile, group.before + static_cast<std::int64_t>(p));
      count_progress(block, record.costs.nodes);
    });
  }

  void count_progress(const SequenceBlock& block, double nodes) {
    run_.meter().complete(search_amount(nodes * static_cast<double>(block.sequences.residue_count())));
  }

  // `index`: of the profile in the library, from 0.
  void add(Comparisons&& compared, const Profile& profile, std::int64_t index) {
    const Options& options = options_.hmmer3;
    const std::optional<Cutoff> cutoff = cutoff_of(profile, options.cutoff);
    const auto needs_it = std::find_if(compared.stages.begin(), compared.stages.end(),
                                       [](Stage stage) { return stage >= Stage::Bias; });
    const double targets = options.targets.value_or(static_cast<double>(index + 1));
    const std::lock_guard lock(mutex_);
    if (options.cutoff != CutoffKind::None && !cutoff && needs_it != compared.stages.end()) {
      const Missing missing{needs_it - compared.stages.begin(), index, profile.name};
      missing_ = std::min(missing_.value_or(missing), missing);
    }
    for (std::size_t i = 0; i < compared.stages.size(); ++i)
      count_stage(results_[i].counters, compared.stages[i]);
    for (auto& [place, hit] : compared.hits) {
      if (!store(hit, options, targets, cutoff)) continue;
      hit.name = profile.name;
      hit.accession = profile.accession.value_or("");
      hit.description = profile.description.value_or("");
      hit.length = profile.nodes;
      hit.arrival = static_cast<std::uint64_t>(index);
      results_[place].hits.push_back(std::move(hit));
    }
  }

  void finish(const SequenceBlock& block, std::int64_t models, double nodes) {
    if (impossible_comes_first()) impossible_->rethrow();
    if (missing_ && !options_.results_before_errors) throw_missing();
    const std::size_t whole = missing_ ? static_cast<std::size_t>(std::get<0>(*missing_)) : results_.size();
    RunResults results(run_, whole);
    const double share = seconds_ / static_cast<double>(std::max<std::size_t>(results_.size(), 1));
    parallel_for(options_.threads, whole, 1, [&](std::size_t i, std::size_t) {
      const Query query = query_of(block.sequences[i]);
      QueryResult& result = results_[i];
      result.counters.sequences = 1;
      result.counters.residues = query.length;
      result.counters.models = models;
      result.counters.nodes = static_cast<std::int64_t>(nodes);
      finish_hits(result, options_.hmmer3, static_cast<double>(models));
      results.put(i, [&] { return observer_.result(query, std::move(result), {share, 0, share}); });
    });
    if (!missing_) return;
    observer_.interrupted(query_of(block.sequences[whole]));
    throw_missing();
  }

  // Whether the pair that cannot be compared comes before the one that needs a cut-off.
  bool impossible_comes_first() const {
    return !missing_ || impossible_->precedes(static_cast<std::uint64_t>(std::get<1>(*missing_)),
                                              static_cast<std::uint64_t>(std::get<0>(*missing_)));
  }
  [[noreturn]] void throw_missing() const {
    throw MissingCutoff(options_.hmmer3.cutoff, std::get<std::string>(*missing_));
  }

  const ProfileOpener& open_profiles_;
  bool reopenable_;
  const SequenceOpener& open_sequences_;
  const SearchOptions& options_;
  SearchObserver& observer_;
  Run run_;
  // Of the first pair that needs a cutoff which its profile lacks: sequence, index and name of the profile.
  using Missing = std::tuple<std::ptrdiff_t, std::int64_t, std::string>;
  std::optional<Missing> missing_;
  std::optional<FirstImpossible> impossible_;  // pair of the block
  std::mutex mutex_;                           // of results_ and missing_
  std::vector<QueryResult> results_;           // of the block's sequences
  double seconds_ = 0;                         // that the block's comparisons took
  DeviceUse devices_;
};

}  // namespace

SearchStatistics scan(const ProfileOpener& open_profiles, bool reopenable,
                      const SequenceOpener& open_sequences, const SearchOptions& options,
                      SearchObserver& observer) {
  SearchOptions own = options;
  // The order of hits may depend on their alignments.
  own.hmmer3.alignments = std::max(own.hmmer3.alignments, AlignmentDetail::Ends);
  return Scan(open_profiles, reopenable, open_sequences, own, observer).run();
}

}  // namespace gpuhmm::hmmer3
