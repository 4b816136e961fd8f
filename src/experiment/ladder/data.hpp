// The data of the ladder (docs/experiments/ladder.md): models of the twenty families and sets of sequences,
// random or from files.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "experiment/experiment.hpp"
#include "experiment/ladder/published.hpp"
#include "gpuhmm/profile.hpp"
#include "gpuhmm/sequence.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm::experiment::ladder {

/// A family with its model.
struct Family {
  const PublishedFamily* published;
  std::optional<Profile> profile;  ///< none if the file of profiles has none of that name
  std::optional<ScoreModel> model;
};

/// The twenty families, with the models of Request::profiles that have their names, or with random models of
/// the published numbers of nodes. Throws FileError.
std::vector<Family> read_families(const Request& request);

/// Sizes of the sets.
struct Sizes {
  std::size_t subset = 70'000;  ///< sequences of the subset, and of a batch of the base
  std::size_t base = 530'264;
  std::size_t divisor = 1;       ///< divides the lengths of subset and base
  std::size_t groups = 313;      ///< groups of 32 sequences in sets 3 and 4
  std::size_t rising_to = 499;   ///< greatest length of sets 3 and 4
  std::size_t group = 256;       ///< work-items of a work-group
  std::size_t distribution = 0;  ///< residues of each set of Short, Mixed and Long
};

/// The publication's sizes with Request::full; else sizes that take the first device little time. A CPU
/// device gets smaller work-groups, so that its cores can share the work.
Sizes sizes_for(const Request& request);

enum class Set {
  Subset,     ///< lengths 550 to 1,500
  Base,       ///< Swiss-Prot's lengths
  Equal,      ///< set 1: the same 32 residues again and again
  Different,  ///< set 2: 32 residues each
  Rising,     ///< set 3: groups of 32 sequences of one length, from 10 to 499
  Shuffled,   ///< set 4: the same in random order
  Short,      ///< 10 to 100 residues
  Mixed,      ///< Swiss-Prot's lengths
  Long        ///< a few sequences of 2,000 to 8,000 residues
};

/// The publication's number of residues; NaN for sets that it does not have.
double published_residues(Set set);

/// The sequences of a set, all of at least one residue. Subset and Base come from Request::sequences, if
/// given; else sequences are random. Throws FileError.
SequenceBatch make_sequences(Set set, const Request& request, const Sizes& sizes);

}  // namespace gpuhmm::experiment::ladder
