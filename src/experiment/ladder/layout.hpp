// What the kernel reads: sequences and parameters as the variants of cl/viterbi_ladder.cl want them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "experiment/ladder/variant.hpp"
#include "filter/sequence_set.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm::experiment::ladder {

/// Sequences of a launch in device form.
struct Arrangement {
  std::vector<std::uint8_t> residues;
  std::vector<std::uint32_t> starts;  ///< of sequences, or of units of coalesced residues
  std::vector<std::int32_t> lengths;  ///< [item]
};

/// Sequences `order` of the set, one an item. Coalesced ones must not grow in length. Throws
/// std::invalid_argument for an empty sequence or more residues than 32 bits count.
Arrangement arrange(const SequenceSet& sequences, std::span<const std::size_t> order, bool coalesced,
                    int residues_a_read);

/// Transition scores, [node][9], padded to 32 numbers where a group has a copy of its own, `copies` times.
std::vector<std::int32_t> regular_table(const ScoreModel& model, RegularPlace place, std::size_t copies);

/// The eight other transition scores; replicated: [kind][stride].
std::vector<std::int32_t> special_table(const ScoreModel& model, SpecialPlace place, std::size_t stride);

/// Emission scores of `symbols` residue codes, [node][symbol] or [symbol][node]; of match or insert states.
std::vector<std::int32_t> emission_table(const ScoreModel& model, bool match, EmissionPlace place,
                                         int symbols);

}  // namespace gpuhmm::experiment::ladder
