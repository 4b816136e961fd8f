// Sums over nodes in the order of the stripes, for several residues side by side.
#include "hmmer3/null2.hpp"

#include <array>

#define HWY_TARGET_INCLUDE "hmmer3/null2.cpp"
#include "simd/foreach_target.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::hmmer3::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The plain residues' sums over [step][stripe]: of match weights times emission odds and of insert weights.
#if HWY_TARGET == HWY_SCALAR

void weighted_odds(const FloatModel& model, const float* match, const float* insert, std::size_t residues,
                   float* odds) {
  for (std::size_t x = 0; x < residues; ++x) {
    const float* const emission = model.emissions(x);
    std::array<float, kStripes> sum{};
    for (std::size_t at = 0; at < model.steps() * kStripes; at += kStripes) {
      for (std::size_t r = 0; r < kStripes; ++r) sum[r] = sum[r] + match[at + r] * emission[at + r];
      if (insert == nullptr) continue;
      for (std::size_t r = 0; r < kStripes; ++r) sum[r] = sum[r] + insert[at + r];
    }
    odds[x] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
}

#else

// One step of one row, or of two rows that are `row` values apart.
template <class D>
HWY_INLINE hn::Vec<D> load_rows(D d, const float* here, std::size_t row) {
  if constexpr (hn::MaxLanes(D()) == kStripes) {
    return hn::LoadU(d, here);
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, hn::LoadU(half, here + row), hn::LoadU(half, here));
  }
}

void weighted_odds(const FloatModel& model, const float* match, const float* insert, std::size_t residues,
                   float* odds) {
  constexpr hn::CappedTag<float, 2 * kStripes> d;
  constexpr std::size_t kLanes = hn::MaxLanes(d), kOfVector = kLanes / kStripes, kVectors = 4 / kOfVector;
  const std::size_t row = model.steps() * kStripes;
  for (std::size_t x = 0; x < residues; x += kVectors * kOfVector) {  // four at a time: divides 20 and 4
    hn::Vec<decltype(d)> sums[kVectors];
    for (auto& sum : sums) sum = hn::Zero(d);
    const float* const emission = model.emissions(x);
    for (std::size_t at = 0; at < row; at += kStripes) {
      const auto weight = hn::LoadDup128(d, match + at);
      for (std::size_t v = 0; v < kVectors; ++v) {
        const float* const here = emission + v * kOfVector * row + at;
        sums[v] = hn::Add(sums[v], hn::Mul(weight, load_rows(d, here, row)));
      }
      if (insert == nullptr) continue;
      const auto more = hn::LoadDup128(d, insert + at);
      for (auto& sum : sums) sum = hn::Add(sum, more);
    }
    for (std::size_t v = 0; v < kVectors; ++v) {
      alignas(32) float lanes[kLanes];
      hn::Store(sums[v], d, lanes);
      for (std::size_t y = 0; y < kOfVector; ++y) {
        const float* const sum = lanes + y * kStripes;
        odds[x + v * kOfVector + y] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
      }
    }
  }
}

#endif

}  // namespace gpuhmm::hmmer3::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::hmmer3 {

GPUHMM_SIMD_TABLE(weighted_odds);

std::vector<float> null2_odds(const FloatModel& model, const Alphabet& alphabet, std::span<const float> match,
                              std::span<const float> insert, float outside) {
  std::vector<float> odds(static_cast<std::size_t>(alphabet.size()));
  GPUHMM_SIMD_CALL(weighted_odds)
  (model, match.data(), insert.empty() ? nullptr : insert.data(), odds.size(), odds.data());
  complete_odds(alphabet, outside, odds);
  return odds;
}

void complete_odds(const Alphabet& alphabet, float outside, std::vector<float>& odds) {
  const std::size_t residues = odds.size();
  for (float& x : odds) x = x + outside;
  odds.resize(static_cast<std::size_t>(alphabet.code_count()), 1.0F);
  for (std::size_t code = residues; code < odds.size(); ++code) {
    const std::uint32_t members = alphabet.members(static_cast<std::uint8_t>(code));
    if (members == 0) continue;
    float sum = 0;
    int count = 0;
    for (std::size_t y = 0; y < residues; ++y) {
      if ((members >> y & 1U) == 0) continue;
      sum = sum + odds[y];
      ++count;
    }
    odds[code] = sum / static_cast<float>(count);
  }
}

}  // namespace gpuhmm::hmmer3
#endif
