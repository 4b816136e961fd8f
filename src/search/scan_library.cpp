// Reads the profiles of a scan in groups, and keeps them for further passes.
#include "search/scan_library.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "util/read_ahead.hpp"

namespace gpuhmm {

ScanLibrary::ScanLibrary(ProfileOpener open, bool reopenable, const Thresholds& asked, double kept_nodes)
    : open_(std::move(open)), reopenable_(reopenable), asked_(asked), kept_nodes_(kept_nodes) {
  start();
  alphabet_ = begun_->models.front().profile.alphabet;
}

void ScanLibrary::start() {
  reader_.emplace(open_());
  taken_ = 0;
  begun_ = next_group(1);
}

ScanGroup ScanLibrary::next_group(double nodes) {
  ScanGroup group;
  group.first = taken_;
  extend(group, nodes);
  return group;
}

// Adds profiles until the group holds `nodes` nodes or the file ends.
void ScanLibrary::extend(ScanGroup& group, double nodes) {
  while (group.nodes < nodes && !group.last) {
    std::vector<Profile> profiles = reader_->next(nodes - group.nodes);
    group.last = profiles.empty();
    for (Profile& profile : profiles) {
      group.nodes += profile.nodes;
      group.models.emplace_back(std::move(profile), asked_);
    }
  }
  taken_ = group.end();
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
    if (!group.models.empty()) last_thresholds_ = group.models.back().thresholds;
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
