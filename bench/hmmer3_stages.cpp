// Speed of HMMER3's filters on a device, from SSV through Forward: of each stage the pairs, the G cells
// (nodes x residues) and the seconds by the clock, with lists, tables and copies; of all together the G
// cells/s of all pairs, as if each had passed all stages. With --side-by-side the next block is at SSV while
// a block is at the stages behind it, as in a search, and the seconds are those from the first block's
// loading to the last one's Forward. Compares no scores: the tests do.
#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <cstdint>
#include <deque>
#include <future>
#include <iomanip>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/hmmer3_inputs.hpp"
#include "gpuhmm/database.hpp"
#include "hmmer3/comparison.hpp"
#include "hmmer3/first_impossible.hpp"
#include "hmmer3/opencl/pair_device.hpp"
#include "hmmer3/opencl/ssv_device.hpp"
#include "hmmer3/search_profile.hpp"
#include "search/hmmer3_comparisons.hpp"
#include "search/hmmer3_devices.hpp"
#include "search/sequence_blocks.hpp"
#include "util/kept_memory.hpp"
#include "util/parallel.hpp"
#include "util/stopwatch.hpp"

namespace {

using namespace gpuhmm;
using namespace gpuhmm::hmmer3;

enum Part { kSsv, kDecision, kMsv, kBias, kViterbi, kForward, kParts };
constexpr std::array<const char*, kParts> kNames = {
    "SSV",    "SSV's decision, on the host", "MSV", "bias, and Viterbi behind it", "Viterbi, pairs left",
    "Forward"};

struct Measured {
  double pairs = 0, cells = 0, seconds = 0, busy = 0;
};

class Filters {
 public:
  Filters(const DeviceInfo& device, unsigned threads, const std::deque<SearchProfile>& profiles)
      : threads_(threads),
        profiles_(profiles),
        ssv_(open(device, threads)),
        devices_(finders(), {}, threads, [](const std::string& warning) { std::cerr << warning << "\n"; }),
        pairs_(ssv_.device(), threads, std::nullopt, &ssv_.resident()) {
    for (const SearchProfile& profile : profiles) {
      pointers_.push_back(&profile);
      const auto marks =
          FirstStageMarks::make(profile.filters.bytes, profile.profile.statistics, first_threshold(options_));
      if (!marks) throw std::invalid_argument(profile.profile.name + " has odd statistics");
      queries_.push_back({&profile.filters.bytes, *marks});
    }
  }

  /// Runs blocks one after the other, stage by stage.
  void run(const std::deque<SequenceBatch>& blocks) {
    parts_ = {};
    is_counting_ = true;
    for (const SequenceBatch& block : blocks) {
      double start = seconds_now(), busy = ssv_.busy_seconds();
      ssv_.load(block);
      std::vector<std::vector<SsvFinding>> found = ssv_.find(queries_);
      end(kSsv, start, ssv_.busy_seconds() - busy);
      start = seconds_now();
      const StagedComparisons compared =
          decided(block, [&](std::size_t q) { return std::optional(std::move(found[q])); });
      end(kDecision, start, 0);
      run_behind_ssv(block, compared);
    }
    print();
  }

  /// Runs the stages of a block behind SSV while the next one is at SSV.
  void run_side_by_side(const std::deque<SequenceBatch>& blocks) {
    parts_ = {};
    is_counting_ = false;
    const double start = seconds_now(), busy = ssv_.busy_seconds() + pairs_.busy_seconds();
    std::shared_future<void> before;
    for (const SequenceBatch& block : blocks) {
      StageDevices::Pass pass(devices_, block, pointers_, options_);
      auto compared = std::make_shared<const StagedComparisons>(
          decided(block, [&](std::size_t q) { return pass.take(q); }));
      before = std::async(std::launch::async, [this, &block, compared, before] {
                 if (before.valid()) before.get();
                 run_behind_ssv(block, *compared);
               }).share();
    }
    before.get();
    const double seconds = seconds_now() - start;
    std::cout << "  side by side: " << seconds << " s, " << parts_[kSsv].cells / seconds / 1e9
              << " G cells/s, kernels run for " << ssv_.busy_seconds() + pairs_.busy_seconds() - busy
              << " s, summed over SSV and the stages behind it" << std::endl;
  }

