// The two loops of a scan with HMMER3 profiles: blocks of sequences, and groups of profiles.
#include <algorithm>
#include <deque>
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
#include "search/hmmer3_comparisons.hpp"
#include "search/hmmer3_device_use.hpp"
#include "search/run.hpp"
#include "util/parallel.hpp"
#include "util/read_ahead.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm::hmmer3 {

namespace {

// Consecutive profiles of the library.
struct ProfileGroup {
  std::vector<Profile> profiles;
  std::int64_t before = 0;  // profiles before this group
  double nodes = 0;
  bool last = true;
  std::optional<double> read;
};

class ProfileGroups {
 public:
  ProfileGroups(ProfileReader&& reader, double nodes) : reader_(std::move(reader)), nodes_(nodes) {}

  ProfileGroup next() {
    ProfileGroup group;
    group.before = count_;
    group.last = false;
    while (group.nodes < nodes_ && !group.last) {
      std::optional<Profile> profile = reader_.next();
      group.last = !profile;
      if (group.last) break;
      group.nodes += profile->nodes;
      group.profiles.push_back(std::move(*profile));
      ++count_;
    }
    group.read = group.last ? 1.0 : reader_.fraction_read();
    return group;
  }

 private:
  ProfileReader reader_;
  double nodes_;
  std::int64_t count_ = 0;
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
        devices_(options, [this](const std::string& message) { run_.warn(message); }) {}

  SearchStatistics run() {
    // The alphabet of the sequences is that of the first profile.
    ProfileGroups groups(open_profiles_(), static_cast<double>(options_.group_nodes));
    ProfileGroup first = groups.next();
    if (first.profiles.empty()) return run_.finish();
    SequenceBlocks sequences(open_sequences_(Alphabet::get(first.profiles.front().alphabet)), false, true);
    const auto read = [&] {
      constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
      return reopenable_ ? sequences.next(block_sequences(options_), block_residues(options_))
                         : sequences.next(kAll, kAll);
    };
    bool opened = true;
    read_ahead(read(), read, [&](SequenceBlock& block) {
      run_.count(block);
      run_.enter_outer(block.read);
      if (!opened) {
        groups = ProfileGroups(open_profiles_(), static_cast<double>(options_.group_nodes));
        first = groups.next();
      }
      opened = false;
      scan_block(block, groups, std::move(first));
    });
    devices_.describe(run_.statistics);
    return run_.finish();
  }

 private:
  void scan_block(const SequenceBlock& block, ProfileGroups& groups, ProfileGroup first) {
    results_.assign(block.sequences.size(), {});
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
          models += static_cast<std::int64_t>(group.profiles.size());
          nodes += group.nodes;
          run_.statistics.cells += group.nodes * residues;
        });
    run_.statistics.profiles = models;
    finish(block, models, nodes);
  }

  void scan_group(const SequenceBlock& block, ProfileGroup& group) {
    const std::size_t count = group.profiles.size();
    const Sharing sharing(options_.threads, count);
    std::vector<std::unique_ptr<const SearchProfile>> models(count);
    const auto make = [&](std::size_t p) {
      models[p] = std::make_unique<const SearchProfile>(std::move(group.profiles[p]));
    };
    std::optional<SsvDevices::Pass> on_devices;
    if (!options_.devices.empty()) {
      parallel_for(options_.threads, count, 1, [&](std::size_t p, std::size_t) { make(p); });
      std::vector<const SearchProfile*> pointers;
      for (const auto& model : models) pointers.push_back(model.get());
      devices_.begin(on_devices, block.sequences, std::move(pointers));
    }
    parallel_for(sharing.side_by_side, count, 1, [&](std::size_t p, std::size_t) {
      if (!models[p]) make(p);
      const std::optional<std::vector<SsvFinding>> found = on_devices ? on_devices->take(p) : std::nullopt;
      const SearchProfile& model = *models[p];
      add(block, model, group.before + static_cast<std::int64_t>(p), sharing.threads_each,
          found ? &*found : nullptr);
      run_.meter().complete(
          search_amount(model.profile.nodes * static_cast<double>(block.sequences.residue_count())));
      if (!on_devices) models[p].reset();
    });
  }

  // `index`: of the profile in the library, from 0. `found`: by a device; null if the host is to run SSV.
  void add(const SequenceBlock& block, const SearchProfile& model, std::int64_t index, unsigned threads,
           const std::vector<SsvFinding>* found) {
    const Options& options = options_.hmmer3;
    const Profile& profile = model.profile;
    Comparisons compared = compare(model, block.sequences, options, threads, found);
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
    if (missing_) throw MissingCutoff(options_.hmmer3.cutoff, std::get<std::string>(*missing_));
    RunResults results(run_, results_.size());
    const double share = seconds_ / static_cast<double>(std::max<std::size_t>(results_.size(), 1));
    parallel_for(options_.threads, results_.size(), 1, [&](std::size_t i, std::size_t) {
      const SequenceView query = block.sequences[i];
      QueryResult& result = results_[i];
      result.counters.sequences = 1;
      result.counters.residues = static_cast<std::int64_t>(query.residues.size());
      result.counters.models = models;
      result.counters.nodes = static_cast<std::int64_t>(nodes);
      finish_hits(result, options_.hmmer3, static_cast<double>(models));
      results.put(i, [&] {
        return observer_.result({std::string(query.name), std::string(query.accession),
                                 std::string(query.description), result.counters.residues},
                                std::move(result), {share, 0, share});
      });
    });
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
  std::mutex mutex_;                  // of results_ and missing_
  std::vector<QueryResult> results_;  // of the block's sequences
  double seconds_ = 0;                // that the block's comparisons took
  DeviceUse devices_;
};

}  // namespace

SearchStatistics scan(const ProfileOpener& open_profiles, bool reopenable,
                      const SequenceOpener& open_sequences, const SearchOptions& options,
                      SearchObserver& observer) {
  return Scan(open_profiles, reopenable, open_sequences, options, observer).run();
}

}  // namespace gpuhmm::hmmer3
