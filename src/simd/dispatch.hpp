// Calls the copy of a function that was compiled for the instruction set in use. Include by
// foreach_target.hpp.
//
// Takes the place of HWY_EXPORT and HWY_DYNAMIC_DISPATCH, whose tables need libhwy: that library measures the
// resolution of the timer whenever a program that links it starts, for 3.5 ms, more than a small search
// takes. All else that is used of Highway is in its headers.
#pragma once

#include <cstddef>

#ifndef HWY_TARGETS
#error \
    "simd/foreach_target.hpp includes this header: without Highway's targets there is one copy, and it is scalar"
#endif

namespace gpuhmm::simd {

/// Place of the instruction set in use in the tables of GPUHMM_SIMD_TABLE (instruction_set.cpp).
std::size_t table_place();

/// The same for functions that need few registers: with vectors of 32 bytes AVX-512 only makes their
/// instructions longer, and AVX2 takes its place.
std::size_t few_registers_place();

}  // namespace gpuhmm::simd

/// Defines the table of a function's copies, in Highway's order: nothing, one for each instruction set, best
/// first, and the fallback. _T: the same under a name, for an instance of a template.
#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0  // compiled for one instruction set only
#define GPUHMM_SIMD_TABLE_T(name, function) \
  static constexpr decltype(&HWY_STATIC_DISPATCH(function)) name##_table[] = {&HWY_STATIC_DISPATCH(function)}
#define GPUHMM_SIMD_PLACE(place) 0
#else
#define GPUHMM_SIMD_TABLE_T(name, function)                                    \
  static constexpr decltype(&HWY_STATIC_DISPATCH(function)) name##_table[] = { \
      nullptr, HWY_CHOOSE_TARGET_LIST(function), HWY_CHOOSE_FALLBACK(function)}
#define GPUHMM_SIMD_PLACE(place) ::gpuhmm::simd::place()
#endif
#define GPUHMM_SIMD_TABLE(function) GPUHMM_SIMD_TABLE_T(function, function)

/// The copy to call.
#define GPUHMM_SIMD_CALL(name) (*name##_table[GPUHMM_SIMD_PLACE(table_place)])
#define GPUHMM_SIMD_CALL_FEW_REGISTERS(name) (*name##_table[GPUHMM_SIMD_PLACE(few_registers_place)])
