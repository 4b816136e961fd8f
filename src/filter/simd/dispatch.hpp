// Calls the copy of a function that was compiled for the instruction set in use. Include after
// <hwy/highway.h>.
//
// Takes the place of HWY_EXPORT and HWY_DYNAMIC_DISPATCH, whose tables need libhwy: that library measures the
// resolution of the timer whenever a program that links it starts, for 3.5 ms, more than a small search
// takes. All else that is used of Highway is in its headers.
#pragma once

#include <cstddef>

#include "filter/simd/targets.hpp"

namespace gpuhmm::simd {

/// Place of the instruction set in use in the tables of GPUHMM_SIMD_TABLE (instruction_set.cpp).
std::size_t table_place();

/// The same for kernels of 16-bit scores, which need few registers: with vectors of 32 bytes AVX-512 only
/// makes their instructions longer, and AVX2 takes its place.
std::size_t table_place_16();

}  // namespace gpuhmm::simd

#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0  // compiled for one instruction set only
#define GPUHMM_SIMD_TABLE(function) static_assert(true)
#define GPUHMM_SIMD_CALL(function) HWY_STATIC_DISPATCH(function)
#define GPUHMM_SIMD_CALL_16(function) HWY_STATIC_DISPATCH(function)
#else
/// Defines the table of a function's copies, in Highway's order: nothing, one for each instruction set, best
/// first, and the fallback.
#define GPUHMM_SIMD_TABLE(function)                                                \
  static constexpr decltype(&HWY_STATIC_DISPATCH(function)) function##_table[] = { \
      nullptr, HWY_CHOOSE_TARGET_LIST(function), HWY_CHOOSE_FALLBACK(function)}
/// The copy to call.
#define GPUHMM_SIMD_CALL(function) (*function##_table[::gpuhmm::simd::table_place()])
#define GPUHMM_SIMD_CALL_16(function) (*function##_table[::gpuhmm::simd::table_place_16()])
#endif
