// The number conventions of HMMER 2.3.2: 1/1000-bit integers, their minus infinity, and the conversions
// between probabilities, integers and bits. All roundings are part of the definition
// (docs/spec/model-configuration.md, 3.0).
#pragma once

#include <cstdint>
#include <span>

namespace gpuhmm {

/// The integer that stands for a score of minus infinity (1/1000 bit).
inline constexpr std::int32_t kMinusInfinity = -987654321;

/// Integer units per bit.
inline constexpr double kUnitsPerBit = 1000.0;

/// Factors from natural to binary logarithms and back, with as few digits as in HMMER 2.3.2.
inline constexpr double kLog2E = 1.44269504;
inline constexpr double kLn2 = 0.69314718;

/// log2 of a probability ratio; -9999 for zero and below.
double log2_ratio(float ratio);

/// A log-odds score in bits as an integer.
std::int32_t rounded_score(double bits);

/// Integer log-odds score (1/1000 bit) of probability `p` against null probability `null`.
/// kMinusInfinity for p = 0.
std::int32_t score_of(float p, float null);

/// The probability with integer score `score` against null probability `null`.
float probability_of(std::int32_t score, float null);

/// Integer score to bits.
float bits_of(std::int32_t score);

/// log2(2^(p/1000) + 2^(q/1000)) in 1/1000 bit, as from HMMER's table of 20,000 steps
/// (docs/spec/viterbi-and-traceback.md, 4.7). Computes the table's entry each time, so it suits few sums.
/// Wraps like 32-bit two's complement where the difference overflows.
std::int32_t log_sum(std::int32_t p, std::int32_t q);

/// Divides the values by their sum, accumulated in float and index order; makes them uniform if the sum is 0
/// (docs/spec/model-configuration.md, 3.2, rule 1).
void normalise(std::span<float> values);

}  // namespace gpuhmm
