// Compares the paths of cl/gpu_paths.cl with those of the plain full matrix: same scores and same paths for
// all kinds of models.
#include "align/opencl/path_stream.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "align/opencl/path_words.hpp"
#include "align/path_cases.hpp"
#include "align/random_cases.hpp"
#include "plan7/viterbi_matrix.hpp"

namespace gpuhmm::grid {
namespace {

using test::Random;
using test::wingless_profile;
using testing::Generator;

constexpr std::int32_t kAll = std::numeric_limits<std::int32_t>::min();

class PathStreams : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    device_ = std::make_unique<OpenDevice>(test::path_device());
    stream_ = std::make_unique<PathStream>(*device_);
  }
  static void TearDownTestSuite() {
    stream_.reset();
    device_.reset();
  }

  // Returns how many of the sequences were proven.
  static std::size_t compare(const ScoreModel& model, const Profile& profile,
                             const std::vector<std::vector<std::uint8_t>>& sequences) {
    const GridModel grid_model(model, kPathItems);
    std::vector<PathTask> tasks;
    for (const auto& residues : sequences) tasks.push_back({residues, kAll});
    const std::vector<FoundPath> found = stream_->run(PathModel(grid_model), tasks);
    std::size_t proven = 0;
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      if (!grid_model.proves(found[t].score, tasks[t].residues.size())) continue;
      ++proven;
      ViterbiMatrix matrix;
      EXPECT_EQ(found[t].score, matrix.fill(model, tasks[t].residues)) << "sequence " << t;
      if (!found[t].words) continue;
      ++with_path_;
      EXPECT_EQ(trace_of_words(*found[t].words, model, profile, tasks[t].residues.size()),
                matrix.traceback(model, profile, tasks[t].residues))
          << "sequence " << t << " of " << tasks[t].residues.size() << ", nodes " << model.nodes;
    }
    return proven;
  }

  static inline std::size_t with_path_ = 0;  // of all sequences compared
  static std::unique_ptr<OpenDevice> device_;
  static std::unique_ptr<PathStream> stream_;
};

std::unique_ptr<OpenDevice> PathStreams::device_;
std::unique_ptr<PathStream> PathStreams::stream_;

// Random emissions, transitions, begins and ends, minus infinities and many ties; residues of all codes.
TEST_F(PathStreams, RandomScoresGiveThePathsOfTheMatrix) {
  constexpr test::ModelStyle kStyles[] = {
      {1, 0, true, false},      {1, 0.1, true, false}, {1000, 0, true, false},    {1000, 0.1, true, true},
      {1000, 0.4, true, false}, {1, 0.9, true, false}, {1000, 0.1, false, false}, {2000, 0.02, true, true}};
  Random random(31);
  std::size_t proven = 0;
  with_path_ = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const int nodes = trial % 20 == 0 ? random.integer(61, 700) : random.integer(1, 66);
    const ScoreModel model = random_model(random, nodes, kStyles[trial % std::size(kStyles)]);
    std::vector<std::vector<std::uint8_t>> sequences;
    for (int s = 0; s < 12; ++s) {
      sequences.push_back(random.sequence(model.alphabet, random.integer(1, s == 0 ? 300 : 60)));
    }
    proven += compare(model, wingless_profile(model), sequences);
    ASSERT_FALSE(HasFailure()) << "trial " << trial;
  }
  EXPECT_GT(proven, 2400U);
  EXPECT_GT(with_path_, proven * 3 / 4);
}

// Models of HMMER's four styles with sequences that have many domains.
TEST_F(PathStreams, RepeatsGiveThePathsOfTheMatrix) {
  Generator rng(32);
  std::size_t proven = 0, tried = 0;
  with_path_ = 0;
  for (int trial = 0; trial < 240; ++trial) {
    const ScoreModel model = test::model_of_any_style(rng, trial);
    const SequenceBatch batch = testing::random_batch(rng, model, 8, 1, 600);
    std::vector<std::vector<std::uint8_t>> sequences;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const auto residues = batch.residues(i);
      if (!residues.empty()) sequences.emplace_back(residues.begin(), residues.end());
    }
    tried += sequences.size();
    proven += compare(model, wingless_profile(model), sequences);
    ASSERT_FALSE(HasFailure()) << "trial " << trial;
  }
  EXPECT_GT(proven, tried / 2);
  EXPECT_GT(with_path_, proven / 2);
}

// Profiles like those of hmmbuild, with delete wings.
TEST_F(PathStreams, ProfilesShowTheSameWings) {
  Random random(33);
  constexpr test::Style kStyles[] = {test::Style::GlocalMultihit, test::Style::LocalMultihit,
                                     test::Style::GlocalSingle, test::Style::LocalSingle};
  for (int trial = 0; trial < 40; ++trial) {
    const Profile profile = random_profile(random, random.integer(1, 120), kStyles[trial % 4]);
    const ScoreModel model(profile);
    std::vector<std::vector<std::uint8_t>> sequences;
    for (int s = 0; s < 6; ++s) {
      sequences.push_back(random.sequence(model.alphabet, random.integer(1, 250)));
    }
    EXPECT_EQ(compare(model, profile, sequences), sequences.size());
    ASSERT_FALSE(HasFailure()) << "trial " << trial;
  }
}

// A path is followed back only where its score is wanted.
TEST_F(PathStreams, LowScoresHaveNoPath) {
  Random random(34);
  const Profile profile = random_profile(random, 40, test::Style::LocalMultihit);
  const ScoreModel model(profile);
  const auto residues = random.sequence(model.alphabet, 120);
  ViterbiMatrix matrix;
  const std::int32_t score = matrix.fill(model, residues);
  const std::vector<PathTask> tasks = {{residues, score}, {residues, score + 1}};
  const GridModel grid_model(model, kPathItems);
  const std::vector<FoundPath> found = stream_->run(PathModel(grid_model), tasks);
  ASSERT_TRUE(found[0].words && found[1].words);
  EXPECT_FALSE(found[0].words->empty());
  EXPECT_TRUE(found[1].words->empty());
}

// What a device that computes wrongly may write.
TEST(PathWords, NonsenseIsNoPath) {
  Random random(35);
  const Profile profile = random_profile(random, 10, test::Style::LocalMultihit);
  const ScoreModel model(profile);
  const std::vector<std::int32_t> words = {8, 6, 3 * 4 + 0,
                                           5 * 4 + 3};  // matches of nodes 4 to 6, residues 6 to 8
  EXPECT_TRUE(trace_of_words(words, model, profile, 12));
  EXPECT_FALSE(trace_of_words({}, model, profile, 12));
  EXPECT_FALSE(trace_of_words(std::span(words).first(1), model, profile, 12));
  EXPECT_FALSE(trace_of_words(std::span(words).first(3), model, profile, 12));
  for (const auto& [place, value] : std::vector<std::pair<std::size_t, std::int32_t>>{
           {0, 13}, {0, -1}, {1, 0}, {1, 11}, {2, 7 * 4}, {2, 0}, {2, -4}, {3, 4 * 4 + 3}, {3, 1 << 30}}) {
    std::vector<std::int32_t> damaged = words;
    damaged[place] = value;
    EXPECT_FALSE(trace_of_words(damaged, model, profile, 12)) << "word " << place << ": " << value;
  }
}

}  // namespace
}  // namespace gpuhmm::grid
