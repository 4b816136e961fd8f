// Decides for which batches devices are used.
#include "search/hmmer3_device_use.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <utility>

#include "hmmer3/comparison.hpp"
#include "search/hmmer3_sizes.hpp"

namespace gpuhmm::hmmer3 {

namespace {

// Cells that the host compares in about the time that a GPU needs to start. With less, OpenCL is not loaded.
constexpr double kWorthStarting = 5e10;

// Cells that a thread of the host compares in one to three seconds.
constexpr double kWorthWaiting = 5e10;

bool all_alike(std::vector<std::string> names) {
  return std::ranges::adjacent_find(names, std::ranges::not_equal_to()) == names.end();
}

double cells_of(const SequenceBatch& batch, const std::vector<const SearchProfile*>& profiles) {
  double nodes = 0;
  for (const SearchProfile* const profile : profiles) nodes += profile->profile.nodes;
  return nodes * static_cast<double>(batch.residue_count());
}

}  // namespace

// Compares the first batches of the run, as is_much_work of DeviceUse does.
bool is_much_work(const RunSize& size, ReportKind kind, const SearchOptions& options) {
  const double batch = std::min(size.residues, static_cast<double>(block_residues(options)));
  double nodes = std::min(size.nodes, static_cast<double>(options.group_nodes));
  bool more = size.residues > batch;
  if (kind == ReportKind::Scan) {
    more = more || size.nodes > nodes;
    const auto at_once = static_cast<double>(profiles_at_once(options.threads));
    nodes = std::min(nodes, at_once * size.nodes / std::max(size.profiles, 1.0));
  }
  return more && nodes * batch >= kWorthStarting;
}

bool is_worth_waiting(const RunSize& size, ReportKind kind, const SearchOptions& options) {
  return is_much_work(size, kind, options) && size.cells() >= kWorthWaiting * options.threads;
}

OpenedDevices::OpenedDevices(const std::vector<DeviceInfo>& devices, unsigned threads)
    : state_(std::make_unique<State>()) {
  state_->devices = open_device_stages(devices, threads);
}
OpenedDevices::~OpenedDevices() = default;

std::vector<DeviceStages> OpenedDevices::State::take(const std::atomic<bool>* stop) {
  constexpr std::chrono::milliseconds kAskAgain(20);
  std::unique_lock lock(mutex);
  while (taken) {
    if (stop != nullptr && *stop) throw RunStopped();
    changed.wait_for(lock, kAskAgain);
  }
  taken = true;
  return std::exchange(devices, {});
}

void OpenedDevices::State::give_back(std::vector<DeviceStages> those) {
  {
    const std::lock_guard lock(mutex);
    devices = std::move(those);
    taken = false;
  }
  changed.notify_one();
}

OpenedGpu open_first_gpu(unsigned threads) {
  const std::optional<DeviceInfo> gpu = select_device(list_devices(), "auto");
  if (!gpu) return {};
  try {
    return {open_device_stages({*gpu}, threads), ""};
  } catch (const DeviceError& error) {
    return {{}, error.what()};
  }
}

DeviceUse::DeviceUse(const SearchOptions& options, DeviceTeams teams, Warning warn, DeviceOpeners openers,
                     std::function<void()> joined)
    : options_(options),
      how_(teams),
      warn_(std::move(warn)),
      openers_(std::move(openers)),
      ready_(!options.devices.empty() || (options.opened != nullptr && !options.gpu_for_much_work) ||
             (options.gpu_for_much_work && options.gpu_at_once)),
      joined_(std::move(joined)) {
  if (options_.gpu_for_much_work && options_.gpu_at_once) {
    looked_for_gpu_ = true;
    opening_gpu_ = std::async(std::launch::async, openers_.gpu, options_.threads);
  }
  if (options_.devices.empty()) return;
  std::vector<std::string> names;
  for (const DeviceInfo& device : options_.devices) names.push_back(device.name + device.platform);
  if (how_ == DeviceTeams::Each && all_alike(std::move(names))) team_count_ = options_.devices.size();
  if (team_count_ == 1) {
    opening_ = std::async(std::launch::async,
                          [this] { return openers_.named(options_.devices, threads_each(team_count_)); });
    return;
  }
  for (std::size_t t = 0; t < team_count_; ++t) teams_.emplace_back();
  for (std::size_t t = 0; t < team_count_; ++t)
    joining_.push_back(std::async(std::launch::async, [this, t] { open_team(t); }));
}

void DeviceUse::open_team(std::size_t team) {
  std::exception_ptr failure;
  std::unique_ptr<StageDevices> devices;
  try {
    devices = team_of(openers_.named({options_.devices[team]}, threads_each(team_count_)), team_count_);
  } catch (...) {
    failure = std::current_exception();
  }
  {
    const std::lock_guard lock(joining_mutex_);
    if (failure) failure_ = failure;
    if (devices) teams_[team].open_with(std::move(devices));
  }
  has_joined_.notify_all();
  if (joined_) joined_();
}

void DeviceUse::finish_opening() {
  for (const std::future<void>& opening : joining_) opening.wait();
  if (failure_) std::rethrow_exception(failure_);
}

DeviceUse::~DeviceUse() {
  for (const std::future<void>& opening : joining_) opening.wait();
  if (options_.opened == nullptr || teams_.empty()) return;
  std::vector<DeviceStages> all;
  for (const Team& team : teams_) std::ranges::move(team.devices->release(), std::back_inserter(all));
  options_.opened->state().give_back(std::move(all));
}

unsigned DeviceUse::threads_each(std::size_t teams) const {
  return std::max(1U, options_.threads / static_cast<unsigned>(teams));
}

std::unique_ptr<StageDevices> DeviceUse::team_of(std::vector<DeviceStages>&& devices, std::size_t teams) {
  return std::make_unique<StageDevices>(std::move(devices), options_.verification, threads_each(teams),
                                        warn_);
}

void DeviceUse::add(std::vector<DeviceStages>&& devices) {
  std::vector<std::string> names;
  for (const DeviceStages& device : devices) names.push_back(device.finder->description());
  const bool each = how_ == DeviceTeams::Each && devices.size() > 1 && all_alike(std::move(names));
  std::vector<std::vector<DeviceStages>> teams(each ? devices.size() : 1);
  for (std::size_t d = 0; d < devices.size(); ++d) teams[d % teams.size()].push_back(std::move(devices[d]));
  for (auto& team : teams) teams_.emplace_back().open_with(team_of(std::move(team), teams.size()));
  team_count_ = teams.size();
}

// Of the first large batch only.
bool DeviceUse::is_much_work(const SequenceBatch& batch, const std::vector<const SearchProfile*>& profiles,
                             bool more) {
  if (looked_for_gpu_ || !more || cells_of(batch, profiles) < kWorthStarting) return false;
  return looked_for_gpu_ = true;
}

// Takes the caller's devices, or begins to open a GPU, if it is time.
void DeviceUse::begin_opening(const SequenceBatch& batch, const std::vector<const SearchProfile*>& profiles,
                              bool more) {
  if (options_.gpu_for_much_work && !is_much_work(batch, profiles, more)) return;
  if (options_.opened != nullptr && teams_.empty()) {
    add(options_.opened->state().take(options_.stop));
    ready_ = std::ranges::any_of(teams_, [](const Team& team) { return team.devices->any(); });
  } else if (options_.gpu_for_much_work) {
    opening_gpu_ = std::async(std::launch::async, openers_.gpu, options_.threads);
  }
}

void DeviceUse::prepare(const SequenceBatch& batch, const std::vector<const SearchProfile*>& profiles,
                        bool more) {
  using namespace std::chrono_literals;
  begin_opening(batch, profiles, more);
  const bool waits = options_.gpu_at_once || cells_of(batch, profiles) >= kWorthWaiting * options_.threads;
  if (opening_gpu_.valid() && (waits || opening_gpu_.wait_for(0s) == std::future_status::ready)) {
    OpenedGpu opened = opening_gpu_.get();
    if (!opened.warning.empty()) warn_(opened.warning + "; going on without this device");
    ready_ = !opened.devices.empty();
    if (ready_) add(std::move(opened.devices));
  }
  if (opening_.valid()) add(opening_.get());
  if (joining_.empty()) return;
  std::unique_lock lock(joining_mutex_);
  has_joined_.wait(lock, [&] {
    return failure_ || std::ranges::any_of(teams_, [](const Team& team) { return team.open.load(); });
  });
  if (failure_) std::rethrow_exception(failure_);
}

void DeviceUse::begin(std::optional<StageDevices::Pass>& pass, std::size_t team, const SequenceBatch& batch,
                      std::vector<const SearchProfile*> profiles) {
  if (!works(team) || profiles.empty()) return;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch.length(i) > kLongestSequence) return;  // the comparison will fail
  }
  pass.emplace(*teams_[team].devices, batch, std::move(profiles), options_.hmmer3);
}

StageDevices* DeviceUse::for_stages(const std::optional<StageDevices::Pass>& pass) {
  return pass && pass->devices().any_scorer() ? &pass->devices() : nullptr;
}

void DeviceUse::describe(SearchStatistics& statistics) const {
  if (teams_.empty()) return;
  statistics.engine.clear();
  for (const Team& each : teams_) {
    const StageDevices& team = *each.devices;
    const std::string names = team.description();
    if (!names.empty()) statistics.engine += (statistics.engine.empty() ? "" : " + ") + names;
    statistics.seconds.engine.kernels += team.busy_seconds();
    std::ranges::move(team.costs(), std::back_inserter(statistics.devices));
  }
}

}  // namespace gpuhmm::hmmer3
