// The choice of the instruction set.
#include "simd/instruction_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace gpuhmm {
namespace {

using namespace simd;

TEST(InstructionSet, UnknownNamesAreRefused) {
  EXPECT_THROW(use_instruction_set("MMX"), std::invalid_argument);
  EXPECT_NO_THROW(use_instruction_set(""));
}

TEST(InstructionSet, EachHasItsNameAndWidth) {
  for (const std::string& name : instruction_sets()) {
    use_instruction_set(name);
    EXPECT_EQ(instruction_set(), name);
    EXPECT_LE(usual_vector_bytes(), 32U) << name;
    EXPECT_EQ(vector_bytes(), name == "AVX3_512" ? 64U : usual_vector_bytes()) << name;
  }
  use_instruction_set("");
}

// tests/CMakeLists.txt runs this as if on machines that have no more than GPUHMM_TEST_AS_ON.
TEST(InstructionSet, OffersOnlyWhatTheMachineHas) {
  const char* const as_on = std::getenv("GPUHMM_TEST_AS_ON");
  if (as_on == nullptr) GTEST_SKIP();
  const std::vector<std::string> sets = instruction_sets();
  const auto has = [&](const char* name) { return std::ranges::find(sets, name) != sets.end(); };
  const std::string most = as_on;
  EXPECT_FALSE(has("AVX3") || has("AVX3_512"));
  EXPECT_EQ(has("AVX2"), most == "AVX2");
  EXPECT_EQ(has("SSE4"), most != "base");
}

}  // namespace
}  // namespace gpuhmm
