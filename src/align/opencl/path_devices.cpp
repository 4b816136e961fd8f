// Keeps the free streams of each device, and chooses samples to verify.
#include "align/opencl/path_devices.hpp"

#include <algorithm>
#include <utility>

#include "filter/verification.hpp"

namespace gpuhmm {

class PathDevices::Member {
 public:
  Member(const OpenDevice& device, const grid::PathVariant& variant)
      : device_(device), variant_(variant), left_(variant.streams) {}

  const grid::PathVariant& variant() const { return variant_; }
  bool failed() const { return failed_; }
  // False if it had failed before.
  bool fail() { return !failed_.exchange(true); }

  // Null if there is none. Throws EngineFailure.
  std::unique_ptr<grid::PathStream> try_take() {
    if (left_ == 0) return nullptr;  // without the lock, as many threads ask often
    {
      const std::lock_guard lock(mutex_);
      if (!failed_ && !free_.empty()) {
        std::unique_ptr<grid::PathStream> stream = std::move(free_.back());
        free_.pop_back();
        --left_;
        return stream;
      }
    }
    return make();
  }
  // A new stream; null if all have been made. Throws EngineFailure.
  std::unique_ptr<grid::PathStream> make() {
    {
      const std::lock_guard lock(mutex_);
      if (failed_ || made_ == variant_.streams) return nullptr;
      ++made_;
      --left_;
    }
    return std::make_unique<grid::PathStream>(device_, variant_.record_bytes);
  }
  void give_back(std::unique_ptr<grid::PathStream> stream) {
    const std::lock_guard lock(mutex_);
    if (failed_) return;
    free_.push_back(std::move(stream));
    ++left_;
  }

 private:
  const OpenDevice& device_;
  grid::PathVariant variant_;
  std::atomic<bool> failed_ = false;
  std::atomic<unsigned> left_;  // streams that are free or not made; changes with the lock only
  std::mutex mutex_;            // of the members below
  unsigned made_ = 0;
  std::vector<std::unique_ptr<grid::PathStream>> free_;
};

PathDevices::PathDevices(std::span<const OpenDevice* const> devices, Verification verification, Warning warn,
                         std::optional<grid::PathVariant> variant)
    : verification_(verification), warn_(std::move(warn)) {
  for (const OpenDevice* device : devices) {
    members_.push_back(
        std::make_unique<Member>(*device, variant.value_or(grid::choose_path_variant(device->info()))));
  }
}

PathDevices::~PathDevices() = default;

PathDevices::Turn::Turn(Member& member, std::unique_ptr<grid::PathStream> stream)
    : member_(&member), stream_(std::move(stream)) {}

PathDevices::Turn::~Turn() {
  if (stream_) member_->give_back(std::move(stream_));
}

const grid::PathVariant& PathDevices::Turn::variant() const { return member_->variant(); }

unsigned PathDevices::launches() const {
  unsigned sum = 0;
  for (const auto& member : members_) sum += member->variant().streams;
  return sum;
}

bool PathDevices::usable() const {
  return std::ranges::any_of(members_, [](const auto& member) { return !member->failed(); });
}

bool PathDevices::worth(double cells) const {
  return std::ranges::any_of(members_, [&](const auto& member) {
    return !member->failed() && cells >= member->variant().least_cells;
  });
}

unsigned PathDevices::scored_beside() const {
  unsigned sum = 0;
  for (const auto& member : members_) {
    const grid::PathVariant& variant = member->variant();
    sum += members_.size() > 1 ? variant.scored_beside_others : variant.scored_beside;
  }
  return sum;
}

bool PathDevices::can_align(std::size_t length, std::size_t steps) const {
  return std::ranges::all_of(
      members_, [&](const auto& member) { return length > 0 && member->variant().takes(length, steps); });
}

void PathDevices::open() {
  for (const auto& member : members_) {
    try {
      while (std::unique_ptr<grid::PathStream> stream = member->make()) member->give_back(std::move(stream));
    } catch (const EngineFailure& failure) {
      fail(*member, failure);
    }
  }
}

// Each call begins with another device.
std::optional<PathDevices::Turn> PathDevices::try_begin() {
  const std::size_t first = turns_++;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    Member& member = *members_[(first + m) % members_.size()];
    try {
      if (std::unique_ptr<grid::PathStream> stream = member.try_take())
        return Turn(member, std::move(stream));
    } catch (const EngineFailure& failure) {
      fail(member, failure);
    }
  }
  return std::nullopt;
}

void PathDevices::fail(const Turn& turn, const EngineFailure& failure) { fail(*turn.member_, failure); }

void PathDevices::fail(Member& member, const EngineFailure& failure) {
  if (!member.fail()) return;
  const std::lock_guard lock(warn_mutex_);
  warn_(std::string(failure.what()) + "; the host aligns the hits");
}

std::vector<std::size_t> PathDevices::to_verify(std::span<const double> cells) {
  constexpr std::size_t kFew = 2;
  return results_to_verify(verification_, samples_++, kFew, cells.size(),
                           [&](std::size_t i) { return cells[i]; });
}

}  // namespace gpuhmm
