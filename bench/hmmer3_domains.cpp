// Speed of HMMER3's domain stage on a device alone. The host finds the regions and the envelopes of the pairs
// that pass Forward, as a search does; then the device samples tracebacks of the regions and scores the
// envelopes. Of both: tasks and how many of them the device has done, their G cells (nodes x residues), and
// the seconds by the clock and those in which any launch ran. Some are compared with the host's; a digest of
// all that was found tells whether two programs give the same.
#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdint>
#include <deque>
#include <iomanip>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/hmmer3_inputs.hpp"
#include "gpuhmm/sequence_file.hpp"
#include "hmmer3/arithmetic.hpp"
#include "hmmer3/comparison.hpp"
#include "hmmer3/domain_texts.hpp"
#include "hmmer3/first_impossible.hpp"
#include "hmmer3/opencl/domain_device.hpp"
#include "hmmer3/opencl/pair_device.hpp"
#include "hmmer3/search_profile.hpp"
#include "search/hmmer3_comparisons.hpp"
#include "util/kept_memory.hpp"
#include "util/parallel.hpp"
#include "util/stopwatch.hpp"

namespace {

using namespace gpuhmm;
using namespace gpuhmm::hmmer3;

// How the two kinds of tasks are done.
struct Regions {
  using Task = RegionTask;
  using Query = RegionQuery;
  static constexpr const char* kName = "regions";
  static std::vector<Task*>& tasks(Query& query) { return query.regions; }
  static Task undone(const Task& task) { return {task.sequence, task.lengths, {}}; }
  static bool is_done(const Task& task) { return task.ensemble.has_value(); }
  static std::string text(const Task& task) { return test::text(*task.ensemble); }
  static void run(DomainDevice& device, const std::vector<Query>& queries, std::uint32_t seed) {
    device.sample(queries, seed);
  }
  static void run_on_host(const SearchProfile& profile, const Alphabet& alphabet, Task& task,
                          std::uint32_t seed) {
    Task* const pointer = &task;
    sample_regions(profile.floats, alphabet, {&pointer, 1}, seed);
  }
};
struct Envelopes {
  using Task = EnvelopeTask;
  using Query = EnvelopeQuery;
  static constexpr const char* kName = "envelopes";
  static std::vector<Task*>& tasks(Query& query) { return query.envelopes; }
  static Task undone(const Task& task) { return task.unscored(); }
  static bool is_done(const Task& task) { return task.scored; }
  static std::string text(const Task& task) { return test::text(task); }
  static void run(DomainDevice& device, const std::vector<Query>& queries, std::uint32_t /*seed*/) {
    device.score(queries);
  }
  static void run_on_host(const SearchProfile& profile, const Alphabet& alphabet, Task& task,
                          std::uint32_t /*seed*/) {
    score_envelopes(profile.floats, alphabet, {&task, 1});
  }
};

class Measurement {
 public:
  Measurement(const DeviceInfo& device, unsigned threads, std::size_t verified, int runs)
      : opened_(device), pairs_(opened_, threads), threads_(threads), verified_(verified), runs_(runs) {
    if (!pairs_.usable()) throw std::invalid_argument("this device's arithmetic is not HMMER3's");
    domains_.emplace(opened_, pairs_.build_options(), threads);
  }

  void run(const std::deque<SearchProfile>& profiles, const SequenceBatch& batch, std::size_t most_residues) {
    std::vector<const SearchProfile*> pointers;
    for (const SearchProfile& profile : profiles) pointers.push_back(&profile);
    domains_->expect(pointers);
    const double start = seconds_now();
    std::vector<double> seconds(profiles.size());
    StageClock clock;
    FirstImpossible impossible(FirstImpossible::Order::Search);
    const Options options;
    compared_ = filtered(
        profiles.size(), threads_,
        [&](std::size_t q) {
          return std::make_unique<StagedComparison>(profiles[q], batch, options,
                                                    ComparisonPlace{impossible, q, 0});
        },
        seconds, clock);
    each_part(&StagedComparison::find_regions);
    std::cout << "the host has found regions after " << seconds_now() - start << " s" << std::endl;
    measure<Regions>(&StagedComparison::regions, most_residues);
    each_part(&StagedComparison::find_envelopes);
    std::cout << "and envelopes after " << seconds_now() - start << " s" << std::endl;
    measure<Envelopes>(&StagedComparison::envelopes, batch.residue_count());
  }

 private:
  void each_part(void (StagedComparison::*step)(std::size_t)) {
    struct Part {
      StagedComparison* of;
      std::size_t part;
    };
    std::vector<Part> parts;
    for (const auto& comparison : compared_)
      for (std::size_t part = 0; part < comparison->parts(); ++part)
        parts.push_back({comparison.get(), part});
    std::ranges::stable_sort(parts, std::ranges::greater(),
                             [](const Part& p) { return p.of->cells(p.part); });
    parallel_for(threads_, parts.size(), 1,
                 [&](std::size_t p, std::size_t) { (*parts[p].of.*step)(parts[p].part); });
  }

