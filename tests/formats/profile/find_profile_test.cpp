// Profiles are found by name, accession and number.
#include <gtest/gtest.h>

#include "gpuhmm/profile_file.hpp"
#include "profile_files.hpp"

namespace gpuhmm {
namespace {

using namespace test;

class FindProfile : public testing::Test {
 protected:
  /// Profiles with these names, the first three with accessions.
  FindProfile() {
    const std::string toy = file_bytes(vector_path("toy5.hmm"));
    std::string bytes;
    for (const auto& [name, accession] :
         {std::pair{"beta", "XX1"}, {"alpha", "beta"}, {"Gamma", "XX1"}, {"delta", ""}, {"beta", "XX2"}}) {
      bytes += replaced(replaced(toy, "NAME  toy5", std::string("NAME  ") + name), "ACC   XX00001",
                        std::string("ACC   ") + accession);
    }
    path_ = folder_.write("library", bytes);
  }

  std::string found(const std::string& key) const {
    const std::optional<Profile> profile = find_profile(path_, key);
    return profile ? profile->name + " " + profile->accession.value_or("") : "nothing";
  }

  const TemporaryFolder folder_;
  std::string path_;
};

TEST_F(FindProfile, PrefersNamesToAccessionsAndTakesTheFirst) {
  EXPECT_EQ(found("beta"), "beta XX1");
  EXPECT_EQ(found("XX1"), "beta XX1");
  EXPECT_EQ(found("XX2"), "beta XX2");
  EXPECT_EQ(found("Gamma"), "Gamma XX1");
  EXPECT_EQ(found("gamma"), "nothing");
}

TEST_F(FindProfile, CountsInTheByteOrderOfNames) {
  const char* const order[] = {"Gamma", "alpha", "beta", "beta", "delta"};
  for (std::int64_t i = 0; i < 5; ++i) EXPECT_EQ(find_profile(path_, i).value().name, order[i]);
  EXPECT_FALSE(find_profile(path_, std::int64_t{5}));
  EXPECT_FALSE(find_profile(path_, std::int64_t{-1}));
}

}  // namespace
}  // namespace gpuhmm