 private:
  SsvDevice& open(const DeviceInfo& device, unsigned threads) {
    auto opened = std::make_unique<SsvDevice>(device, threads);
    SsvDevice& ssv = *opened;
    finder_ = std::move(opened);
    return ssv;
  }
  std::vector<DeviceStages> finders() {
    std::vector<DeviceStages> stages;
    stages.emplace_back().finder = std::move(finder_);
    return stages;
  }

  // What SSV's findings of a block, take(q) of profile q, leave to the other stages.
  template <class Take>
  StagedComparisons decided(const SequenceBatch& batch, const Take& take) {
    std::vector<double> seconds(profiles_.size());
    StageClock clock;
    return filtered(
        profiles_.size(), threads_,
        [&](std::size_t q) {
          return std::make_unique<StagedComparison>(profiles_[q], batch, options_,
                                                    ComparisonPlace{impossible_, q, 0}, take(q), true);
        },
        seconds, clock);
  }

  void run_behind_ssv(const SequenceBatch& batch, const StagedComparisons& compared) {
    pairs_.load(batch);
    run(kMsv, batch, compared, [&](const auto& queries, const auto& numbers) {
      pairs_.msv(queries, [&](std::size_t q, std::size_t n, float score) {
        compared[q]->take_msv(numbers[q][n], score);
      });
    });
    const auto take_viterbi = [&](std::size_t q, std::size_t number, float score, bool is_exact) {
      return is_exact ? compared[q]->take_viterbi(number, score)
                      : compared[q]->take_viterbi_bound(number, score);
    };
    run(kBias, batch, compared, [&](const auto& queries, const auto& numbers) {
      pairs_.bias(
          queries,
          {[&](std::size_t q, std::size_t n, float score) { compared[q]->take_bias(numbers[q][n], score); },
           [&](std::size_t q, std::size_t n) { return compared[q]->needs_viterbi(numbers[q][n]); },
           [&](std::size_t q, std::size_t n, float score, bool is_exact) {
             const std::size_t number = numbers[q][n];
             return compared[q]->next(number) != Next::Viterbi || take_viterbi(q, number, score, is_exact);
           }});
    });
    run(kViterbi, batch, compared, [&](const auto& queries, const auto& numbers) {
      pairs_.viterbi(queries, [&](std::size_t q, std::size_t n, float score, bool is_exact) {
        return take_viterbi(q, numbers[q][n], score, is_exact);
      });
    });
    run(kForward, batch, compared, [&](const auto& queries, const auto& numbers) {
      pairs_.sweep(queries, {[&](std::size_t q, std::size_t n, float score) {
                               compared[q]->take_forward(numbers[q][n], score);
                               return false;
                             },
                             {}});
    });
    for (const SearchProfile& profile : profiles_) {
      const double cells = static_cast<double>(batch.residue_count()) * profile.profile.nodes;
      parts_[kSsv].pairs += static_cast<double>(batch.size());
      parts_[kSsv].cells += cells;
    }
  }

  void print() {
    double all = 0;
    std::cout << std::setprecision(4);
    for (int part = 0; part < kParts; ++part) {
      const Measured& own = parts_[part];
      all += own.seconds;
      std::cout << "  " << kNames[part] << ": " << own.pairs << " pairs, " << own.cells / 1e9 << " G cells, "
                << own.seconds << " s, kernels run for " << own.busy << " s\n";
    }
    std::cout << "  all: " << all << " s, " << parts_[kSsv].cells / all / 1e9 << " G cells/s" << std::endl;
  }

  void end(Part part, double start, double busy) {
    parts_[part].seconds += seconds_now() - start;
    parts_[part].busy += busy;
  }

