// The index .h3i of a pressed database (docs/spec/hmmer3/hmmscan.md, 3).
#pragma once

#include <string>
#include <vector>

#include "gpuhmm/profile_index.hpp"

namespace gpuhmm {

/// A name or an accession that more than one profile has.
struct RepeatedKey {
  bool accession = false;
  std::string key;
};

/// The first repeated name in the order of the names' bytes or, if there is none, accession.
std::optional<RepeatedKey> repeated_key(const std::vector<IndexedProfile>& profiles);

/// The bytes of the index of `profile_path`: names, accessions and places in .h3m.
std::string hmmer3_index(const std::string& profile_path, const std::vector<IndexedProfile>& profiles);

}  // namespace gpuhmm