  // Leaves the tasks done.
  template <class Kind>
  void measure(std::span<typename Kind::Task> (StagedComparison::*tasks)(std::size_t),
               std::size_t most_residues) {
    std::vector<typename Kind::Query> queries;
    double cells = 0;
    std::size_t count = 0;
    for (const auto& comparison : compared_) {
      auto& own = Kind::tasks(queries.emplace_back(typename Kind::Query{&comparison->profile(), {}}));
      for (std::size_t part = 0; part < comparison->parts(); ++part) {
        for (auto& task : (*comparison.*tasks)(part)) {
          if (task.sequence.size() > most_residues) continue;
          own.push_back(&task);
          cells += static_cast<double>(task.sequence.size()) * comparison->profile().profile.nodes;
        }
      }
      count += own.size();
    }
    std::cout << Kind::kName << ": " << count << ", " << cells / 1e9 << " G cells\n";
    for (int run = 0; run < runs_; ++run) {
      for (auto& query : queries)
        for (auto* const task : Kind::tasks(query)) *task = Kind::undone(*task);
      const double start = seconds_now(), busy = domains_->busy_seconds();
      Kind::run(*domains_, queries, compared_.front()->seed());
      std::cout << "  " << seconds_now() - start << " s, launches run for " << domains_->busy_seconds() - busy
                << " s" << std::endl;
    }
    compare<Kind>(queries, count);
  }

  template <class Kind>
  void compare(std::vector<typename Kind::Query>& queries, std::size_t count) {
    struct Found {
      const SearchProfile* profile;
      const typename Kind::Task* task;
      std::uint64_t digest = 0;
      bool differs = false;
    };
    std::vector<Found> found;
    for (auto& query : queries)
      for (const auto* const task : Kind::tasks(query))
        if (Kind::is_done(*task)) found.push_back({query.profile, task});
    const std::size_t every = verified_ == 0 ? found.size() + 1 : found.size() / verified_ + 1;
    parallel_for(threads_, found.size(), 16, [&](std::size_t from, std::size_t to) {
      const FlushToZero flush;
      for (; from < to; ++from) {
        Found& own = found[from];
        const std::string text = Kind::text(*own.task);
        own.digest = 0xcbf29ce484222325;  // FNV-1a
        for (const char c : text) own.digest = (own.digest ^ static_cast<unsigned char>(c)) * 0x100000001b3;
        if (from % every != 0 || verified_ == 0) continue;
        typename Kind::Task plain = Kind::undone(*own.task);
        Kind::run_on_host(*own.profile, Alphabet::get(own.profile->profile.alphabet), plain,
                          compared_.front()->seed());
        own.differs = Kind::text(plain) != text;
      }
    });
    std::uint64_t digest = 0;
    for (const Found& own : found) digest = digest * 31 + own.digest;
    std::cout << "  done: " << found.size() << " of " << count << ", digest " << std::hex << digest
              << std::dec << ", differ from the host's: " << std::ranges::count(found, true, &Found::differs)
              << " of some " << std::min(verified_, found.size()) << std::endl;
  }

  OpenDevice opened_;
  PairDevice pairs_;
  std::optional<DomainDevice> domains_;
  unsigned threads_;
  std::size_t verified_;
  int runs_;
  StagedComparisons compared_;
};

int run(int argc, char** argv) {
  namespace po = boost::program_options;
  std::size_t verified = 0, most_residues = 0;
  po::options_description description("Speed of HMMER3's domain stage on a device");
  description.add_options()("most-residues", po::value(&most_residues)->default_value(512), "of a region")(
      "verify", po::value(&verified)->default_value(500), "regions and envelopes that the host does again");
  const std::optional<bench::Hmmer3Inputs> inputs = bench::hmmer3_inputs(argc, argv, description);
  if (!inputs) return 0;
  const std::deque<SearchProfile> profiles = bench::read_profiles(inputs->profiles);
  SequenceBatch batch;
  const auto file = open_sequences(inputs->sequences, Alphabet::get(profiles.front().profile.alphabet));
  while (file->read(batch)) {
  }
  std::cout << std::setprecision(4) << inputs->device.name << ", driver " << inputs->device.driver << ": "
            << profiles.size() << " profiles, " << batch.size() << " sequences" << std::endl;
  Measurement(inputs->device, inputs->threads, verified, inputs->runs).run(profiles, batch, most_residues);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  gpuhmm::keep_freed_memory();  // as a search
  return gpuhmm::bench::exit_code("bench_hmmer3_domains", [&] { return run(argc, argv); });
}
