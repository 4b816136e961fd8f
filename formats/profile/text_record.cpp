// Steps that the readers of text profiles share.
#include "formats/profile/text_record.hpp"

#include "formats/profile/profile_check.hpp"
#include "formats/profile/record_reader.hpp"

namespace gpuhmm {

std::string record_name(const std::string& profile) {
  return profile.empty() ? "the header of a profile" : "profile '" + profile + "'";
}

int parse_profile_length(const TextLines& lines, std::string_view word) {
  const auto length = lines.number<std::int64_t>(word, "LENG");
  if (length < 1 || length > kLongestProfile) {
    lines.fail("LENG is " + std::to_string(length) + "; expected 1 to " + std::to_string(kLongestProfile) +
               " nodes");
  }
  return static_cast<int>(length);
}

void fail_missing(const TextLines& lines, const std::string& profile, const char* tag) {
  lines.fail(record_name(profile) + " has no " + tag + " line before its main section");
}

void size_tables(Profile& profile, bool rf, bool cs, bool map) {
  profile.resize(profile.nodes);
  const std::size_t places = static_cast<std::size_t>(profile.nodes) + 1;
  if (rf) profile.rf.assign(places, ' ');
  if (cs) profile.cs.assign(places, ' ');
  if (map) profile.map.assign(places, 0);
}

void finish(const TextLines& lines, Profile& profile) {
  profile.renormalise();
  if (const std::string fault = profile_fault(profile); !fault.empty()) {
    lines.fail("profile '" + profile.name + "' that ends here cannot be used: " + fault);
  }
}

}  // namespace gpuhmm
