// Whole sequences aligned to a profile, as hmmalign of HMMER 2.3.2 does it (docs/spec/alignment.md, 11.1).
#pragma once

#include <span>
#include <stdexcept>
#include <vector>

#include "plan7/alignment_map.hpp"
#include "plan7/profile.hpp"
#include "plan7/profile_rows.hpp"
#include "plan7/sequence.hpp"

namespace gpuhmm {

/// A sequence that has no path through the profile: what() is one line for people.
class NoPath : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The row of every sequence, in their order. Each is aligned by its best path with one domain, global or
/// local to the profile as the profile is; a sequence without residues has a row of gaps. Works with
/// `threads` threads, which do not change the result. Throws NoPath for a sequence that has none.
std::vector<ProfileRow> align_to_profile(const Profile& profile, const SequenceBatch& sequences,
                                         unsigned threads);

/// Column of each match state in an alignment that is aligned as a whole by the same kind of path (see
/// map_alignment). Throws NoPath if there is none.
std::vector<int> map_to_profile(const Profile& profile, std::span<const WeightedRow> rows);

}  // namespace gpuhmm
