// Null models and priors from files.
#include "formats/profile/model_parameters.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "formats/io/error.hpp"

namespace gpuhmm {
namespace {

std::string file_with(const std::string& text) {
  const std::string path = testing::TempDir() + "/model_parameters_test.txt";
  std::ofstream(path) << text;
  return path;
}

constexpr const char* kPrior =
    "Dirichlet # strategy\nnucleic\n1 1.0\n0.7 0.2 0.1 0.5 0.4 0.3 0.2\n2\n0.25 1 2 3 4\n0.75 4 3 2 "
    "1\n1\n1.0\n1 1 1 1\n";

TEST(NullModel, IsReadWithComments) {
  const NullModel null =
      read_null_model(file_with("# a\nNucleic\n0.1 # A\n0.2 0.3\n0.4\n0.99"), AlphabetKind::Nucleic);
  EXPECT_EQ(null.emission, (std::vector<float>{0.1F, 0.2F, 0.3F, 0.4F}));
  EXPECT_EQ(null.loop, 0.99F);
}

TEST(NullModel, DamageIsAnError) {
  for (const char* text :
       {"", "Amino 0.1 0.2 0.3 0.4 0.99", "Nucleic 0.1 0.2 0.3", "Nucleic 0.1 0.2 0.3 x 0.99",
        "Nucleic 0.1 0.2 0.3 0.4 1.5", "Nucleic 0 0.2 0.3 0.4 0.9", "Nucleic -1 0.2 0.3 0.4 0.9"}) {
    EXPECT_THROW(read_null_model(file_with(text), AlphabetKind::Nucleic), FileError) << text;
  }
}

TEST(Prior, IsRead) {
  const ProfilePrior prior = read_prior(file_with(kPrior), AlphabetKind::Nucleic);
  EXPECT_EQ(prior.transitions.match[1], 0.2F);
  EXPECT_EQ(prior.transitions.deletion[1], 0.2F);
  ASSERT_EQ(prior.match.size(), 2U);
  EXPECT_EQ(prior.match[1].probability, 0.75F);
  EXPECT_EQ(prior.match[1].alpha, (std::vector<float>{4, 3, 2, 1}));
  EXPECT_EQ(prior.insert.front().alpha.size(), 4U);
}

TEST(Prior, DamageIsAnError) {
  const std::string good = kPrior;
  for (const std::string& text : std::initializer_list<std::string>{
           good.substr(0, good.size() - 4), "PAM" + good.substr(9), "Dirichlet nucleic 2 1.0",
           "Dirichlet nucleic 1 1.0 1 1 1 1 1 1 1 0.5"}) {
    EXPECT_THROW(read_prior(file_with(text), AlphabetKind::Nucleic), FileError) << text;
  }
  EXPECT_THROW(read_prior(file_with(good), AlphabetKind::Amino), FileError);
}

}  // namespace
}  // namespace gpuhmm
