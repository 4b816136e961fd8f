// The two loops of a search with HMMER3 profiles: blocks of sequences, and the profiles of a group.
#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpuhmm/hmmer3_run.hpp"
#include "gpuhmm/hmmer3_sequence_file.hpp"
#include "hmmer3/comparison.hpp"
#include "hmmer3/hit_list.hpp"
#include "search/hmmer3_comparisons.hpp"
#include "search/hmmer3_completion.hpp"
#include "search/hmmer3_device_use.hpp"
#include "search/hmmer3_teams.hpp"
#include "search/run.hpp"
#include "util/parallel.hpp"
#include "util/priority.hpp"
#include "util/read_ahead.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm::hmmer3 {

namespace {

// A profile on its way through the database.
struct ProfileSearch {
  std::optional<Profile> read;  // until there is a model
  std::optional<SearchProfile> model;
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
        devices_(options, DeviceTeams::Each, [this](const std::string& message) { run_.warn(message); }) {}

  SearchStatistics run() {
    for (bool more = true; more;) {
      group_.clear();
      nodes_ = 0;
      more = read_group();
      if (!group_.empty()) {
        make_models();
        run_.enter_outer(more ? profiles_.fraction_read() : 1.0);
        search_group();
      }
      if (failure_) {
        if (asked_) observer_.interrupted(asked_);
        std::rethrow_exception(failure_);
      }
    }
    run_.statistics.batch_sequences = block_sequences(options_);
    run_.statistics.batch_residues = most_block_residues(options_, devices_.teams());
    devices_.describe(run_.statistics);
    return run_.finish();
  }

 private:
  // False if no profile is left, or none before a failure.
  bool read_group() {
    try {
      while (!reopenable_ || nodes_ < static_cast<double>(options_.group_nodes)) {
        if (!read_profile()) return false;
      }
      return true;
    } catch (const std::runtime_error&) {
      if (!options_.results_before_errors) throw;
      failure_ = std::current_exception();
      return false;
    }
  }

  bool read_profile() {
    if (profiles_read_ >= options_.profiles.end) return false;
    std::optional<Profile> profile = profiles_.next();
    if (!profile) return false;
    if (profiles_read_++ < options_.profiles.first) return true;
    asked_ = query_of(*profile);
    const std::optional<Cutoff> cutoff = required_cutoff(*profile, options_.hmmer3.cutoff);
    asked_.reset();
    nodes_ += profile->nodes;
    ProfileSearch& search = group_.emplace_back();
    search.cutoff = cutoff;
    search.result.counters.models = 1;
    search.result.counters.nodes = profile->nodes;
    search.read = std::move(profile);
    return true;
  }

  // In all threads, as devices wait for them.
  void make_models() {
    models_.resize(group_.size());
    parallel_for(options_.threads, group_.size(), 1, [&](std::size_t s, std::size_t) {
      ProfileSearch& search = group_[s];
      models_[s] = &search.model.emplace(*std::exchange(search.read, {}));
    });
  }

  void search_group() {
    try {
      pass();
    } catch (const SequenceFileError&) {
      for (SearchTeam& team : teams_) team.wait();
      observer_.interrupted(query_of(group_.front().model->profile));
      throw;
    }
  }

  void pass() {
    impossible_.emplace(FirstImpossible::Order::Search);
    const AlphabetKind alphabet = group_.front().model->profile.alphabet;
    SequenceBlocks sequences(open_sequences_(Alphabet::get(alphabet)), false, true);
    BlockResidues residues(options_);
    const auto read = [&] {
      return sequences.next(block_sequences(options_), residues.next(devices_.teams()));
    };
    run_.statistics.residues = 0;
    SequenceBlock first = read();
    if (run_.statistics.profiles == 0) run_.check_alphabet(first.sequences, alphabet, sequences.name());
    read_ahead(std::move(first), read, [&](SequenceBlock& block) { give(std::move(block)); });
    for (SearchTeam& team : teams_) team.end();
    impossible_->rethrow();
  }

