// Consensus letters and search styles of profiles.
#include "plan7/consensus.hpp"

#include <gtest/gtest.h>

#include "gpuhmm/profile_file.hpp"

namespace gpuhmm {
namespace {

Profile read(const std::string& name) { return read_profiles(GPUHMM_TESTDATA "/" + name).front(); }

TEST(Consensus, StrongResiduesAreInUpperCase) {
  Profile profile = read("vectors/toy5.hmm");
  EXPECT_EQ(Consensus(profile).letters(), "acdef");
  profile.match[static_cast<std::size_t>(profile.residues()) * 2 + 1] = 0.5F;
  EXPECT_EQ(Consensus(profile).letters(), "aCdef");
  Profile nucleic = read("vectors/toydna.hmm");
  nucleic.match.assign(nucleic.match.size(), 0.0F);
  nucleic.match[4] = 0.89F;
  nucleic.match[9] = 0.9F;
  EXPECT_EQ(Consensus(nucleic).letters().substr(0, 2), "aC");
}

TEST(SearchStyle, IsThatOfTheBuild) {
  EXPECT_EQ(search_style(read("hmm/RRM_1_ls.hmm")), "ls");
  EXPECT_EQ(search_style(read("hmm/RRM_1_fs.hmm")), "fs");
  EXPECT_EQ(search_style(read("hmm/RRM_1_s.hmm")), "s");
  EXPECT_EQ(search_style(read("hmm/RRM_1_g_uncalibrated.hmm")), "g");
  EXPECT_EQ(search_style(read("hmm/RRM_1_hmmer3.hmm")), "ls");
  EXPECT_EQ(search_style(read("hmm/MADE1_fs.hmm")), "fs");
}

}  // namespace
}  // namespace gpuhmm
