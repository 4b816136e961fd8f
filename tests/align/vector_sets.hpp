// Tests that run with each instruction set that has vectors.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "simd/instruction_set.hpp"

namespace gpuhmm::test {

/// The instruction sets with vectors, which sweeps need.
inline std::vector<std::string> vector_sets() {
  std::vector<std::string> names = simd::instruction_sets();
  std::erase_if(names, [](const std::string& name) {
    simd::use_instruction_set(name);
    return simd::vector_bytes() == 0;
  });
  simd::use_instruction_set("");
  return names;
}

/// Names a test by its instruction set.
inline std::string name_of_set(const ::testing::TestParamInfo<std::string>& set) { return set.param; }

/// A test whose parameter is an instruction set.
class WithInstructionSet : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { simd::use_instruction_set(GetParam()); }
  void TearDown() override { simd::use_instruction_set(""); }
};

}  // namespace gpuhmm::test