  // Comparisons of some profiles with a block, behind the filters.
  struct Left {
    std::shared_ptr<const SequenceBlock> block;
    std::shared_ptr<RunResults> results;
    std::shared_ptr<BlockTurn> turn;
    std::size_t first = 0;  // number of the first profile
    StagedComparisons compared;
    std::vector<double> seconds;
    StageDevices* devices = nullptr;  // for the stages behind the first filter
  };

  // Has the block searched by the first team that is free.
  void give(SequenceBlock&& read) {
    run_.count(read);
    const auto block = std::make_shared<const SequenceBlock>(std::move(read));
    devices_.prepare(block->sequences, models_, !block->last);
    const double cells = nodes_ * static_cast<double>(block->sequences.residue_count());
    run_.enter_inner(block->read, cells);
    run_.statistics.cells += cells;
    if (block->last) run_.statistics.profiles += static_cast<std::int64_t>(group_.size());
    for (std::size_t t = teams_.size(); t < std::max<std::size_t>(devices_.teams(), 1); ++t)
      teams_.emplace_back().number = t;
    const auto turn = std::make_shared<BlockTurn>(std::move(last_turn_));
    last_turn_ = turn->next();
    if (teams_.size() == 1) return search_block(teams_.front(), block, turn);
    SearchTeam& team = take_free_team();
    team.searching = std::async(std::launch::async, [this, &team, block = block, turn]() mutable {
      try {
        search_block(team, std::exchange(block, {}), turn);
      } catch (...) {
        turn->fail();
        set_free(team);
        throw;
      }
      set_free(team);
    });
  }

  // Teams whose devices have failed are free for the host, if there are no others.
  SearchTeam& take_free_team() {
    std::unique_lock lock(teams_mutex_);
    const auto works = [this](const SearchTeam& team) { return devices_.works(team.number); };
    auto chosen = teams_.end();
    team_is_free_.wait(lock, [&] {
      const bool any = std::ranges::any_of(teams_, works);
      chosen =
          std::ranges::find_if(teams_, [&](const SearchTeam& t) { return t.is_free && (!any || works(t)); });
      return chosen != teams_.end();
    });
    chosen->is_free = false;
    if (chosen->searching.valid()) chosen->searching.get();
    return *chosen;
  }
  void set_free(SearchTeam& team) {
    const std::lock_guard lock(teams_mutex_);
    team.is_free = true;
    team_is_free_.notify_one();
  }

  // Profiles are taken some at a time, whose work the threads share: one profile can make more of it than all
  // others.
  void search_block(SearchTeam& team, const std::shared_ptr<const SequenceBlock>& block,
                    const std::shared_ptr<BlockTurn>& turn) {
    const auto results = std::make_shared<RunResults>(run_, group_.size());
    std::optional<StageDevices::Pass> on_devices;
    devices_.begin(on_devices, team.number, block->sequences, models_);
    const std::size_t at_once = profiles_at_once(options_.threads);
    for (std::size_t first = 0; first < group_.size(); first += at_once) {
      const std::size_t count = std::min(at_once, group_.size() - first);
      Left left{
          block, results, turn, first, {}, std::vector<double>(count), DeviceUse::for_stages(on_devices)};
      left.compared = filter(*block, first, count, on_devices, left.seconds);
      if (on_devices) {
        complete_meanwhile(team, std::move(left));
      } else {
        while (!team.completions.empty()) team.end_first_completion();
        complete_left(left, {});
      }
    }
  }

  // Has the devices run their stages, and completes what they leave, in other threads: the first filter goes
  // on meanwhile, and what feeds devices comes first.
  void complete_meanwhile(SearchTeam& team, Left&& what_is_left) {
    constexpr std::size_t kAtOnce = 3;
    while (team.completions.size() >= kAtOnce) team.end_first_completion();
    auto left = std::make_shared<const Left>(std::move(what_is_left));
    std::shared_future<void> before =
        team.completions.empty() ? std::shared_future<void>() : team.completions.back();
    // A future keeps what its function holds: each lets go of it, or all blocks would live to the end.
    team.stages = std::async(std::launch::async, [this, left, before = team.stages]() mutable {
                    if (before.valid()) std::exchange(before, {}).wait();
                    run_stages(*std::exchange(left, {}));
                  }).share();
    team.completions.push_back(
        std::async(std::launch::async, [this, left = std::move(left), before = std::move(before),
                                        stages = team.stages]() mutable {
          const std::shared_ptr<BlockTurn> turn = left->turn;
          try {
            std::exchange(stages, {}).get();
            give_way(Niceness::FeedsDevices);
            complete_left(*std::exchange(left, {}), std::exchange(before, {}));
          } catch (...) {
            turn->fail();
            throw;
          }
        }).share());
  }

