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
#include "hmmer3/tied_hits.hpp"
#include "search/hmmer3_comparisons.hpp"
#include "search/hmmer3_completion.hpp"
#include "search/hmmer3_device_use.hpp"
#include "search/hmmer3_profile_groups.hpp"
#include "search/hmmer3_sizes.hpp"
#include "search/hmmer3_teams.hpp"
#include "search/run.hpp"
#include "util/parallel.hpp"
#include "util/priority.hpp"
#include "util/read_ahead.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm::hmmer3 {

namespace {

class Search {
 public:
  Search(ProfileReader& profiles, const SequenceOpener& open_sequences, bool reopenable,
         const SearchOptions& options, SearchObserver& observer)
      : open_sequences_(open_sequences),
        options_(options),
        observer_(observer),
        run_(options, observer),
        groups_(profiles, reopenable, options),
        residues_(options),
        devices_(
            options, DeviceTeams::Each, [this](const std::string& message) { run_.warn(message); }, {},
            [this] { look_for_team(); }) {}

  // The threads of the teams use all that this has.
  ~Search() {
    for (const SearchTeam& team : teams_) team.wait();
  }
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  SearchStatistics run() {
    for (auto group = groups_.next();; group = next_group()) {
      if (!group->searches.empty()) {
        run_.enter_outer(group->read);
        search(group);
      }
      if (group->failure) {
        end_teams();
        if (group->asked) observer_.interrupted(group->asked);
        std::rethrow_exception(group->failure);
      }
      if (group->last) break;
    }
    end_teams();
    devices_.finish_opening();
    run_.statistics.batch_sequences = block_sequences(options_);
    run_.statistics.batch_residues = residues_.most(devices_.teams());
    devices_.describe(run_.statistics);
    return run_.finish();
  }

 private:
  using Group = std::shared_ptr<ProfileGroup>;
  using RetiredHits = std::vector<std::pair<QueryResult, std::vector<std::vector<std::uint8_t>>>>;

  Group next_group() {
    if (!next_group_.valid()) return groups_.next();
    try {
      return next_group_.get();
    } catch (...) {
      end_teams();  // results come before errors
      throw;
    }
  }

  void search(const Group& group) {
    try {
      pass(group);
    } catch (const SequenceFileError&) {
      for (SearchTeam& team : teams_) team.wait();
      observer_.interrupted(query_of(group->searches.front().model->profile));
      throw;
    }
  }

  // Devices may be at the last blocks when this returns: the next group comes behind them.
  void pass(const Group& group) {
    const AlphabetKind alphabet = group->models.front()->profile.alphabet;
    std::unique_ptr<SequenceReader> reader = open_sequences_(Alphabet::get(alphabet));
    const bool whole = reader->range().whole();
    SequenceBlocks sequences(std::move(reader), false, true);
    residues_.begin_pass(group->last);
    const auto read = [&] {
      SequenceBlock block = sequences.next(block_sequences(options_), residues_.next(devices_.teams()));
      residues_.count(block.sequences.residue_count(), whole ? block.read : std::nullopt, block.last);
      return block;
    };
    run_.statistics.residues = 0;
    SequenceBlock first = read();
    if (run_.statistics.profiles == 0) run_.check_alphabet(first.sequences, alphabet, sequences.name());
    read_ahead(std::move(first), read, [&](SequenceBlock& block) { give(group, std::move(block)); });
  }

  void end_teams() {
    for (SearchTeam& team : teams_) team.end();
  }

  // Comparisons of some profiles with a block, behind the filters.
  struct Left {
    Group group;
    std::shared_ptr<const SequenceBlock> block;
    std::shared_ptr<RunResults> results;
    std::shared_ptr<BlockTurn> turn;
    std::size_t first = 0;  // number of the first profile
    StagedComparisons compared;
    std::vector<double> seconds;
    StageDevices* devices = nullptr;  // for the stages behind the first filter
  };

