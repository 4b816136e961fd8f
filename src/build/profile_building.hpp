// A named and annotated profile from an alignment that was read from a file.
#pragma once

#include <optional>
#include <string>

#include "formats/sequence/alignment.hpp"
#include "plan7/building/build_profile.hpp"

namespace gpuhmm {

/// The alphabet of an alignment: what more of its rows look like than anything else, if there is
/// such a thing.
std::optional<AlphabetKind> guess_alphabet(const Alignment& alignment);

/// The rows of an alignment of this alphabet, in upper case, with their weights (1 if they have none).
/// Throws std::invalid_argument if only some have a weight.
TrainingAlignment training_alignment(const Alignment& alignment, AlphabetKind alphabet);

/// Puts the annotation of the alignment into the profile built from it: accession, description, cut-offs,
/// reference, structure, map, number of rows and checksum. Throws std::invalid_argument for cut-offs that are
/// no numbers, and annotation of another length than the rows.
void annotate(Profile& profile, const Alignment& alignment, const MatchColumns& columns);

}  // namespace gpuhmm
