// Null models and priors are read from files.
#include <gtest/gtest.h>

#include "formats/profile/profile_files.hpp"
#include "gpuhmm/build.hpp"
#include "gpuhmm/error.hpp"

namespace gpuhmm {
namespace {

using namespace test;

NullModel null_model_of(const std::string& text) {
  const TemporaryFolder folder;
  return read_null_model(folder.write("null", text), AlphabetKind::Nucleic);
}

ProfilePrior prior_of(const std::string& text, AlphabetKind alphabet = AlphabetKind::Nucleic) {
  const TemporaryFolder folder;
  return read_prior(folder.write("prior", text), alphabet);
}

constexpr const char* kPrior =
    "Dirichlet # strategy\nnucleic\n1 1.0\n0.7 0.2 0.1 0.5 0.4 0.3 0.2\n2\n0.25 1 2 3 4\n0.75 4 3 2 "
    "1\n1\n1.0\n1 1 1 1\n";

TEST(NullModel, IsReadWithComments) {
  const NullModel null = null_model_of("# a\nNucleic\n0.1 # A\n0.2 0.3\n0.4\n0.99");
  EXPECT_EQ(null.emission, (std::vector<float>{0.1F, 0.2F, 0.3F, 0.4F}));
  EXPECT_EQ(null.loop, 0.99F);
}

TEST(NullModel, IsRefusedIfDamaged) {
  for (const char* text :
       {"", "Amino 0.1 0.2 0.3 0.4 0.99", "Nucleic 0.1 0.2 0.3", "Nucleic 0.1 0.2 0.3 x 0.99",
        "Nucleic 0.1 0.2 0.3 0.4 1.5", "Nucleic 0 0.2 0.3 0.4 0.9", "Nucleic -1 0.2 0.3 0.4 0.9"}) {
    EXPECT_THROW(null_model_of(text), FileError) << text;
  }
}

TEST(Prior, IsRead) {
  const ProfilePrior prior = prior_of(kPrior);
  EXPECT_EQ(prior.transitions.match[1], 0.2F);
  EXPECT_EQ(prior.transitions.deletion[1], 0.2F);
  ASSERT_EQ(prior.match.size(), 2U);
  EXPECT_EQ(prior.match[1].probability, 0.75F);
  EXPECT_EQ(prior.match[1].alpha, (std::vector<float>{4, 3, 2, 1}));
  EXPECT_EQ(prior.insert.front().alpha.size(), 4U);
}

TEST(Prior, IsRefusedIfDamaged) {
  const std::string good = kPrior;
  for (const std::string& text : std::initializer_list<std::string>{
           good.substr(0, good.size() - 4), "PAM" + good.substr(9), "Dirichlet nucleic 2 1.0",
           "Dirichlet nucleic 1 1.0 1 1 1 1 1 1 1 0.5"}) {
    EXPECT_THROW(prior_of(text), FileError) << text;
  }
  EXPECT_THROW(prior_of(good, AlphabetKind::Amino), FileError);
}

}  // namespace
}  // namespace gpuhmm