  // `before`: the completion of the team before, if it may not have ended.
  void complete_left(const Left& left, const std::shared_future<void>& before) {
    const SequenceBlock& block = *left.block;
    const double residues = static_cast<double>(block.sequences.residue_count());
    std::vector<double> seconds = left.seconds;
    complete(left.compared, threads_each(), left.devices, seconds, run_.clocks.score,
             [this] { run_.check_stop(); });
    if (before.valid()) before.get();
    left.turn->wait();
    const auto compared = static_cast<std::uint64_t>(block.counted_after);
    if (impossible_->precedes(0, compared)) impossible_->rethrow();
    parallel_for(threads_each(), left.compared.size(), 1, [&](std::size_t place, std::size_t) {
      const std::size_t s = left.first + place;
      ProfileSearch& search = group_[s];
      search.seconds += seconds[place];
      add(search, block, left.compared[place]->results());
      run_.meter().complete(search_amount(search.model->profile.nodes * residues));
      if (!block.last || impossible_->precedes(s, compared)) return;
      search.result.counters.sequences = block.counted_after;
      finish_hits(search.result, options_.hmmer3, static_cast<double>(block.counted_after));
      left.results->put(s, [&] {
        return observer_.result(query_of(search.model->profile), std::move(search.result),
                                {search.seconds, 0, search.seconds});
      });
    });
    if (left.first + left.compared.size() == group_.size()) left.turn->end();
  }

  unsigned threads_each() const {
    return std::max(1U, options_.threads / static_cast<unsigned>(teams_.size()));
  }

  // Runs the filters for `count` profiles from number `first` on: those in front of Forward, or, if devices
  // run the later ones, the first.
  StagedComparisons filter(const SequenceBlock& block, std::size_t first, std::size_t count,
                           std::optional<StageDevices::Pass>& on_devices, std::span<double> seconds) {
    const bool only_first = DeviceUse::for_stages(on_devices) != nullptr;
    const auto make = [&](std::size_t place) {
      run_.check_stop();
      const ComparisonPlace of_all{*impossible_, first + place,
                                   static_cast<std::uint64_t>(block.counted_before)};
      return std::make_unique<StagedComparison>(
          *group_[first + place].model, block.sequences, options_.hmmer3, of_all,
          on_devices ? on_devices->take(first + place) : std::nullopt, only_first);
    };
    return filtered(count, threads_each(), make, seconds, run_.clocks.score);
  }

  void run_stages(const Left& left) {
    if (left.devices == nullptr) return;
    const StageClock::Running running(run_.clocks.score);
    left.devices->run_stages(left.block->sequences, left.first == 0, left.compared);
  }

  void add(ProfileSearch& search, const SequenceBlock& block, Comparisons&& compared) const {
    const Options& options = options_.hmmer3;
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
  std::uint64_t profiles_read_ = 0;
  DeviceUse devices_;
  std::optional<FirstImpossible> impossible_;  // pair of the group
  std::exception_ptr failure_;                 // the error of the profile behind the group
  std::optional<Query> asked_;                 // the profile that lacks a cut-off, if that is the failure
  std::mutex teams_mutex_;                     // of is_free of teams_
  std::condition_variable team_is_free_;
  std::shared_future<void> last_turn_;  // ends when all blocks so far are added
  std::deque<SearchTeam> teams_;        // their threads use all of the above
};

}  // namespace

SearchStatistics search(ProfileReader& profiles, const SequenceOpener& open_sequences, bool reopenable,
                        const SearchOptions& options, SearchObserver& observer) {
  return Search(profiles, open_sequences, reopenable, options, observer).run();
}

}  // namespace gpuhmm::hmmer3
