// Threads that feed the devices' first filter; the check of what it finds.
#include "search/hmmer3_devices.hpp"

#include <algorithm>
#include <cstdint>
#include <future>
#include <optional>
#include <utility>

#include "filter/verification.hpp"
#include "hmmer3/arithmetic.hpp"
#include "hmmer3/comparison.hpp"
#include "hmmer3/fast_filters.hpp"
#include "hmmer3/opencl/domain_device.hpp"
#include "hmmer3/opencl/pair_device.hpp"
#include "hmmer3/opencl/ssv_device.hpp"
#include "search/tuned_settings.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::hmmer3 {

namespace {

constexpr std::size_t kMostAtOnce = 64;

bool same(const SsvMaximum& a, const SsvMaximum& b) {
  return a.overflows == b.overflows && (a.overflows || a.value == b.value);
}

// A small number that looks random, the same in every run.
std::uint64_t mixed(std::uint64_t place, std::uint64_t n) {
  std::uint64_t x = (place << 32U) + n + 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

bool may_pass(const SsvMaximum& maximum, int least_rise) {
  return maximum.overflows || maximum.value - 256 - kSsvFloor >= least_rise;
}

}  // namespace

std::vector<DeviceStages> open_device_stages(const std::vector<DeviceInfo>& devices, unsigned threads) {
  std::vector<std::future<DeviceStages>> opening;
  for (const DeviceInfo& device : devices) {
    opening.push_back(std::async(std::launch::async, [&device, threads] {
      auto finder = with_tuned_settings(device, [&](const DeviceSettings& settings) {
        return std::make_unique<SsvDevice>(device, threads, choose_ssv_variant(device, settings));
      });
      auto scorer =
          std::make_unique<PairDevice>(finder->device(), threads, std::nullopt, &finder->resident());
      if (scorer->usable()) {
        auto domains = std::make_unique<DomainDevice>(finder->device(), scorer->build_options(), threads);
        return DeviceStages{std::move(finder), std::move(scorer), std::move(domains)};
      }
      std::string warning = finder->description() + " rounds otherwise than HMMER3; it runs SSV only";
      return DeviceStages{std::move(finder), nullptr, nullptr, std::move(warning)};
    }));
  }
  std::vector<DeviceStages> opened;
  for (auto& device : opening) {
    try {
      opened.push_back(device.get());
    } catch (const EngineFailure& failure) {
      throw DeviceError(failure.what());
    }
  }
  return opened;
}

StageDevices::StageDevices(std::vector<DeviceStages> devices, Verification verification, unsigned threads,
                           Warning warn)
    : verification_(verification), threads_(threads), warn_(std::move(warn)) {
  for (DeviceStages& device : devices) {
    if (!device.warning.empty()) warn_(device.warning);
    members_.emplace_back(std::move(device));
  }
}

std::vector<DeviceStages> StageDevices::release() {
  std::vector<DeviceStages> left;
  for (Member& member : members_) {
    if (!member.failed) left.push_back(std::move(member.stages));
  }
  return left;
}

bool StageDevices::any() const {
  return std::ranges::any_of(members_, [](const Member& member) { return !member.failed; });
}

bool StageDevices::any_scorer() const {
  return std::ranges::any_of(members_,
                             [](const Member& member) { return !member.failed && member.stages.scorer; });
}

std::string StageDevices::description() const {
  std::string text;
  for (const Member& member : members_) {
    if (!member.failed) text += (text.empty() ? "" : " + ") + member.stages.finder->description();
  }
  return text;
}

double StageDevices::busy_seconds() const {
  double sum = 0;
  for (const Member& member : members_) {
    sum += member.stages.finder->busy_seconds();
    if (member.stages.scorer) sum += member.stages.scorer->busy_seconds();
    if (member.stages.domains) sum += member.stages.domains->busy_seconds();
  }
  return sum;
}

std::vector<DeviceCosts> StageDevices::costs() const {
  std::vector<DeviceCosts> all;
  for (const Member& member : members_) all.push_back(member.stages.finder->device_costs());
  return all;
}

// Any thread may call.
void StageDevices::lose(Member& member, const std::string& failure) {
  if (!member.failed.exchange(true)) warn_(failure + "; going on without this device");
}

bool StageDevices::is_in_sample(std::uint64_t place, std::uint64_t n, double cells) const {
  // Without a percentage some of few cells.
  constexpr std::uint64_t kOneOf = 8192;
  constexpr double kMostCells = 1e6, kParts = 1e6;
  const std::uint64_t number = mixed(place, n);
  if (verification_.percent)
    return static_cast<double>(number % static_cast<std::uint64_t>(kParts)) <
           *verification_.percent / 100 * kParts;
  return number % kOneOf == 0 && cells <= kMostCells;
}

void StageDevices::verify(const SsvFinder& device, const SearchProfile& profile, const SsvQuery& query,
                          const SequenceBatch& batch, const std::vector<SsvFinding>& found) {
  const std::vector<std::size_t> sample =
      sequences_to_verify(verification_, samples_++, profile.profile.nodes, batch);
  parallel_for(threads_, sample.size(), 1, [&](std::size_t s, std::size_t) {
    const FlushToZero flush;
    const std::size_t i = sample[s];
    const SsvMaximum expected = fast_ssv_maximum(profile.filters, batch.residues(i));
    const int least = query.marks.least_rise(LengthTerms(static_cast<std::int64_t>(batch.length(i))));
    const auto at = std::ranges::lower_bound(found, i, {}, &SsvFinding::sequence);
    const bool listed = at != found.end() && at->sequence == i;
    const bool right = listed ? same(ssv_maximum_of(*query.model, at->rise + kSsvFloor), expected)
                              : !may_pass(expected, least);
    if (right) return;
    throw WrongScore(device.description() + " gave sequence " + std::string(batch[i].name) + " and profile " +
                     profile.profile.name + " a wrong SSV score. Do not use this device");
  });
}

StageDevices::Pass::Pass(StageDevices& devices, const SequenceBatch& batch,
                         std::vector<const SearchProfile*> profiles, const Options& options)
    : devices_(devices),
      batch_(batch),
      profiles_(std::move(profiles)),
      threshold_(first_threshold(options)),
      results_(profiles_.size()) {
  const std::size_t shares = 2 * devices_.members_.size();
  at_once_ = std::clamp<std::size_t>((profiles_.size() + shares - 1) / shares, 2, kMostAtOnce);
  std::vector<std::size_t> left;  // another thread may lose one meanwhile
  for (std::size_t m = 0; m < devices_.members_.size(); ++m) {
    if (!devices_.members_[m].failed) left.push_back(m);
  }
  working_ = left.size();
  for (const std::size_t m : left) threads_.emplace_back([this, m] { work(m); });
}

StageDevices::Pass::~Pass() { next_ = profiles_.size(); }

std::optional<std::vector<SsvFinding>> StageDevices::Pass::take(std::size_t place) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return results_[place].done || working_ == 0; });
  if (failure_) std::rethrow_exception(failure_);
  return std::exchange(results_[place].found, std::nullopt);
}

