// Finds one profile of a file, by its index or by reading the file.
#include <algorithm>
#include <utility>
#include <vector>

#include "gpuhmm/profile_file.hpp"
#include "gpuhmm/profile_index.hpp"

namespace gpuhmm {

namespace {

// The profile at index `number` after sorting by name; null if there is none.
template <class Named>
Named* in_order_of_names(std::vector<Named>& profiles, std::int64_t number) {
  if (number < 0 || std::cmp_greater_equal(number, profiles.size())) return nullptr;
  std::ranges::stable_sort(profiles, {}, &Named::name);
  return &profiles[static_cast<std::size_t>(number)];
}

}  // namespace

std::optional<Profile> find_profile(const std::string& path, const std::string& key) {
  if (const std::optional<ProfileIndex> index = ProfileIndex::find_for(path)) {
    const IndexedProfile* const place = index->find(key);
    return place != nullptr ? std::optional(index->read(*place)) : std::nullopt;
  }
  ProfileReader reader(path);
  std::optional<Profile> by_accession;
  while (std::optional<Profile> profile = reader.next()) {
    if (profile->name == key) return profile;
    if (!by_accession && profile->accession == key) by_accession = std::move(profile);
  }
  return by_accession;
}

std::optional<Profile> find_profile(const std::string& path, std::int64_t number) {
  if (const std::optional<ProfileIndex> index = ProfileIndex::find_for(path)) {
    std::vector<IndexedProfile> places = index->profiles();
    const IndexedProfile* const place = in_order_of_names(places, number);
    return place != nullptr ? std::optional(index->read(*place)) : std::nullopt;
  }
  std::vector<Profile> profiles = read_profiles(path);
  Profile* const found = in_order_of_names(profiles, number);
  return found != nullptr ? std::optional(std::move(*found)) : std::nullopt;
}

}  // namespace gpuhmm
