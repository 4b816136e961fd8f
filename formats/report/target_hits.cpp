// Groups hits by target.
#include "formats/report/target_hits.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

namespace gpuhmm {

std::vector<TargetHits> group_by_target(const HitLists& lists) {
  std::vector<TargetHits> groups;
  std::unordered_map<std::uint64_t, std::size_t> group_of_target;
  for (const SequenceHit* hit : lists.sequences) {
    if (!group_of_target.emplace(hit->target_index, groups.size()).second) {
      throw std::logic_error("two hits of one report have the same target_index");
    }
    groups.push_back({hit, {}});
  }
  for (const DomainHit* domain : lists.domains) {
    const auto [found, is_new] = group_of_target.emplace(domain->target_index, groups.size());
    if (is_new) groups.push_back({});
    groups[found->second].domains.push_back(domain);
  }
  for (TargetHits& group : groups) {
    std::stable_sort(
        group.domains.begin(), group.domains.end(),
        [](const DomainHit* first, const DomainHit* second) { return first->number < second->number; });
  }
  return groups;
}

}  // namespace gpuhmm
