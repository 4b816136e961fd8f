// Search of a profile file by scanning it; see the header.
#include "formats/profile/find_profile.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "formats/profile/profile_reader.hpp"

namespace gpuhmm {

std::optional<Profile> find_profile(const std::string& path, const std::string& key) {
  ProfileReader reader(path);
  std::optional<Profile> by_accession;
  while (std::optional<Profile> profile = reader.next()) {
    if (profile->name == key) return profile;
    if (!by_accession && profile->accession == key) by_accession = std::move(profile);
  }
  return by_accession;
}

std::optional<Profile> find_profile(const std::string& path, std::int64_t number) {
  std::vector<Profile> profiles = read_profiles(path);
  if (number < 0 || std::cmp_greater_equal(number, profiles.size())) return std::nullopt;
  std::ranges::stable_sort(profiles, {}, &Profile::name);
  return std::move(profiles[static_cast<std::size_t>(number)]);
}

}  // namespace gpuhmm
