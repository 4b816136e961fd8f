// The SIMD kernels. Each call runs the code for the instruction set in use (simd/instruction_set.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "filter/simd/multihit.hpp"
#include "filter/simd/striped_model.hpp"
#include "filter/simd/workspace.hpp"

namespace gpuhmm::simd {

/// Writes the largest M~ over all rows and nodes of each sequence of a group to `best`, in the model's units
/// (LevelledModel): exact single-hit scores. `best` has one element for each sequence of the group.
void sweep_single_hit(const StripedModel<std::int16_t>& model, Packing packing, LazyFRule rule,
                      SequenceGroup group, Workspace<std::int16_t>& workspace, std::span<std::int16_t> best);
void sweep_single_hit(const StripedModel<std::int32_t>& model, Packing packing, LazyFRule rule,
                      SequenceGroup group, Workspace<std::int32_t>& workspace, std::span<std::int32_t> best);

/// The same for parameters from stripe_glocal_bound or stripe_glocal_close: upper bounds.
void sweep_glocal_bound(const StripedModel<std::int16_t>& model, Packing packing, SequenceGroup group,
                        Workspace<std::int16_t>& workspace, std::span<std::int16_t> best);
void sweep_glocal_bound(const StripedModel<std::int32_t>& model, Packing packing, SequenceGroup group,
                        Workspace<std::int32_t>& workspace, std::span<std::int32_t> best);

/// Score S (1/1000 bit) of a sequence by the full multihit recurrence, provided that
/// multihit.fits_watched(length). Exact if above multihit.exact_above(length). Nothing if scores grew so much
/// that 32 bits may have overflowed.
std::optional<std::int64_t> sweep_multihit(const MultihitModel& multihit,
                                           std::span<const std::uint8_t> residues,
                                           SweepState<std::int32_t>& state);

}  // namespace gpuhmm::simd
