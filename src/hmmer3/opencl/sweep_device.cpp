// Shares launches among streams; tests the arithmetic of a device.
#include "hmmer3/opencl/sweep_device.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <limits>
#include <random>

#include "filter/opencl/gpu_variant.hpp"
#include "hmmer3/arithmetic.hpp"
#include "util/parallel.hpp"

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
  const cl::Kernel kernel = device.kernel({"hmmer3_sweeps.cl"}, "arithmetic", options);
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

std::vector<std::string> sweep_build_options(const OpenDevice& device) {
  std::string options = "-cl-denorms-are-zero";
  const auto can = device.guarded([&] { return device.device().getInfo<CL_DEVICE_SINGLE_FP_CONFIG>(); });
  if ((can & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0) options += " -cl-fp32-correctly-rounded-divide-sqrt";
  if (choose_gpu_variant(device.info()).nvidia) return {options + " -DNVIDIA=1 -DFLUSH=0"};
  return {options + " -DNVIDIA=0 -DFLUSH=0", options + " -DNVIDIA=0 -DFLUSH=1"};
}

SweepRoom sweep_room(const DeviceInfo& device) {
  // A driver may need some of the local memory itself.
  constexpr std::size_t kReserved = 1024, kMostLocal = std::size_t{48} << 10,
                        kMostRows = std::size_t{16} << 20;
  SweepRoom room;
  room.local_bytes = std::min<std::size_t>(device.local_memory, kMostLocal) - kReserved;
  room.sequences = std::clamp<std::size_t>(device.max_work_group / kStripes, 1, 8);
  // Of each stream Forward's rows, and twice as many that are handed out.
  constexpr std::size_t kBytes = 3 * sizeof(SpecialRow);
  const std::uint64_t fitting = std::min(device.max_allocation, device.memory / 8) / kBytes;
  room.rows = static_cast<std::size_t>(std::min<std::uint64_t>(kMostRows, fitting));
  return room;
}

SweepDevice::SweepDevice(const OpenDevice& device, unsigned threads, std::optional<SweepRoom> room)
    : device_(device), room_(room.value_or(sweep_room(device.info()))), queue_(device, Timing::Off) {
  const std::vector<std::string> options = sweep_build_options(device_);
  const auto right = std::ranges::find_if(
      options, [&](const std::string& tried) { return computes_as_the_host(device_, tried); });
  if (right == options.end()) return;
  options_ = *right;
  for (unsigned s = 0; s < kStreams; ++s) {
    streams_.push_back(std::make_unique<SweepStream>(device_, *options_, std::max(1U, threads / kStreams)));
  }
}

void SweepDevice::load(const SequenceBatch& batch) {
  batch_ = &batch;
  loaded_ = false;
}

void SweepDevice::sweep(std::span<const SweepQuery> queries, const SweepUser& user) {
  constexpr std::size_t kMostResidues = std::numeric_limits<cl_uint>::max();
  if (!usable() || batch_->residue_count() > kMostResidues) return;
  std::vector<SweepQuery> possible;
  std::vector<std::size_t> places;  // of the possible queries among all
  for (std::size_t q = 0; q < queries.size(); ++q) {
    if (!is_normal(*queries[q].model)) continue;
    possible.push_back(queries[q]);
    places.push_back(q);
  }
  const std::vector<SweepLaunch> launches = sweep_launches(possible, *batch_, room_);
  if (launches.empty()) return;
  if (!loaded_) {
    residues_ = queue_.upload(std::span(batch_->residues(0).data(), batch_->residue_count()));
    loaded_ = true;
  }
  const SweepUser told = {
      [&](std::size_t q, std::size_t n, float score) { return user.passes(places[q], n, score); },
      [&](std::size_t q, std::size_t n, const SweptRows& rows) { user.use(places[q], n, rows); }};
  std::atomic<std::size_t> next = 0;
  parallel_for(kStreams, streams_.size(), 1, [&](std::size_t s, std::size_t) {
    for (std::size_t l = next++; l < launches.size(); l = next++)
      busy_.add(streams_[s]->run(launches[l], possible, *batch_, residues_, told));
  });
}

}  // namespace gpuhmm::hmmer3
