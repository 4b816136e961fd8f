// Calls the copy of a function that was compiled for the instruction set in use. Included by
// foreach_target.hpp.
//
// Replaces HWY_EXPORT and HWY_DYNAMIC_DISPATCH, whose tables need libhwy: at every program start that library
// measures the timer resolution for 3.5 ms, longer than a small search takes. Everything else that is used of
// Highway is in its headers.
#pragma once

#include <cstddef>

#ifndef HWY_TARGETS
#error "include simd/foreach_target.hpp instead: this header needs Highway's targets"
#endif

namespace gpuhmm::simd {

/// Index of the instruction set in use in the tables of GPUHMM_SIMD_TABLE (instruction_set.cpp).
std::size_t table_place();

/// The same for functions that need few registers: for these, with vectors of 32 bytes, AVX-512 only makes
/// instructions longer, so AVX2 is used instead.
std::size_t few_registers_place();

}  // namespace gpuhmm::simd

/// Defines the table of a function's copies, in Highway's order: a null pointer, one copy per instruction
/// set, best first, and the fallback. _T: the same under another name, for an instance of a template.
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

/// The copy of the function for the instruction set in use.
#define GPUHMM_SIMD_CALL(name) (*name##_table[GPUHMM_SIMD_PLACE(table_place)])
#define GPUHMM_SIMD_CALL_FEW_REGISTERS(name) (*name##_table[GPUHMM_SIMD_PLACE(few_registers_place)])