  template <class Stage>
  void run(Part part, const SequenceBatch& batch, const StagedComparisons& compared, const Stage& stage) {
    constexpr std::array<Next, kParts> kNext = {Next::Bias, Next::Bias,    Next::Msv,
                                                Next::Bias, Next::Viterbi, Next::Forward};
    const double start = seconds_now(), busy = pairs_.busy_seconds();
    std::vector<PairQuery> queries(compared.size());
    std::vector<std::vector<std::uint32_t>> numbers(compared.size());
    parallel_for(threads_, compared.size(), 1, [&](std::size_t q, std::size_t) {
      queries[q].profile = &profiles_[q];
      queries[q].sequences.reserve(compared[q]->pairs());
      numbers[q].reserve(compared[q]->pairs());
      for (std::size_t n = 0; n < compared[q]->pairs(); ++n) {
        if (compared[q]->next(n) != kNext[part]) continue;
        queries[q].sequences.push_back(static_cast<std::uint32_t>(compared[q]->sequence(n)));
        numbers[q].push_back(static_cast<std::uint32_t>(n));
      }
    });
    stage(queries, numbers);
    end(part, start, pairs_.busy_seconds() - busy);
    if (is_counting_) count(part, batch, queries);
  }

  void count(Part part, const SequenceBatch& batch, const std::vector<PairQuery>& queries) {
    for (std::size_t q = 0; q < queries.size(); ++q) {
      double residues = 0;
      for (const std::uint32_t sequence : queries[q].sequences)
        residues += static_cast<double>(batch.length(sequence));
      parts_[part].pairs += static_cast<double>(queries[q].sequences.size());
      parts_[part].cells += residues * profiles_[q].profile.nodes;
    }
  }

  unsigned threads_;
  const std::deque<SearchProfile>& profiles_;
  Options options_;
  std::unique_ptr<SsvFinder> finder_;  // until devices_ has it
  SsvDevice& ssv_;
  StageDevices devices_;
  PairDevice pairs_;
  FirstImpossible impossible_{FirstImpossible::Order::Search};
  std::vector<const SearchProfile*> pointers_;
  std::vector<SsvQuery> queries_;
  std::array<Measured, kParts> parts_;
  bool is_counting_ = true;  // pairs and cells; takes time
};

// All sequences, in so many blocks of about one size.
std::deque<SequenceBatch> read_blocks(const SequenceSource& source, const Alphabet& alphabet,
                                      std::size_t count) {
  std::size_t residues = 0;
  SequenceBatch one;
  for (const auto counted = source.open(alphabet); counted->read(one); one.clear())
    residues += one.residue_count();
  std::deque<SequenceBatch> blocks;
  SequenceBlocks read(source.open(alphabet), false, true);
  for (bool last = false; !last;) {
    SequenceBlock block = read.next(std::numeric_limits<std::size_t>::max(), residues / count + 1);
    last = block.last;
    blocks.push_back(std::move(block.sequences));
  }
  return blocks;
}

int run(int argc, char** argv) {
  namespace po = boost::program_options;
  std::size_t count = 0;
  bool side_by_side = false;
  po::options_description description("Speed of HMMER3's filters on a device, through Forward");
  description.add_options()("blocks", po::value(&count)->default_value(1),
                            "blocks of one size that the sequences are divided into")(
      "side-by-side", po::bool_switch(&side_by_side), "also measure blocks that overlap each other");
  const std::optional<bench::Hmmer3Inputs> inputs = bench::hmmer3_inputs(argc, argv, description);
  if (!inputs) return 0;
  const DeviceInfo& device = inputs->device;
  const std::deque<SearchProfile> profiles = bench::read_profiles(inputs->profiles);
  const SequenceSource source(inputs->sequences, std::nullopt, inputs->threads);
  const std::deque<SequenceBatch> blocks =
      read_blocks(source, Alphabet::get(profiles.front().profile.alphabet), std::max<std::size_t>(count, 1));
  std::cout << device.name << ", driver " << device.driver << ": " << profiles.size() << " profiles, "
            << blocks.size() << " blocks of " << blocks.front().size() << " sequences\n";
  Filters filters(device, inputs->threads, profiles);
  for (int run = 0; run < inputs->runs; ++run) {
    std::cout << "run " << run + 1 << ":\n";
    filters.run(blocks);
    if (side_by_side) filters.run_side_by_side(blocks);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  gpuhmm::keep_freed_memory();  // as a search
  return gpuhmm::bench::exit_code("bench_hmmer3_stages", [&] { return run(argc, argv); });
}
