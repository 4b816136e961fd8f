// Groups of profiles, pass after pass; see the header.
#include "search/scan_models.hpp"

#include <algorithm>
#include <future>
#include <utility>
#include <vector>

#include "search/thresholds.hpp"

namespace gpuhmm {

ScanLibrary::ScanLibrary(ProfileOpener open, bool reopenable, const Thresholds& asked, double kept_nodes)
    : open_(std::move(open)), reopenable_(reopenable), asked_(asked), kept_nodes_(kept_nodes) {
  start();
  alphabet_ = begun_->models.front().profile.alphabet;
}

void ScanLibrary::start() {
  reader_.emplace(open_());
  begun_ = read_group(std::make_unique<ScanGroup>(), 1);
}

// Adds profiles to the group until it holds `nodes` nodes or the file ends.
std::unique_ptr<ScanGroup> ScanLibrary::read_group(std::unique_ptr<ScanGroup> group, double nodes) {
  while (group->nodes < nodes && !group->last) {
    std::vector<Profile> profiles = reader_->next(nodes - group->nodes);
    group->last = profiles.empty();
    for (Profile& profile : profiles) {
      check_masking(profile, asked_);
      group->nodes += profile.nodes;
      const Thresholds thresholds = thresholds_for(profile, asked_);
      group->models.push_back({std::move(profile), thresholds, std::nullopt});
    }
  }
  return group;
}

void ScanLibrary::pass(double group_nodes, bool more,
                       const std::function<void(ScanGroup& group, std::optional<double> done)>& body) {
  if (complete_) {
    for (const auto& group : kept_)
      body(*group, static_cast<double>(group->end()) / static_cast<double>(known_));
    return;
  }
  if (!begun_) start();
  std::unique_ptr<ScanGroup> group = read_group(std::move(begun_), group_nodes);
  bool keeping = more;
  double nodes = 0;
  for (;;) {
    const std::optional<double> done = group->last ? 1.0 : reader_->fraction_read();
    known_ = std::max(known_, group->end());
    if (!group->models.empty()) last_thresholds_ = group->models.back().thresholds;
    std::future<std::unique_ptr<ScanGroup>> next;
    if (!group->last) {
      next = std::async(std::launch::async, [this, group_nodes, first = group->end()] {
        auto following = std::make_unique<ScanGroup>();
        following->first = first;
        return read_group(std::move(following), group_nodes);
      });
    }
    body(*group, done);
    nodes += group->nodes;
    if (keeping && reopenable_ && nodes > kept_nodes_) {
      keeping = false;
      kept_.clear();
    }
    const bool last = group->last;
    if (keeping) kept_.push_back(std::move(group));
    if (last) break;
    group = next.get();
  }
  complete_ = keeping;
  reader_.reset();
}

}  // namespace gpuhmm
