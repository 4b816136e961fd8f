// The machine's vector instructions as the loops of several steps choose by them.
#include "util/vector_extensions.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

namespace gpuhmm {
namespace {

TEST(VectorExtensions, AreNoMoreThanTheTestsAreToldToUse) {
  const char* const wanted = std::getenv("GPUHMM_TEST_AS_ON");
  const std::string_view step = wanted == nullptr ? "" : wanted;
  const VectorExtensions most = step == "base"   ? VectorExtensions::kBase
                                : step == "sse4" ? VectorExtensions::kSse4
                                : step == "avx2" ? VectorExtensions::kAvx2
                                                 : VectorExtensions::kAvx512;
  EXPECT_LE(vector_extensions(), most);
}

}  // namespace
}  // namespace gpuhmm
