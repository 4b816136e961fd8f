// Reads profiles until a group is full, and makes their models in all threads.
#include "search/hmmer3_profile_groups.hpp"

#include <stdexcept>
#include <utility>

#include "search/hmmer3_comparisons.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::hmmer3 {

std::shared_ptr<ProfileGroup> ProfileGroups::next() {
  auto group = std::make_shared<ProfileGroup>();
  group->last = !read(*group);
  group->read = group->last ? 1.0 : profiles_.fraction_read();
  make_models(*group);
  return group;
}

// False if no profile is left, or none before a failure.
bool ProfileGroups::read(ProfileGroup& group) {
  try {
    while (!reopenable_ || group.nodes < static_cast<double>(options_.group_nodes)) {
      if (!read_profile(group)) return false;
    }
    return true;
  } catch (const std::runtime_error&) {
    if (!options_.results_before_errors) throw;
    group.failure = std::current_exception();
    return false;
  }
}

bool ProfileGroups::read_profile(ProfileGroup& group) {
  if (profiles_read_ >= options_.profiles.end) return false;
  std::optional<Profile> profile = profiles_.next();
  if (!profile) return false;
  if (profiles_read_++ < options_.profiles.first) return true;
  group.asked = query_of(*profile);
  const std::optional<Cutoff> cutoff = required_cutoff(*profile, options_.hmmer3.cutoff);
  group.asked.reset();
  group.nodes += profile->nodes;
  ProfileSearch& search = group.searches.emplace_back();
  search.cutoff = cutoff;
  search.result.counters.models = 1;
  search.result.counters.nodes = profile->nodes;
  search.read = std::move(profile);
  return true;
}

// In all threads, as devices wait for them.
void ProfileGroups::make_models(ProfileGroup& group) const {
  group.models.resize(group.searches.size());
  parallel_for(options_.threads, group.searches.size(), 1, [&](std::size_t s, std::size_t) {
    ProfileSearch& search = group.searches[s];
    group.models[s] = &search.model.emplace(*std::exchange(search.read, {}));
  });
}

}  // namespace gpuhmm::hmmer3
