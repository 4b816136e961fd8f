// Measures `gpuhmm segments` on a batch of proteins: random sequences with the lengths of a database, a
// quarter of them with membrane helices. Times the host, an OpenCL device (kernels by events; the whole with
// copies), and the device with the batch as one vector with a barrier after each sequence. If a result
// differs from the host's, the exit status is 1.
#include "companion/segments/region_device.hpp"
#include "companion/segments/segment_device.hpp"
#include "gpuhmm/random.hpp"
#include "length_histogram.hpp"
#include "number_bench.hpp"
#include "util/stopwatch.hpp"

namespace {

namespace po = boost::program_options;
using namespace gpuhmm;
using namespace gpuhmm::bench;
using Regions = std::vector<std::vector<Region>>;

SequenceBatch random_proteins(const std::string& histogram, std::size_t count) {
  LengthHistogram lengths(histogram);
  std::mt19937_64 rng(42);
  const auto frequencies = default_frequencies(AlphabetKind::Amino);
  std::discrete_distribution<int> any(frequencies.begin(), frequencies.end());
  const std::string membrane = "AFGILLVVMW";
  const auto& codes = Alphabet::get(AlphabetKind::Amino).codes();
  constexpr std::size_t kLongest = 35'213, kTurn = 80, kHelix = 21;
  SequenceBatch batch;
  for (std::size_t i = 0; i < count; ++i) {
    batch.begin_sequence("s", "", "");
    const std::size_t length = i == count / 2 ? kLongest : lengths.draw(rng);
    const bool helices = rng() % 4 == 0;
    for (std::size_t r = 0; r < length; ++r) {
      const auto letter = static_cast<unsigned char>(membrane[rng() % membrane.size()]);
      batch.residue_buffer().push_back(helices && r % kTurn < kHelix ? codes[letter]
                                                                     : static_cast<std::uint8_t>(any(rng)));
    }
  }
  return batch;
}

struct Job {
  const char* name;
  ResidueScores scores;
  RegionFilter filter;
};

void print_line(const Job& job, const std::string& where, double kernels, double whole,
                std::size_t residues) {
  std::printf("| %s | %s | ", job.name, where.c_str());
  if (kernels > 0) std::printf("%.3f", kernels * 1e3);
  std::printf(" | %.2f | %.0f |\n", whole * 1e3, static_cast<double>(residues) / whole * 1e-6);
  std::fflush(stdout);
}

Regions measure_host(const Job& job, const SequenceBatch& batch, unsigned threads, int repeats) {
  Regions found;
  const double whole = best_of(repeats, [&] {
    const double start = seconds_now();
    found = find_regions(batch, job.scores, job.filter, threads);
    return seconds_now() - start;
  });
  print_line(job, "host, " + std::to_string(threads) + " threads", 0, whole, batch.residue_count());
  return found;
}

void measure_batch(const Job& job, const SequenceBatch& batch, const Regions& expected, RegionDevice& device,
                   int repeats) {
  double kernels = 1e300;
  std::map<std::string, double> times;
  const double whole = best_of(repeats, [&] {
    Regions found(batch.size());
    const double start = seconds_now();
    device.find(batch, 0, batch.size(), job.scores, job.filter, found);
    const double seconds = seconds_now() - start;
    check(found == expected, std::string(job.name) + ", sequences by work-items and work-groups");
    double sum = 0;
    for (const WorkingDevice::KernelTime& time : device.kernel_times()) {
      sum += time.seconds;
      const auto [known, fresh] = times.emplace(time.kernel, time.seconds);
      if (!fresh) known->second = std::min(known->second, time.seconds);
    }
    kernels = std::min(kernels, sum);
    return seconds;
  });
  std::string where = "device, a work-item or work-group a sequence (";
  for (const auto& [kernel, seconds] : times) {
    char text[64];
    std::snprintf(text, sizeof text, "%s%s %.3f", kernel == times.begin()->first ? "" : ", ", kernel.c_str(),
                  seconds * 1e3);
    where += text;
  }
  print_line(job, where + ")", kernels, whole, batch.residue_count());
}

// The batch as one vector: no segment with a sum above 0 crosses a barrier.
void measure_vector(const Job& job, const SequenceBatch& batch, const Regions& expected,
                    SegmentDevice& device, unsigned threads, int repeats) {
  constexpr std::int32_t kBarrier = -1'000'000'000;
  double kernels = 1e300;
  const double whole = best_of(repeats, [&] {
    const double start = seconds_now();
    std::vector<std::int32_t> values;
    std::vector<std::uint64_t> starts;
    values.reserve(batch.residue_count() + batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      starts.push_back(values.size());
      for (const std::uint8_t code : batch.residues(i)) values.push_back(job.scores.scores[code]);
      values.push_back(kBarrier);
    }
    device.load(std::span<const std::int32_t>(values));
    const SegmentBlock<std::int64_t> block = device.segments(threads);
    Regions found(batch.size());
    std::size_t i = 0;
    for (const BlockSegment<std::int64_t>& segment : block.segments) {
      while (i + 1 < starts.size() && starts[i + 1] <= segment.begin) ++i;
      found[i].push_back({segment.begin - starts[i], segment.end - starts[i], segment.high - segment.low});
    }
    for (std::vector<Region>& regions : found) filter_regions(regions, job.filter);
    const double seconds = seconds_now() - start;
    kernels = std::min(kernels, device.kernel_seconds());
    check(found == expected, std::string(job.name) + ", one vector");
    return seconds;
  });
  print_line(job, "device, one vector", kernels, whole, batch.residue_count());
}

void measure(const po::variables_map& given) {
  const SequenceBatch batch =
      random_proteins(given["lengths"].as<std::string>(), given["sequences"].as<std::size_t>());
  const int repeats = given["repeats"].as<int>();
  const unsigned threads = given["threads"].as<unsigned>();
  const ResidueScale& scale = built_in_scales(AlphabetKind::Amino).front();
  const auto scores = [&](const char* shift) {
    return residue_scores(scale, parse_decimal(shift), Alphabet::get(AlphabetKind::Amino));
  };
  const ResidueScores usual = residue_scores(scale, scale.shift, Alphabet::get(AlphabetKind::Amino));
  const RegionFilter cut = {scale.min_score.scaled(usual.decimals), scale.min_length, UINT64_MAX};
  const Job jobs[] = {{"best", usual, {0, 1, 1}},
                      {"regions", usual, cut},
                      {"all", usual, {}},
                      {"best, shift 0", scores("0"), {0, 1, 1}},
                      {"all, shift 0", scores("0"), {}},
                      {"all, shift -1.5", scores("-1.5"), {}}};
  std::optional<RegionDevice> by_sequence;
  std::optional<SegmentDevice> by_vector;
  if (const auto device = chosen_device(given["device"].as<std::string>())) {
    BatchShape shape = BatchShape::suiting(*device);
    if (given.count("group") > 0) shape.group = given["group"].as<unsigned>();
    if (given.count("most-of-item") > 0) shape.most_of_item = given["most-of-item"].as<std::size_t>();
    std::printf("work-groups of %u, a work-item takes %zu residues at most\n", shape.group,
                shape.most_of_item);
    by_sequence.emplace(*device, shape, threads);
    by_vector.emplace(*device);
  }
  std::printf("%zu sequences, %zu residues; best of %d\n\n", batch.size(), batch.residue_count(), repeats);
  std::printf("| what | where | kernels, ms | whole, ms | 10^6 residues/s |\n|---|---|---|---|---|\n");
  for (const Job& job : jobs) {
    const Regions expected = measure_host(job, batch, threads, repeats);
    if (!by_sequence) continue;
    measure_batch(job, batch, expected, *by_sequence, repeats);
    measure_vector(job, batch, expected, *by_vector, threads, repeats);
  }
}

}  // namespace

int main(int argc, char** argv) {
  po::options_description options("bench_segment_batches: speed of hydrophobic regions of a batch");
  options.add_options()("device", po::value<std::string>()->default_value("none"), "as for gpuhmm")(
      "lengths", po::value<std::string>()->default_value("bench/swissprot_lengths.txt"),
      "histogram of lengths; each line: length count")(
      "sequences", po::value<std::size_t>()->default_value(32768), "sequences of the batch")(
      "threads", po::value<unsigned>()->default_value(1), "host threads")("group", po::value<unsigned>(),
                                                                          "work-items of a work-group")(
      "most-of-item", po::value<std::size_t>(), "residues; a longer sequence gets a work-group")(
      "repeats", po::value<int>()->default_value(7), "repeats of each timing; the best counts");
  po::variables_map given;
  return run(argc, argv, options, given, [&] { measure(given); });
}
