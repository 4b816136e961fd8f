// Correction for biased composition (docs/spec/postprocessing-statistics.md, 5.3).
#pragma once

#include <cstdint>
#include <span>

#include "gpuhmm/profile.hpp"
#include "gpuhmm/trace.hpp"

namespace gpuhmm {

/// Bits to subtract from the score of a path, never negative: how much better the mean composition of its
/// states explains the aligned residues than the null model does.
float null2_correction(const Profile& profile, std::span<const std::uint8_t> residues, const Trace& trace);

}  // namespace gpuhmm
