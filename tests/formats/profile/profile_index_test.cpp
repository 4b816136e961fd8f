// The index of a profile file: random access gives the profiles that reading in order gives; stale and
// damaged indexes are refused.
#include "gpuhmm/profile_index.hpp"

#include <gtest/gtest.h>

#include "profile_files.hpp"

namespace gpuhmm {
namespace {

using namespace test;

const char* const kNames[] = {"RRM_1_ls.hmm", "Pkinase_ls.hmm", "Acetyltransf_1_ls.hmm"};

std::string hmm_file(const std::string& name) {
  return file_bytes(std::string(GPUHMM_TESTDATA) + "/hmm/" + name);
}

std::string three_as_text() {
  std::string all;
  for (const char* name : kNames) all += hmm_file(name);
  return all;
}

/// The three profiles in every kind of file that can be indexed.
std::vector<std::string> three_in_every_kind() {
  const std::vector<Profile> profiles = parsed(three_as_text());
  const std::string hmmer3 = hmm_file("RRM_1_hmmer3.hmm");
  return {three_as_text(), written(profiles, write_hmmer2_binary),
          hmmer3 + "\n\n" + replaced(hmmer3, "NAME  RRM_1", "NAME  second")};
}

std::string fault_of(const std::string& path) {
  try {
    ProfileIndex::find_for(path);
  } catch (const FileError& error) {
    return error.what();
  }
  return {};
}

class ProfileIndexFile : public testing::Test {
 protected:
  std::string indexed(const std::string& bytes) {
    const std::string path = folder_.write("profiles", bytes);
    ProfileIndex::make(path).write();
    return path;
  }
  const TemporaryFolder folder_;
};

TEST_F(ProfileIndexFile, GivesTheProfilesThatReadingInOrderGives) {
  for (const std::string& bytes : three_in_every_kind()) {
    const std::string path = indexed(bytes);
    const std::vector<Profile> expected = read_profiles(path);
    const std::optional<ProfileIndex> index = ProfileIndex::find_for(path);
    ASSERT_TRUE(index);
    ASSERT_EQ(index->profiles().size(), expected.size());
    for (std::size_t i = expected.size(); i-- > 0;) {
      const Profile found = index->read(index->profiles()[i]);
      EXPECT_EQ(written({found}, write_hmmer2_text), written({expected[i]}, write_hmmer2_text));
    }
  }
}

TEST_F(ProfileIndexFile, FindsByNameBeforeAccession) {
  const std::string text = replaced(three_as_text(), "NAME  Acetyltransf_1", "NAME  PF00069.25");
  const std::string accession = parsed(three_as_text())[1].accession.value();
  const ProfileIndex index = ProfileIndex::make(folder_.write("profiles", text));
  ASSERT_NE(index.find("RRM_1"), nullptr);
  EXPECT_EQ(index.find("RRM_1")->offset, 0U);
  ASSERT_NE(index.find(accession), nullptr);
  EXPECT_EQ(index.find(accession)->name, accession == "PF00069.25" ? "PF00069.25" : "Pkinase");
  EXPECT_EQ(index.find("nothing"), nullptr);
  EXPECT_EQ(index.find(""), nullptr);
}

TEST_F(ProfileIndexFile, MayBeMissing) {
  EXPECT_FALSE(ProfileIndex::find_for(folder_.write("profiles", three_as_text())));
  EXPECT_FALSE(ProfileIndex::find_for("-"));
}

TEST_F(ProfileIndexFile, FitsACopyWithAnotherTime) {
  const std::string path = indexed(three_as_text());
  std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) - std::chrono::hours(1));
  EXPECT_TRUE(ProfileIndex::find_for(path));
}

TEST_F(ProfileIndexFile, IsRefusedIfTheProfileFileChanged) {
  const std::string path = indexed(three_as_text());
  folder_.write("profiles", three_as_text() + hmm_file("RRM_1_s.hmm"));
  EXPECT_NE(fault_of(path).find("was changed"), std::string::npos) << fault_of(path);
  folder_.write("profiles", replaced(three_as_text(), "NAME  RRM_1", "NAME  RRM_2"));
  std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) - std::chrono::hours(1));
  EXPECT_NE(fault_of(path).find("was changed"), std::string::npos) << fault_of(path);
}

TEST_F(ProfileIndexFile, IsRefusedIfDamaged) {
  const std::string path = indexed(three_as_text());
  const std::string good = file_bytes(profile_index_path(path));
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    folder_.write("profiles.ghpi", bad);
    EXPECT_NE(fault_of(path), "") << "byte " << at;
    folder_.write("profiles.ghpi", good.substr(0, at));
    EXPECT_NE(fault_of(path), "") << "truncated to " << at;
  }
}

TEST_F(ProfileIndexFile, IsNotMadeForOtherFiles) {
  EXPECT_THROW(ProfileIndex::make(folder_.file("missing")), FileError);
  EXPECT_THROW(ProfileIndex::make(folder_.write("profiles", "no profile\n")), FileError);
  EXPECT_THROW(ProfileIndex::make(folder_.write("profiles", three_as_text() + "HMMER2.0\nNAME x\n")),
               FileError);
}

}  // namespace
}  // namespace gpuhmm
