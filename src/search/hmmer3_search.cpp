// The two loops of a search with HMMER3 profiles: blocks of sequences, and the profiles of a group.
#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
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

// A profile on its way through the database.
struct ProfileSearch {
  explicit ProfileSearch(Profile&& profile) : model(std::move(profile)) {}

  SearchProfile model;
  std::optional<Cutoff> cutoff;
  QueryResult result;
  double seconds = 0;
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
        run_(options, observer),
        devices_(options, [this](const std::string& message) { run_.warn(message); }) {}

  SearchStatistics run() {
    for (bool more = true; more;) {
      group_.clear();
      models_.clear();
      nodes_ = 0;
      more = read_group();
      if (group_.empty()) break;
      run_.enter_outer(more ? profiles_.fraction_read() : 1.0);
      pass();
    }
    devices_.describe(run_.statistics);
    return run_.finish();
  }

 private:
  // False if no profile is left.
  bool read_group() {
    while (!reopenable_ || nodes_ < static_cast<double>(options_.group_nodes)) {
      std::optional<Profile> profile = profiles_.next();
      if (!profile) return false;
      nodes_ += profile->nodes;
      ProfileSearch& search = group_.emplace_back(std::move(*profile));
      search.cutoff = required_cutoff(search.model.profile, options_.hmmer3.cutoff);
      models_.push_back(&search.model);
      search.result.counters.models = 1;
      search.result.counters.nodes = search.model.profile.nodes;
    }
    return true;
  }

  void pass() {
    SequenceBlocks sequences(open_sequences_(Alphabet::get(group_.front().model.profile.alphabet)), false,
                             true);
    const auto read = [&] { return sequences.next(block_sequences(options_), block_residues(options_)); };
    run_.statistics.residues = 0;
    read_ahead(read(), read, [&](SequenceBlock& block) {
      run_.count(block);
      search_block(block);
    });
  }

  // Many profiles are compared side by side, few one after the other with all threads each.
  void search_block(const SequenceBlock& block) {
    const double residues = static_cast<double>(block.sequences.residue_count());
    run_.enter_inner(block.read, nodes_ * residues);
    const Sharing sharing(options_.threads, group_.size());
    RunResults results(run_, group_.size());
    std::optional<SsvDevices::Pass> on_devices;
    devices_.begin(on_devices, block.sequences, models_);
    parallel_for(sharing.side_by_side, group_.size(), 1, [&](std::size_t s, std::size_t) {
      ProfileSearch& search = group_[s];
      {
        const Stopwatch watch(search.seconds);
        const StageClock::Running running(run_.clocks.score);
        const std::optional<std::vector<SsvFinding>> found = on_devices ? on_devices->take(s) : std::nullopt;
        add(search, block, sharing.threads_each, found ? &*found : nullptr);
      }
      run_.meter().complete(search_amount(search.model.profile.nodes * residues));
      if (!block.last) return;
      search.result.counters.sequences = block.counted_after;
      finish_hits(search.result, options_.hmmer3, static_cast<double>(block.counted_after));
      results.put(s, [&] {
        return observer_.result(query_of(search.model.profile), std::move(search.result),
                                {search.seconds, 0, search.seconds});
      });
    });
    run_.statistics.cells += nodes_ * residues;
    if (block.last) run_.statistics.profiles += static_cast<std::int64_t>(group_.size());
  }

  // `found`: by a device; null if the host is to run SSV.
  void add(ProfileSearch& search, const SequenceBlock& block, unsigned threads,
           const std::vector<SsvFinding>* found) const {
    const Options& options = options_.hmmer3;
    Comparisons compared = compare(search.model, block.sequences, options, threads, found);
    for (const Stage stage : compared.stages) count_stage(search.result.counters, stage);
    search.result.counters.residues += static_cast<std::int64_t>(block.sequences.residue_count());
    for (auto& [place, hit] : compared.hits) {
      const std::int64_t ordinal = block.ordinals[place];
      if (!store(hit, options, options.targets.value_or(static_cast<double>(ordinal)), search.cutoff))
        continue;
      const SequenceView target = block.sequences[place];
      hit.name = target.name;
      hit.accession = target.accession;
      hit.description = target.description;
      hit.length = static_cast<std::int64_t>(target.residues.size());
      hit.arrival = static_cast<std::uint64_t>(ordinal - 1);
      search.result.hits.push_back(std::move(hit));
    }
  }

  ProfileReader& profiles_;
  const SequenceOpener& open_sequences_;
  bool reopenable_;
  const SearchOptions& options_;
  SearchObserver& observer_;
  Run run_;
  std::deque<ProfileSearch> group_;           // a deque: threads refer to its members
  std::vector<const SearchProfile*> models_;  // of group_
  double nodes_ = 0;
  DeviceUse devices_;
};

}  // namespace

SearchStatistics search(ProfileReader& profiles, const SequenceOpener& open_sequences, bool reopenable,
                        const SearchOptions& options, SearchObserver& observer) {
  return Search(profiles, open_sequences, reopenable, options, observer).run();
}

}  // namespace gpuhmm::hmmer3
