// Lays sequences and parameters out for the variants of cl/viterbi_ladder.cl.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "experiment/ladder/variant.hpp"
#include "filter/sequence_set.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm::experiment::ladder {

/// The sequences of a launch in the layout of the kernel.
struct Arrangement {
  std::vector<std::uint8_t> residues;
  std::vector<std::uint32_t> starts;  ///< of sequences, or of units of coalesced residues
  std::vector<std::int32_t> lengths;  ///< [item]
};

/// Packs the sequences with indices `order`, one per work-item. Coalesced ones must be sorted by falling
/// length. Throws std::invalid_argument for an empty sequence, or for more residues than 32 bits can count.
Arrangement arrange(const SequenceSet& sequences, std::span<const std::size_t> order, bool coalesced,
                    int residues_a_read);

/// Transition scores, [node][9], `copies` times; each copy is padded to 32 numbers if work-groups have their
/// own copies.
std::vector<std::int32_t> regular_table(const ScoreModel& model, RegularPlace place, std::size_t copies);

/// The eight special transition scores; [kind][stride] if replicated.
std::vector<std::int32_t> special_table(const ScoreModel& model, SpecialPlace place, std::size_t stride);

/// Emission scores of `symbols` residue codes, [node][symbol] or [symbol][node]; of match or insert states.
std::vector<std::int32_t> emission_table(const ScoreModel& model, bool match, EmissionPlace place,
                                         int symbols);

}  // namespace gpuhmm::experiment::ladder