  // Has the block searched by the first team that is free.
  void give(const Group& group, SequenceBlock&& read) {
    run_.count(read);
    const auto block = std::make_shared<const SequenceBlock>(std::move(read));
    devices_.prepare(block->sequences, group->models, !block->last);
    // Devices need not wait for the next group; on the host alone two groups would only take more memory.
    if (devices_.teams() > 0 && !group->last && !next_group_.valid())
      next_group_ = std::async(std::launch::async, [this] { return groups_.next(); });
    const double cells = group->nodes * static_cast<double>(block->sequences.residue_count());
    run_.enter_inner(block->read, cells);
    run_.statistics.cells += cells;
    if (block->last) run_.statistics.profiles += static_cast<std::int64_t>(group->searches.size());
    for (std::size_t t = teams_.size(); t < std::max<std::size_t>(devices_.teams(), 1); ++t)
      teams_.emplace_back().number = t;
    const auto turn = std::make_shared<BlockTurn>(std::move(last_turn_));
    last_turn_ = turn->next();
    if (teams_.size() == 1) return search_block(teams_.front(), group, block, turn);
    SearchTeam& team = take_free_team();
    team.searching =
        std::async(std::launch::async, [this, &team, group = group, block = block, turn]() mutable {
          try {
            search_block(team, std::exchange(group, {}), std::exchange(block, {}), turn);
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
  // A team has got its devices.
  void look_for_team() {
    const std::lock_guard lock(teams_mutex_);
    team_is_free_.notify_one();
  }

  // Profiles are taken some at a time, whose work the threads share: one profile can make more of it than all
  // others.
  void search_block(SearchTeam& team, const Group& group, const std::shared_ptr<const SequenceBlock>& block,
                    const std::shared_ptr<BlockTurn>& turn) {
    const auto results = std::make_shared<RunResults>(run_, group->searches.size());
    std::optional<StageDevices::Pass> on_devices;
    devices_.begin(on_devices, team.number, block->sequences, group->models);
    const std::size_t at_once = even_part(options_.threads, group->searches.size());
    for (std::size_t first = 0; first < group->searches.size(); first += at_once) {
      const std::size_t count = std::min(at_once, group->searches.size() - first);
      Left left{group,
                block,
                results,
                turn,
                first,
                {},
                std::vector<double>(count),
                DeviceUse::for_stages(on_devices)};
      left.compared = filter(*group, *block, first, count, on_devices, left.seconds);
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
    // With several teams one may have to wait for the turn of another's block.
    const std::size_t at_once = teams_.size() > 1 ? 4 : 3;
    while (team.completions.size() >= at_once) team.end_first_completion();
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
    ProfileGroup& group = *left.group;
    const SequenceBlock& block = *left.block;
    const double residues = static_cast<double>(block.sequences.residue_count());
    std::vector<double> seconds = left.seconds;
    complete(left.compared, threads_each(), left.devices, seconds, run_.clocks.score,
             [this] { run_.check_stop(); });
    if (before.valid()) before.get();
    left.turn->wait();
    const auto compared = static_cast<std::uint64_t>(block.counted_after);
    if (group.impossible.precedes(0, compared)) group.impossible.rethrow();
    parallel_for(threads_each(), left.compared.size(), 1, [&](std::size_t place, std::size_t) {
      const std::size_t s = left.first + place;
      ProfileSearch& search = group.searches[s];
      search.seconds += seconds[place];
      add(search, block, left.compared[place]->results());
      run_.meter().complete(search_amount(search.model->profile.nodes * residues));
      if (!block.last || group.impossible.precedes(s, compared)) return;
      search.result.counters.sequences = block.counted_after;
      if (!aligns()) {
        align_tied_hits(*search.model, options_.hmmer3, search.result.hits, search.envelopes);
      }
      finish_hits(search.result, options_.hmmer3, static_cast<double>(block.counted_after));
      left.results->put(s, [&] {
        return observer_.result(query_of(search.model->profile), std::move(search.result),
                                {search.seconds, 0, search.seconds});
      });
    });
    if (left.first + left.compared.size() < group.searches.size()) return;
    if (block.last) {
      group.impossible.rethrow();
      retire(group);
    }
    left.turn->end();
  }

  // The results of the group are out: one thread gives the memory of its hits back. Many threads that free at
  // once wait for one another's locks, and so do those that compare. Hits of the last group are left to the
  // destructor; a program may end before it.
  void retire(ProfileGroup& group) {
    RetiredHits hits;
    for (ProfileSearch& search : group.searches) {
      hits.emplace_back(std::move(search.result), std::move(search.envelopes));
    }
    if (group.last) {
      retired_ = std::move(hits);
    } else {
      retiring_ = std::async(std::launch::async, [hits = std::move(hits),
                                                  before = std::move(retiring_)]() mutable { hits.clear(); });
    }
  }

  bool aligns() const { return options_.hmmer3.alignments != AlignmentDetail::None; }

  unsigned threads_each() const {
    return std::max(1U, options_.threads / static_cast<unsigned>(teams_.size()));
  }

  // Runs the filters for `count` profiles from number `first` on: those in front of Forward, or, if devices
  // run the later ones, the first.
  StagedComparisons filter(ProfileGroup& group, const SequenceBlock& block, std::size_t first,
                           std::size_t count, std::optional<StageDevices::Pass>& on_devices,
                           std::span<double> seconds) {
    const bool only_first = DeviceUse::for_stages(on_devices) != nullptr;
    const auto make = [&](std::size_t place) {
      run_.check_stop();
      const ComparisonPlace of_all{group.impossible, first + place,
                                   static_cast<std::uint64_t>(block.counted_before)};
      return std::make_unique<StagedComparison>(
          *group.searches[first + place].model, block.sequences, options_.hmmer3, of_all,
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
      if (!aligns()) {
        const Domain& first = hit.domains.front();
        const Residues envelope =
            target.residues.subspan(static_cast<std::size_t>(first.envelope_from) - 1,
                                    static_cast<std::size_t>(first.envelope_to - first.envelope_from) + 1);
        search.envelopes.emplace_back(envelope.begin(), envelope.end());
      }
      hit.name = target.name;
      hit.accession = target.accession;
      hit.description = target.description;
      hit.length = static_cast<std::int64_t>(target.residues.size());
      hit.arrival = static_cast<std::uint64_t>(ordinal - 1);
      search.result.hits.push_back(std::move(hit));
    }
  }

  const SequenceOpener& open_sequences_;
  const SearchOptions& options_;
  SearchObserver& observer_;
  Run run_;
  ProfileGroups groups_;
  BlockResidues residues_;
  std::future<Group> next_group_;
  std::mutex teams_mutex_;  // of is_free of teams_
  std::condition_variable team_is_free_;
  DeviceUse devices_;
  std::shared_future<void> last_turn_;  // ends when all blocks so far are added
  RetiredHits retired_;
  std::future<void> retiring_;
  std::deque<SearchTeam> teams_;
};

}  // namespace

SearchStatistics search(ProfileReader& profiles, const SequenceOpener& open_sequences, bool reopenable,
                        const SearchOptions& options, SearchObserver& observer) {
  return Search(profiles, open_sequences, reopenable, options, observer).run();
}

}  // namespace gpuhmm::hmmer3
