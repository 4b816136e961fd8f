// Envelopes side by side give what the plain reference gives, bit for bit: random profiles, sequences and
// lengths.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "hmmer3/arithmetic.hpp"
#include "hmmer3/envelope_cases.hpp"
#include "hmmer3/envelope_task.hpp"
#include "hmmer3/random_profiles.hpp"
#include "hmmer3/shared_rows.hpp"

namespace gpuhmm::hmmer3 {
namespace {

using test::between;
using test::Generator;
using test::Sequence;

// What the trials had in them.
struct Counts {
  int tasks = 0, aligned = 0, inserts = 0, deletes = 0, own_scales = 0, impossible = 0;
};

void compare(const Profile& profile, const std::vector<Sequence>& sequences, Generator& random,
             Counts& counts) {
  const FlushToZero flush;
  const FloatModel model((LogOdds(profile)));
  const Alphabet& alphabet = Alphabet::get(profile.alphabet);
  const std::vector<EnvelopeTask> plain = test::plain_tasks(model, alphabet, sequences, random);
  std::vector<EnvelopeTask> fast = test::unscored(plain);
  std::size_t longest = 0;
  for (const EnvelopeTask& task : fast) longest = std::max(longest, task.sequence.size());
  // Each alone, two, or as many as go side by side.
  const std::size_t limits[] = {1, SharedRows::bytes(longest, model.steps(), 2 * kStripes, false),
                                SharedRows::kMostShared, SharedRows::kMostShared};
  score_envelopes(model, alphabet, fast, limits[between(random, 0, 3)]);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const EnvelopeTask &a = plain[i], &b = fast[i];
    SCOPED_TRACE("task " + std::to_string(i) + ", " + std::to_string(a.sequence.size()) + " residues");
    ++counts.tasks;
    ASSERT_EQ(a.own_scales, b.own_scales);
    ASSERT_EQ(a.possible, b.possible);
    counts.own_scales += a.own_scales;
    counts.impossible += !a.possible;
    ASSERT_EQ(test::text(a), test::text(b));
    if (!a.possible) continue;
    counts.aligned += !a.alignment.columns.empty();
    for (const AlignedColumn& column : a.alignment.columns) {
      counts.inserts += column.state == kInsert;
      counts.deletes += column.state == kDelete;
    }
  }
}

TEST(Envelopes, AreThePlainOnes) {
  Generator random(1);
  Counts counts;
  const int sizes[] = {1,  2,  3,  4,  5,  7,  8,   9,   12,  13,  16,  17,  23,  31,  32, 33,
                       40, 47, 60, 77, 90, 99, 100, 101, 120, 133, 150, 170, 211, 260, 333};
  for (const int nodes : sizes) {
    for (const auto alphabet : {AlphabetKind::Hmmer3Amino, AlphabetKind::Hmmer3Dna}) {
      for (int trial = 0; trial < 8; ++trial) {
        const Profile profile = test::random_profile(random, alphabet, nodes, test::random_style(random));
        std::vector<Sequence> sequences;
        for (int count = between(random, 1, 11); count > 0; --count) {
          const int length = between(random, 1, between(random, 0, 2) == 0 ? 9 : 2 * nodes + 20);
          sequences.push_back(between(random, 0, 3) == 0 ? test::random_sequence(random, alphabet, length)
                                                         : test::homologue(random, profile, length));
        }
        SCOPED_TRACE(std::to_string(nodes) + " nodes");
        compare(profile, sequences, random, counts);
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GT(counts.tasks, 500);
  EXPECT_GT(counts.aligned, 400);
  EXPECT_GT(counts.inserts, 100);
  EXPECT_GT(counts.deletes, 100);
}

// Of the reference, with which all others are compared.
TEST(Envelopes, HaveWhatIsWantedOfAnAlignment) {
  const FlushToZero flush;
  Generator random(5);
  int aligned = 0, single = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Profile profile =
        test::random_profile(random, AlphabetKind::Hmmer3Amino, 30, test::random_style(random));
    const FloatModel model((LogOdds(profile)));
    const Sequence sequence = test::homologue(random, profile, between(random, 1, trial % 2 == 0 ? 3 : 60));
    const auto scored = [&](AlignmentDetail wanted) {
      EnvelopeTask task;
      task.sequence = sequence;
      task.lengths = LengthModel::unihit(static_cast<std::int64_t>(sequence.size()));
      task.wants_null2 = true;
      task.wanted = wanted;
      score_envelope_plainly(model, Alphabet::get(profile.alphabet), task);
      return task;
    };
    const EnvelopeTask none = scored(AlignmentDetail::None), ends = scored(AlignmentDetail::Ends);
    const EnvelopeTask rows = scored(AlignmentDetail::Rows);
    EXPECT_EQ(none.odds, rows.odds);
    EXPECT_EQ(none.forward_score, rows.forward_score);
    EXPECT_EQ(none.alignment.accuracy, 0);
    EXPECT_TRUE(none.alignment.columns.empty());
    EXPECT_EQ(ends.alignment.accuracy, rows.alignment.accuracy);
    if (rows.alignment.columns.empty()) continue;
    ++aligned;
    single += rows.alignment.columns.size() == 1;
    std::vector<AlignedColumn> expected{rows.alignment.columns.front(), rows.alignment.columns.back()};
    for (AlignedColumn& column : expected) column.posterior = 0;
    EXPECT_EQ(test::text(ends.alignment.columns), test::text(expected));
  }
  EXPECT_GT(aligned, 40);
  EXPECT_GT(single, 3);
}

TEST(Envelopes, Ties) {
  Generator random(3);
  Counts counts;
  for (const int nodes : {1, 4, 5, 9, 16, 30, 111}) {
    const test::ProfileCase given = test::equal_nodes(random, nodes);
    compare(given.profile, given.sequences, random, counts);
    if (HasFatalFailure()) return;
  }
}

TEST(Envelopes, ImpossibleDeletes) {
  Generator random(4);
  Counts counts;
  for (int trial = 0; trial < 120; ++trial) {
    const test::ProfileCase given = test::parted_profile(random, trial % 2 == 0 ? 24 : 40);
    compare(given.profile, given.sequences, random, counts);
    if (HasFatalFailure()) return;
  }
}

TEST(Envelopes, Repeats) {
  Generator random(2);
  Counts counts;
  for (int trial = 0; trial < 20; ++trial) {
    const test::ProfileCase given = test::repeats(random);
    compare(given.profile, given.sequences, random, counts);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(counts.own_scales, 20);
  EXPECT_GT(counts.impossible, 10);
  EXPECT_GT(counts.tasks - counts.own_scales, 10);
}

}  // namespace
}  // namespace gpuhmm::hmmer3
