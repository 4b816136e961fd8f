// Reads the profiles of a scan in groups, and keeps them for further passes.
#include "search/scan_library.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "util/read_ahead.hpp"

namespace gpuhmm {

ScanLibrary::ScanLibrary(ProfileOpener open, bool reopenable, const Thresholds& asked, double kept_nodes,
                         const RecordRange& range)
    : open_(std::move(open)), reopenable_(reopenable), asked_(asked), kept_nodes_(kept_nodes), range_(range) {
  counted_ = !range_.whole();
  if (counted_) count();
  start();
  if (!counted_) alphabet_ = begun_->models.front().profile.alphabet;
}

// Counts the profiles of the file.
void ScanLibrary::count() {
  constexpr double kNodes = 1e6;
  ProfileBlocks all = open_();
  for (std::vector<Profile> profiles; !(profiles = all.next(kNodes)).empty();) {
    known_ += static_cast<std::int64_t>(profiles.size());
    alphabet_ = profiles.front().alphabet;
    last_thresholds_ = thresholds_for(profiles.back(), asked_);
  }
  range_.end = std::min(range_.end, static_cast<std::uint64_t>(known_));
}

void ScanLibrary::start() {
  reader_.emplace(open_());
  taken_ = 0;
  waiting_.clear();
  begun_ = next_group(1);
}

ScanGroup ScanLibrary::next_group(double nodes) {
  ScanGroup group;
  group.first = taken_;
  extend(group, nodes);
  return group;
}

// Adds profiles until the group holds `nodes` nodes or the file or the range ends. What was read beyond the
// group's end waits for the next one.
void ScanLibrary::extend(ScanGroup& group, double nodes) {
  const auto border = [&] {
    const auto end = static_cast<std::uint64_t>(group.end());
    return end == range_.end || (end == range_.first && !group.models.empty());
  };
  while (group.nodes < nodes && !group.last && !border()) {
    if (waiting_.empty()) waiting_ = reader_->next(nodes - group.nodes);
    group.last = waiting_.empty();
    std::size_t taken = 0;
    while (taken < waiting_.size() && !border()) {
      Profile& profile = waiting_[taken++];
      group.nodes += profile.nodes;
      group.models.emplace_back(std::move(profile), asked_);
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(taken));
  }
  taken_ = group.end();
  group.last = group.last || static_cast<std::uint64_t>(taken_) >= range_.end;
  group.read = group.last ? 1.0 : reader_->fraction_read();
}

void ScanLibrary::pass(double group_nodes, bool more, const std::function<void(ScanGroup& group)>& body) {
  if (complete_) {
    for (ScanGroup& group : kept_) {
      group.read = static_cast<double>(group.end()) / static_cast<double>(known_);
      body(group);
    }
    return;
  }
  if (!begun_) start();
  ScanGroup first = *std::exchange(begun_, std::nullopt);
  extend(first, group_nodes);
  bool keeping = more;
  double nodes = 0;
  const auto read = [&] { return next_group(group_nodes); };
  read_ahead(std::move(first), read, [&](ScanGroup& group) {
    known_ = std::max(known_, group.end());
    if (!counted_ && !group.models.empty()) last_thresholds_ = group.models.back().thresholds;
    body(group);
    nodes += group.nodes;
    if (keeping && reopenable_ && nodes > kept_nodes_) {
      keeping = false;
      kept_.clear();
    }
    if (keeping) kept_.push_back(std::move(group));
  });
  complete_ = keeping;
  reader_.reset();
}

}  // namespace gpuhmm
