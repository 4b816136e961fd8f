// Speed of HMMER3's filters on a device, from SSV through Forward: of each stage the pairs, the G cells
// (nodes x residues) and the seconds by the clock, with lists, tables and copies; of all together the G
// cells/s of all pairs, as if each had passed all stages. Compares no scores: the tests do.
#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <cstdint>
#include <deque>
#include <exception>
#include <iomanip>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gpuhmm/hmmer3_profile_file.hpp"
#include "gpuhmm/sequence_file.hpp"
#include "hmmer3/comparison.hpp"
#include "hmmer3/first_impossible.hpp"
#include "hmmer3/opencl/pair_device.hpp"
#include "hmmer3/opencl/ssv_device.hpp"
#include "hmmer3/search_profile.hpp"
#include "search/hmmer3_comparisons.hpp"
#include "util/parallel.hpp"
#include "util/stopwatch.hpp"

namespace {

using namespace gpuhmm;
using namespace gpuhmm::hmmer3;

enum Part { kSsv, kMsv, kBias, kViterbi, kForward, kParts };
constexpr std::array<const char*, kParts> kNames = {"SSV", "MSV's decision, on the host", "bias", "Viterbi",
                                                    "Forward"};

struct Measured {
  double pairs = 0, cells = 0, seconds = 0, busy = 0;
};

class Filters {
 public:
  Filters(const DeviceInfo& device, unsigned threads, const std::deque<SearchProfile>& profiles)
      : threads_(threads), profiles_(profiles), ssv_(device, threads), pairs_(ssv_.device(), threads) {
    for (const SearchProfile& profile : profiles) {
      const auto marks =
          FirstStageMarks::make(profile.filters.bytes, profile.profile.statistics, first_threshold(options_));
      if (!marks) throw std::invalid_argument(profile.profile.name + " has odd statistics");
      queries_.push_back({&profile.filters.bytes, *marks});
    }
  }

  /// Forgets what was measured.
  void begin() { parts_ = {}; }

  void run(const SequenceBatch& batch) {
    double start = seconds_now(), busy = ssv_.busy_seconds();
    ssv_.load(batch);
    pairs_.load(batch);
    std::vector<std::vector<SsvFinding>> found = ssv_.find(queries_);
    end(kSsv, start, ssv_.busy_seconds() - busy);
    FirstImpossible impossible(FirstImpossible::Order::Search);
    std::vector<double> seconds(profiles_.size());
    StageClock clock;
    start = seconds_now();
    const StagedComparisons compared = filtered(
        profiles_.size(), threads_,
        [&](std::size_t q) {
          return std::make_unique<StagedComparison>(
              profiles_[q], batch, options_, ComparisonPlace{impossible, q, 0}, std::move(found[q]), true);
        },
        seconds, clock);
    end(kMsv, start, 0);
    run(kBias, batch, compared, [&](const auto& queries, const auto& numbers) {
      pairs_.bias(queries, [&](std::size_t q, std::size_t n, float score) {
        compared[q]->take_bias(numbers[q][n], score);
      });
    });
    run(kViterbi, batch, compared, [&](const auto& queries, const auto& numbers) {
      pairs_.viterbi(queries, [&](std::size_t q, std::size_t n, float score, bool is_exact) {
        const std::size_t number = numbers[q][n];
        return is_exact ? compared[q]->take_viterbi(number, score)
                        : compared[q]->take_viterbi_bound(number, score);
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

  void print() const {
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

 private:
  void end(Part part, double start, double busy) {
    parts_[part].seconds += seconds_now() - start;
    parts_[part].busy += busy;
  }

  template <class Stage>
  void run(Part part, const SequenceBatch& batch, const StagedComparisons& compared, const Stage& stage) {
    constexpr std::array<Next, kParts> kNext = {Next::Bias, Next::Bias, Next::Bias, Next::Viterbi,
                                                Next::Forward};
    const double start = seconds_now(), busy = pairs_.busy_seconds();
    std::vector<PairQuery> queries(compared.size());
    std::vector<std::vector<std::size_t>> numbers(compared.size());
    parallel_for(threads_, compared.size(), 1, [&](std::size_t q, std::size_t) {
      queries[q].profile = &profiles_[q];
      for (std::size_t n = 0; n < compared[q]->pairs(); ++n) {
        if (compared[q]->next(n) != kNext[part]) continue;
        queries[q].sequences.push_back(compared[q]->sequence(n));
        numbers[q].push_back(n);
      }
    });
    for (const PairQuery& query : queries) {
      double residues = 0;
      for (const std::size_t i : query.sequences) residues += static_cast<double>(batch.length(i));
      parts_[part].pairs += static_cast<double>(query.sequences.size());
      parts_[part].cells += residues * query.profile->profile.nodes;
    }
    stage(queries, numbers);
    end(part, start, pairs_.busy_seconds() - busy);
  }

  unsigned threads_;
  const std::deque<SearchProfile>& profiles_;
  Options options_;
  SsvDevice ssv_;
  PairDevice pairs_;
  std::vector<SsvQuery> queries_;
  std::array<Measured, kParts> parts_;
};

std::vector<SequenceBatch> read_blocks(const std::string& path, const Alphabet& alphabet, int copies) {
  std::vector<SequenceBatch> blocks(static_cast<std::size_t>(copies));
  for (SequenceBatch& block : blocks) {
    const auto reader = open_sequences(path, alphabet);
    while (reader->read(block)) {
    }
  }
  return blocks;
}

int run(int argc, char** argv) {
  namespace po = boost::program_options;
  std::string file, sequences, spec;
  int copies = 0, runs = 0;
  unsigned threads = 0;
  po::options_description description("Speed of HMMER3's filters on a device, through Forward");
  description.add_options()("help,h", "list the options")("profiles", po::value(&file)->required(),
                                                          "HMMER3 profiles")(
      "sequences", po::value(&sequences)->required(), "sequence file")(
      "device", po::value(&spec)->default_value("auto"), "device, as for gpuhmm")(
      "copies", po::value(&copies)->default_value(1), "how often the sequences are read; each time a block")(
      "runs", po::value(&runs)->default_value(3), "measurements")(
      "threads", po::value(&threads)->default_value(4), "host threads");
  po::variables_map given;
  po::store(po::parse_command_line(argc, argv, description), given);
  if (given.count("help") != 0) {
    std::cout << description;
    return 0;
  }
  po::notify(given);
  const std::optional<DeviceInfo> device = select_device(list_devices(), spec);
  if (!device) {
    std::cerr << "there is no such device\n";
    return 1;
  }
  std::deque<SearchProfile> profiles;
  hmmer3::ProfileReader reader(file);
  while (std::optional<hmmer3::Profile> profile = reader.next()) profiles.emplace_back(std::move(*profile));
  if (profiles.empty()) throw std::invalid_argument("there is no profile");
  const std::vector<SequenceBatch> blocks =
      read_blocks(sequences, Alphabet::get(profiles.front().profile.alphabet), copies);
  std::cout << device->name << ", driver " << device->driver << ": " << profiles.size() << " profiles, "
            << blocks.size() << " blocks of " << blocks.front().size() << " sequences\n";
  Filters filters(*device, threads, profiles);
  for (int run = 0; run < runs; ++run) {
    filters.begin();
    for (const SequenceBatch& block : blocks) filters.run(block);
    std::cout << "run " << run + 1 << ":\n";
    filters.print();
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "bench_hmmer3_stages: " << error.what() << "\n";
    return 1;
  }
}