void StageDevices::Pass::work(std::size_t device) {
  Member& member = devices_.members_[device];
  std::string lost;
  std::size_t first = 0, last = 0;
  try {
    if (member.stages.scorer) member.stages.scorer->expect(profiles_);
    if (member.stages.domains) member.stages.domains->expect(profiles_);
    member.stages.finder->load(batch_);
    for (;;) {
      first = next_.fetch_add(at_once_);
      if (first >= profiles_.size()) break;
      last = std::min(first + at_once_, profiles_.size());
      find(*member.stages.finder, first, last);
    }
  } catch (const EngineFailure& failure) {
    lost = failure.what();
  } catch (...) {
    next_ = profiles_.size();
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
  }
  if (!lost.empty()) devices_.lose(member, lost);
  const std::lock_guard lock(mutex_);
  for (; first < last; ++first) results_[first].done = true;
  --working_;
  changed_.notify_all();
}

void StageDevices::Pass::find(SsvFinder& device, std::size_t first, std::size_t last) {
  std::vector<SsvQuery> queries;
  std::vector<std::size_t> places;
  for (std::size_t p = first; p < last; ++p) {
    const SearchProfile& profile = *profiles_[p];
    const auto marks = FirstStageMarks::make(profile.filters.bytes, profile.profile.statistics, threshold_);
    if (!marks) {
      put(p, std::nullopt);
      continue;
    }
    queries.push_back({&profile.filters.bytes, *marks});
    places.push_back(p);
  }
  if (queries.empty()) return;
  std::vector<std::vector<SsvFinding>> found = device.find(queries);
  for (std::size_t q = 0; q < queries.size(); ++q) {
    devices_.verify(device, *profiles_[places[q]], queries[q], batch_, found[q]);
  }
  for (std::size_t q = 0; q < queries.size(); ++q) put(places[q], std::move(found[q]));
}

void StageDevices::Pass::put(std::size_t place, std::optional<std::vector<SsvFinding>> found) {
  const std::lock_guard lock(mutex_);
  results_[place] = {true, std::move(found)};
  changed_.notify_all();
}

}  // namespace gpuhmm::hmmer3
