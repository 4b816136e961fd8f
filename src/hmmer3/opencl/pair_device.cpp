// Shares launches of each stage among streams; tests the arithmetic of a device.
#include "hmmer3/opencl/pair_device.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <random>

#include "filter/opencl/gpu_variant.hpp"
#include "hmmer3/arithmetic.hpp"
#include "hmmer3/opencl/filter_tables.hpp"
#include "hmmer3/opencl/streams.hpp"
#include "hmmer3/opencl/sweep_tables.hpp"

namespace gpuhmm::hmmer3 {

namespace {

using Numbers = std::array<float, 4>;

Numbers expected_of(const Numbers& x) {
  const FlushToZero flush;
  // Each result is stored, so that none is computed before or after the object above lives.
  const volatile float a = x[0], b = x[1], c = x[2];
  const volatile float product = a * b, sum = product + c, quotient = a / b, last = product * c;
  return {product, sum, quotient, last};
}

// Numbers for which rounding once instead of twice, keeping small numbers, and rounding a quotient wrongly
// show.
std::vector<Numbers> test_numbers() {
  std::vector<Numbers> numbers = {{0x1.001p0F, 0x1.001p0F, -0x1.002p0F, 0},
                                  {1e-20F, 1e-20F, 1e30F, 0},
                                  {0x1p-126F, 0.5F, 0x1p30F, 0},
                                  {0x1.8p-126F, 0x1.8p-1F, 2, 0}};
  std::minstd_rand random(1);
  std::uniform_real_distribution<float> number(0.5F, 2);
  while (numbers.size() < 4096) numbers.push_back({number(random), number(random), -number(random), 0});
  return numbers;
}

bool computes_as_the_host(const OpenDevice& device, const std::string& options) {
  const std::vector<Numbers> numbers = test_numbers();
  std::vector<Numbers> results(numbers.size());
  const Queue queue(device, Timing::Off);
  const cl::Kernel kernel = device.kernel({"hmmer3_arithmetic.cl"}, "arithmetic", options);
  const cl::Buffer from = queue.upload(numbers), to = device.buffer<Numbers>(numbers.size());
  queue.launch(kernel, {{numbers.size()}, cl::NullRange}, from, to);
  queue.read(to, results.data(), results.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Numbers expected = expected_of(numbers[i]);
    if (std::memcmp(&expected, &results[i], sizeof(Numbers)) != 0) return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> pair_build_options(const OpenDevice& device) {
  std::string options = "-cl-denorms-are-zero";
  const auto can = device.guarded([&] { return device.device().getInfo<CL_DEVICE_SINGLE_FP_CONFIG>(); });
  if ((can & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0) options += " -cl-fp32-correctly-rounded-divide-sqrt";
  // PoCL takes long to build unrolled loops.
  options += device.info().type == DeviceType::Cpu ? " -DUNROLL=0" : " -DUNROLL=1";
  if (choose_gpu_variant(device.info()).nvidia) return {options + " -DNVIDIA=1 -DFLUSH=0"};
  return {options + " -DNVIDIA=0 -DFLUSH=0", options + " -DNVIDIA=0 -DFLUSH=1"};
}

std::size_t usable_local_bytes(const DeviceInfo& device) {
  // A driver may need some of the local memory itself.
  constexpr std::size_t kReserved = 1024, kMostLocal = std::size_t{48} << 10;
  return std::min<std::size_t>(device.local_memory, kMostLocal) - kReserved;
}

PairRooms::PairRooms(const DeviceInfo& device) : shapes(sweep_shapes(device)) {
  // Rows of a launch of sweeps, for which a stream has buffers of its own from the beginning: drivers wait
  // for all kernels when one grows.
  constexpr std::size_t kMany = std::size_t{1} << 30;
  const bool is_cpu = device.type == DeviceType::Cpu;
  const std::size_t most_rows = (is_cpu ? std::size_t{2} : std::size_t{16}) << 20;
  const std::size_t local_bytes = usable_local_bytes(device);
  const auto sequences = [&](std::size_t wanted, std::size_t items) {
    return std::clamp<std::size_t>(device.max_work_group / items, 1, wanted);
  };
  // Some 150,000 pairs, so that a stream has one or two launches of a block: each takes as long as its
  // longest pair.
  constexpr std::size_t kBiasRows = std::size_t{60} << 20;
  bias = {sequences(64, 1), local_bytes, kBiasRows, kMany, no_local_bytes};
  // On an H200 the longest pairs take some 10 ms; without a limit a launch takes up to a second for one pair.
  viterbi = {sequences(is_cpu ? 32 : 64, 1), local_bytes, kMany, 800'000, no_local_bytes};
  // Of larger models fewer work-groups have room for their cells at a time.
  constexpr std::size_t kFewNodes = 512;
  viterbi.classes = {kFewNodes, kMany};
  // The host prepares launches, and takes what they find, while others run.
  viterbi.cells = 10'000'000'000;
  filter_rows = static_cast<std::size_t>(device.memory / 8 / streams_of(device));
  constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;
  viterbi_bytes = static_cast<std::size_t>(
      std::min({kMostBytes, device.max_allocation, device.memory / 16 / streams_of(device)}));
  msv = {sequences(64, 1), local_bytes, kMany, 800'000, no_local_bytes};
  msv.classes = {kMany};
  msv.cells = 4'000'000'000;
  msv_bytes = viterbi_bytes / 2;
  // Of each stream the rows of both directions, and their posterior probabilities.
  constexpr std::size_t kBytes = 2 * sizeof(SpecialRow) + sizeof(cl_float4);
  const std::uint64_t fitting =
      std::min(device.max_allocation, device.memory / 8 / streams_of(device)) / kBytes;
  const auto rows = static_cast<std::size_t>(std::min<std::uint64_t>(most_rows, fitting));
  sweep = {sequences(is_cpu ? 8 : 32, kStripes), local_bytes, rows, is_cpu ? 200'000U : 800'000U,
           no_local_bytes};
  sweep.largest = most_steps(shapes);
  sweep.classes = program_classes(shapes);
}

PairDevice::PairDevice(const OpenDevice& device, unsigned threads, const std::optional<PairRooms>& rooms,
                       ResidentResidues* resident)
    : device_(device),
      rooms_(rooms.value_or(PairRooms(device.info()))),
      threads_(threads),
      queue_(device, Timing::Off),
      residues_(resident) {
  const std::vector<std::string> options = pair_build_options(device_);
  const auto right = std::ranges::find_if(
      options, [&](const std::string& tried) { return computes_as_the_host(device_, tried); });
  if (right == options.end()) return;
  options_ = *right;
  const unsigned streams = streams_of(device_.info());
  // Few launches are at the point where the host uses what they found at the same time.
  const unsigned threads_each = std::max(1U, threads / 2);
  for (unsigned s = 0; s < streams; ++s) {
    // Its launches are few, so that each has all threads.
    msv_streams_.push_back(std::make_unique<MsvStream>(device_, rooms_.msv_bytes, threads));
    filters_.push_back(
        std::make_unique<FilterStream>(device_, *options_, rooms_.viterbi_bytes, threads_each));
    sweeps_.push_back(std::make_unique<SweepStream>(device_, *options_, rooms_.shapes, rooms_.sweep.rows,
                                                    rooms_.scales, threads_each));
  }
}

void PairDevice::expect(std::span<const SearchProfile* const> profiles) {
  if (usable()) SweepStream::begin_programs(device_, *options_, rooms_.shapes, profiles);
}

void PairDevice::load(const SequenceBatch& batch) {
  batch_ = &batch;
  loaded_ = false;
}

bool PairDevice::ready(std::span<const PairQuery> queries) {
  constexpr std::size_t kMostResidues = std::numeric_limits<cl_uint>::max();
  const bool any =
      std::ranges::any_of(queries, [](const PairQuery& query) { return !query.sequences.empty(); });
  if (!any || !usable() || batch_->residue_count() > kMostResidues) return false;
  if (!loaded_) {
    residues_.load(queue_, *batch_, threads_);
    loaded_ = true;
  }
  return true;
}

// Pairs that need Viterbi scores have them computed in the same launch, if there is room for them.
void PairDevice::bias(std::span<const PairQuery> queries, const BiasUser& user) {
  if (!ready(queries) || !device_.double_precision()) return;
  std::vector<std::size_t> sizes(queries.size(), 1);
  PairRoom room = rooms_.bias;
  BiasUser with_room = user;
  if (user.needs_viterbi) {
    const std::vector<std::size_t> of_viterbi = viterbi_sizes(queries);
    const auto has_room = [&, of_viterbi](std::size_t q) {
      return rooms_.viterbi.sequences_at(of_viterbi[q]) > 0;
    };
    for (std::size_t q = 0; q < queries.size(); ++q) sizes[q] = has_room(q) ? of_viterbi[q] : 1;
    room.launches = filters_.size();
    room.most_rows = rooms_.filter_rows;
    room.classes = rooms_.viterbi.classes;
    room.sequences = std::min(room.sequences, rooms_.viterbi.sequences);
    with_room.needs_viterbi = [&, has_room](std::size_t q, std::size_t n) {
      const std::size_t cost = sizes[q] * batch_->length(queries[q].sequences[n]);
      return has_room(q) && cost <= rooms_.viterbi.cost ? user.needs_viterbi(q, n) : ViterbiLimits();
    };
  }
  share(device_, pair_launches(queries, sizes, *batch_, room, threads_),
        [&](std::size_t stream, const PairLaunch& launch) {
          busy_.add(filters_[stream]->bias(launch, queries, *batch_, residues_, with_room));
        });
}

void PairDevice::msv(std::span<const PairQuery> queries, const TakeScore& take) {
  if (!ready(queries)) return;
  share(device_, pair_launches(queries, nodes_of(queries), *batch_, rooms_.msv, threads_),
        [&](std::size_t stream, const PairLaunch& launch) {
          const CommandTime time = msv_streams_[stream]->run(launch, queries, *batch_, residues_, take);
          busy_.add({&time, 1});
        });
}

void PairDevice::viterbi(std::span<const PairQuery> queries, const TakeViterbi& take) {
  if (!ready(queries)) return;
  const std::vector<std::size_t> sizes = viterbi_sizes(queries);
  share(device_, pair_launches(queries, sizes, *batch_, rooms_.viterbi, threads_),
        [&](std::size_t stream, const PairLaunch& launch) {
          busy_.add(filters_[stream]->viterbi(launch, queries, *batch_, residues_, take));
        });
}

void PairDevice::sweep(std::span<const PairQuery> queries, const SweepUser& user) {
  if (!ready(queries)) return;
  const std::vector<std::size_t> sizes = sweep_sizes(queries);
  share(device_, pair_launches(queries, sizes, *batch_, rooms_.sweep, threads_),
        [&](std::size_t stream, const PairLaunch& launch) {
          busy_.add(sweeps_[stream]->run(launch, queries, *batch_, residues_, user));
        });
}

}  // namespace gpuhmm::hmmer3
