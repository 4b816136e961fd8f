// Forward and Backward in vectors give what the reference's lanes give, bit for bit: rows and cells of random
// profiles and sequences. The reference does all passes over deletes to their ends.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "hmmer3/arithmetic.hpp"
#include "hmmer3/forward_backward.hpp"
#include "hmmer3/random_profiles.hpp"

namespace gpuhmm::hmmer3 {
namespace {

using test::between;
using test::Generator;
using Sequence = std::vector<std::uint8_t>;

// A task with all its cells.
struct Swept {
  explicit Swept(const Sequence& sequence) {
    task.sequence = sequence;
    task.lengths = LengthModel::multihit(static_cast<std::int64_t>(sequence.size()) + 30);
    task.forward_cells = &forward;
    task.backward_cells = &backward;
  }

  SequenceTask task;
  StripedMatrix forward, backward;
};

void expect_equal_rows(const std::vector<SpecialRow>& expected, const std::vector<SpecialRow>& found) {
  ASSERT_EQ(expected.size(), found.size());
  EXPECT_EQ(std::memcmp(expected.data(), found.data(), expected.size() * sizeof(SpecialRow)), 0);
}

void expect_equal_cells(const StripedMatrix& expected, const StripedMatrix& found, std::size_t first,
                        std::size_t last) {
  ASSERT_EQ(expected.row_size(), found.row_size());
  for (std::size_t i = first; i <= last; ++i) {
    ASSERT_EQ(std::memcmp(expected.row(i), found.row(i), expected.row_size() * sizeof(float)), 0)
        << "row " << i;
  }
}

// What Forward says of a sequence without a score.
std::string complaint(const FloatModel& model, const Sequence& sequence) {
  Swept swept(sequence);
  SequenceTask* const task = &swept.task;
  try {
    run_forward(model, {&task, 1});
  } catch (const ImpossibleComparison& impossible) {
    return impossible.what();
  }
  return "none";
}

// Compares sequences that are swept side by side; returns how many have a score.
std::size_t compare(const Profile& profile, const std::vector<Sequence>& sequences) {
  const FlushToZero flush;
  const FloatModel model((LogOdds(profile)));
  std::vector<Swept> plain, fast;
  plain.reserve(sequences.size());
  fast.reserve(sequences.size());
  std::vector<SequenceTask*> tasks;
  for (const Sequence& sequence : sequences) {
    Swept& swept = plain.emplace_back(sequence);
    try {
      run_forward_plainly(model, swept.task);
      run_backward_plainly(model, swept.task);
    } catch (const ImpossibleComparison& impossible) {
      plain.pop_back();
      EXPECT_EQ(complaint(model, sequence), impossible.what());
      continue;
    }
    tasks.push_back(&fast.emplace_back(sequence).task);
  }
  run_forward(model, tasks);
  run_backward(model, tasks);
  for (std::size_t s = 0; s < plain.size(); ++s) {
    SCOPED_TRACE("sequence " + std::to_string(s) + " of " + std::to_string(plain.size()));
    const SequenceTask &expected = plain[s].task, &found = fast[s].task;
    const std::size_t length = expected.sequence.size();
    EXPECT_EQ(std::memcmp(&expected.forward_score, &found.forward_score, sizeof(float)), 0);
    EXPECT_EQ(expected.own_scales, found.own_scales);
    expect_equal_rows(expected.forward, found.forward);
    expect_equal_rows(expected.backward, found.backward);
    expect_equal_cells(plain[s].forward, fast[s].forward, 0, length);
    expect_equal_cells(plain[s].backward, fast[s].backward, 1, length);
  }
  return plain.size();
}

// How far a path of deletes goes.
enum class Deletes { Short, AsDrawn, Long };

Profile drawn_profile(Generator& random, int nodes, Deletes deletes) {
  const double gaps[] = {0, 0.05, 0.3}, zeros[] = {0, 0, 0.02};
  Profile profile =
      test::random_profile(random, AlphabetKind::Hmmer3Amino, nodes,
                           {0.2F, gaps[between(random, 0, 2)], 0.5, zeros[between(random, 0, 2)]});
  if (deletes == Deletes::AsDrawn) return profile;
  const float longer = deletes == Deletes::Long ? 0.9999F : 0.01F;
  for (auto& of_node : profile.transition) {
    of_node[kDD] = longer;
    of_node[kDM] = 1 - longer;
  }
  return profile;
}

TEST(Sweeps, AreThePlainOnes) {
  Generator random(1);
  std::size_t scored = 0;
  for (const int nodes : {1, 2, 4, 7, 16, 33, 99, 100, 101, 160, 257, 400}) {
    for (const Deletes deletes : {Deletes::Short, Deletes::AsDrawn, Deletes::Long}) {
      for (const int count : {1, 2, 3, 4, 7, 9}) {
        const Profile profile = drawn_profile(random, nodes, deletes);
        std::vector<Sequence> sequences;
        for (int s = 0; s < count; ++s) {
          const int length = between(random, 1, nodes / 2 + 40);
          sequences.push_back(test::random_sequence(random, profile.alphabet, length, 0.05));
          for (int plants = between(random, 0, 2); plants > 0; --plants) {
            test::plant(profile, sequences.back(), static_cast<std::size_t>(between(random, 0, length - 1)),
                        between(random, 1, nodes));
          }
        }
        SCOPED_TRACE(std::to_string(nodes) + " nodes, " + std::to_string(count) + " sequences");
        scored += compare(profile, sequences);
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(scored, 800U);
}

// Probabilities above 1, as a damaged file may have them, with which rows overflow.
TEST(Sweeps, OddProbabilities) {
  Generator random(2);
  std::size_t compared = 0, scored = 0;
  for (const float factor : {3.0F, 1e3F, 1e12F, 1e30F}) {
    for (const int nodes : {33, 99, 120, 300}) {
      Profile profile = drawn_profile(random, nodes, Deletes::AsDrawn);
      for (auto& of_node : profile.transition) of_node[kDD] *= factor;
      for (int trial = 0; trial < 10; ++trial, ++compared) {
        const Sequence sequence = test::random_sequence(random, profile.alphabet, between(random, 1, 200));
        scored += compare(profile, {sequence});
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(scored, 30U);
  EXPECT_GT(compared - scored, 30U);
}

}  // namespace
}  // namespace gpuhmm::hmmer3
