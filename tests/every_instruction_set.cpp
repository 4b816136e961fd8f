// The main function of test programs whose code is compiled for several instruction sets: runs all tests once
// with each set that this machine has, the default first.
#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <vector>

#include "simd/instruction_set.hpp"

namespace gpuhmm {
namespace {

class EachInTurn : public ::testing::EmptyTestEventListener {
 public:
  explicit EachInTurn(std::vector<std::string> sets) : sets_(std::move(sets)) {}

  void OnTestIterationStart(const ::testing::UnitTest&, int iteration) override {
    const std::string& set = sets_[static_cast<std::size_t>(iteration) % sets_.size()];
    simd::use_instruction_set(set);
    std::cout << "Instruction set " << set << std::endl;
  }

 private:
  std::vector<std::string> sets_;
};

}  // namespace
}  // namespace gpuhmm

int main(int argc, char** argv) {
  const std::vector<std::string> sets = gpuhmm::simd::instruction_sets();
  ::testing::GTEST_FLAG(repeat) = static_cast<int>(sets.size());
  ::testing::InitGoogleTest(&argc, argv);
  ::testing::UnitTest::GetInstance()->listeners().Append(new gpuhmm::EachInTurn(sets));  // takes ownership
  return RUN_ALL_TESTS();
}
