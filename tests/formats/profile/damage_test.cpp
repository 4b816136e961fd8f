// Damaged profile files are read or refused with a FileError; they never crash the reader.
#include <gtest/gtest.h>

#include <random>

#include "plan7/score_model.hpp"
#include "profile_files.hpp"

namespace gpuhmm {
namespace {

using namespace test;

/// True if a file with these bytes is accepted; its profiles must then give models.
bool accepted(const TemporaryFolder& folder, const std::string& bytes) {
  const std::string path = folder.write("damaged", bytes);
  try {
    for (const Profile& profile : read_profiles(path)) {
      const ScoreModel model(profile);
      EXPECT_EQ(model.nodes, profile.nodes);
    }
  } catch (const FileError& error) {
    EXPECT_EQ(std::string(error.what()).rfind(path, 0), 0U) << error.what();
    return false;
  }
  return true;
}

class DamagedProfiles : public testing::TestWithParam<std::string> {
 protected:
  const std::string good_ = file_bytes(std::string(GPUHMM_TESTDATA) + "/" + GetParam());
  const TemporaryFolder folder_;
};

TEST_P(DamagedProfiles, AreRefusedIfTruncated) {
  const std::size_t step = good_.size() > 10'000 ? 37 : 1;
  for (std::size_t size = 0; size < good_.size(); size += step) {
    // A text file may end in or after a closing line //.
    const std::string head = good_.substr(0, size);
    const bool may_end_here = head.ends_with("//") || head.ends_with("//\n");
    EXPECT_EQ(accepted(folder_, head), may_end_here) << "truncated to " << size << " bytes";
  }
  EXPECT_TRUE(accepted(folder_, good_));
}

TEST_P(DamagedProfiles, AreReadOrRefusedWithRandomBytes) {
  std::mt19937 random(2026);
  int refused = 0;
  constexpr int kTrials = 600;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::string bytes = good_;
    for (int flips = 1 + trial % 3; flips > 0; --flips) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    refused += accepted(folder_, bytes) ? 0 : 1;
  }
  EXPECT_GT(refused, kTrials / 10);
}

TEST_P(DamagedProfiles, AreReadOrRefusedWithPiecesRemovedOrInserted) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 300; ++trial) {
    std::string bytes = good_;
    const std::size_t at = random() % bytes.size();
    const std::size_t size = random() % 64;
    if (trial % 2 == 0) {
      bytes.erase(at, size);
    } else {
      bytes.insert(random() % bytes.size(), good_.substr(at, size));
    }
    accepted(folder_, bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(Files, DamagedProfiles,
                         testing::Values("vectors/toy5.hmm", "vectors/toy5cal.bin", "vectors/toy6fs.hmm",
                                         "vectors/toydna.hmm", "vectors/three.hmm", "hmm/RRM_1_hmmer3.hmm"),
                         [](const auto& file) {
                           std::string name = file.param.substr(file.param.rfind('/') + 1);
                           for (char& c : name) c = c == '.' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace gpuhmm
