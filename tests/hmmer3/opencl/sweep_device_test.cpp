// Forward and Backward on PoCL give the bits of the plain references: random models, sequences and
// work-groups.
#include "hmmer3/opencl/sweep_device.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "gpuhmm/device.hpp"
#include "hmmer3/arithmetic.hpp"
#include "hmmer3/random_profiles.hpp"

namespace gpuhmm::hmmer3 {
namespace {

using test::between;
using test::Generator;

const OpenDevice& device() {
  static const std::vector<DeviceInfo> devices = list_devices();
  static const OpenDevice device(devices.at(0));
  return device;
}

// What a sweep told of a pair.
struct Told {
  float score = 0;
  bool passes = false, used = false;
  std::vector<SpecialRow> forward, backward;
  bool own_scales = false;
};
using AllTold = std::map<std::pair<std::size_t, std::size_t>, Told>;

// Every third pair that is asked for does not pass.
bool lets_pass(std::size_t query, std::size_t n) { return (query + n) % 3 != 0; }

AllTold swept(SweepDevice& sweeper, const std::vector<SweepQuery>& queries) {
  AllTold told;
  std::mutex mutex;
  sweeper.sweep(queries, {[&](std::size_t q, std::size_t n, float score) {
                            const std::lock_guard lock(mutex);
                            EXPECT_FALSE(told.contains({q, n}));
                            told[{q, n}] = {score, lets_pass(q, n), false, {}, {}, false};
                            return lets_pass(q, n);
                          },
                          [&](std::size_t q, std::size_t n, const SweptRows& rows) {
                            const std::lock_guard lock(mutex);
                            Told& own = told[{q, n}];
                            EXPECT_TRUE(own.passes && !own.used);
                            own.used = true;
                            own.forward.assign(rows.forward.begin(), rows.forward.end());
                            own.backward.assign(rows.backward.begin(), rows.backward.end());
                            own.own_scales = rows.own_scales;
                          }});
  return told;
}

bool same_bits(const std::vector<SpecialRow>& a, const std::vector<SpecialRow>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(SpecialRow)) == 0;
}

struct Counts {
  int pairs = 0, rows = 0, scaled_often = 0, impossible = 0;
};

// Sequences of a model by falling length, as a search gives them.
std::vector<SweepQuery> queries_of(const std::deque<FloatModel>& models, const SequenceBatch& batch) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch.length(i) > 0) order.push_back(i);
  }
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) { return batch.length(i); });
  std::vector<SweepQuery> queries;
  for (const FloatModel& model : models) queries.push_back({&model, order});
  return queries;
}

void compare(SweepDevice& sweeper, const std::deque<FloatModel>& models, const SequenceBatch& batch,
             Counts& counts) {
  const std::vector<SweepQuery> queries = queries_of(models, batch);
  sweeper.load(batch);
  const AllTold told = swept(sweeper, queries);
  const FlushToZero flush;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    for (std::size_t n = 0; n < queries[q].sequences.size(); ++n) {
      SequenceTask task;
      task.sequence = batch.residues(queries[q].sequences[n]);
      task.lengths = LengthModel::multihit(static_cast<std::int64_t>(task.sequence.size()));
      const auto own = told.find({q, n});
      try {
        run_forward_plainly(models[q], task);
      } catch (const ImpossibleComparison&) {
        ASSERT_EQ(own, told.end());
        ++counts.impossible;
        continue;
      }
      ASSERT_NE(own, told.end()) << q << ' ' << n;
      ASSERT_EQ(own->second.score, task.forward_score) << q << ' ' << n;
      ++counts.pairs;
      ASSERT_EQ(own->second.used, lets_pass(q, n));
      if (!own->second.used) continue;
      run_backward_plainly(models[q], task);
      ASSERT_TRUE(same_bits(own->second.forward, task.forward)) << q << ' ' << n;
      ASSERT_TRUE(same_bits(own->second.backward, task.backward)) << q << ' ' << n;
      ASSERT_EQ(own->second.own_scales, task.own_scales);
      ++counts.rows;
      counts.scaled_often +=
          std::ranges::count_if(task.forward, [](const SpecialRow& row) { return row.scale > 1; }) > 14 ? 1
                                                                                                        : 0;
    }
  }
}

TEST(SweepDevice, GivesTheBitsOfThePlainReferences) {
  Generator random(1);
  Counts counts;
  for (int trial = 0; trial < 12; ++trial) {
    SweepRoom room = sweep_room(device().info());
    if (trial % 3 == 1) room.sequences = static_cast<std::size_t>(1) << between(random, 0, 3);
    if (trial % 3 == 2) room.rows = 1500;
    SweepDevice sweeper(device(), 2, room);
    ASSERT_TRUE(sweeper.usable());
    const AlphabetKind alphabet = trial % 4 == 3 ? AlphabetKind::Hmmer3Dna : AlphabetKind::Hmmer3Amino;
    std::deque<Profile> profiles;
    std::deque<FloatModel> models;
    for (int p = between(random, 1, 5); p > 0; --p) {
      const double gaps = between(random, 0, 1) == 0 ? 0.05 : 0.4;
      profiles.push_back(test::random_profile(random, alphabet, between(random, 1, trial % 2 == 0 ? 60 : 230),
                                              {0.3F, gaps, 0.45, between(random, 0, 4) == 0 ? 0.05 : 0}));
      models.emplace_back(LogOdds(profiles.back()));
    }
    SequenceBatch batch;
    for (int i = 0; i < 30; ++i) {
      const int length = i < 4 ? i : between(random, 1, 400);
      std::vector<std::uint8_t> sequence = test::random_sequence(random, alphabet, length);
      // One profile again and again: many rows are scaled.
      const Profile& planted = profiles[static_cast<std::size_t>(i) % profiles.size()];
      for (int at = 0; i % 3 == 0 && at < length; at += planted.nodes)
        test::plant(planted, sequence, static_cast<std::size_t>(at), 1);
      batch.begin_sequence("s" + std::to_string(i), "", "");
      batch.append_residues(sequence);
    }
    compare(sweeper, models, batch, counts);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(counts.pairs, 500);
  EXPECT_GT(counts.rows, 300);
  EXPECT_GT(counts.scaled_often, 5);
}

// A model of one residue and sequences of hardly anything else: most rows are scaled.
TEST(SweepDevice, TakesRepetitiveSequences) {
  Generator random(2);
  constexpr std::uint8_t kGlutamine = 13;
  std::deque<FloatModel> models;
  for (const int nodes : {10, 40, 100}) {
    Profile profile = test::random_profile(random, AlphabetKind::Hmmer3Amino, nodes, {0.3F, 0.02, 0.3, 0});
    for (int k = 1; k <= nodes; ++k) {
      float* const match = &profile.match[static_cast<std::size_t>(20 * k)];
      for (int x = 0; x < 20; ++x) match[x] = x == kGlutamine ? 0.981F : 0.001F;
    }
    models.emplace_back(LogOdds(profile));
  }
  SequenceBatch batch;
  for (int i = 0; i < 24; ++i) {
    const int length = between(random, 50, 700);
    std::vector<std::uint8_t> sequence(static_cast<std::size_t>(length), kGlutamine);
    for (int others = between(random, 0, 40); others > 0; --others)
      sequence[static_cast<std::size_t>(between(random, 0, length - 1))] = 2;
    batch.begin_sequence("s" + std::to_string(i), "", "");
    batch.append_residues(sequence);
  }
  SweepDevice sweeper(device(), 1);
  Counts counts;
  compare(sweeper, models, batch, counts);
  EXPECT_GT(counts.scaled_often, 20);
}

TEST(SweepDevice, LeavesOutWhatItHasNoRoomFor) {
  Generator random(3);
  std::deque<FloatModel> models;
  for (const int nodes : {10, 500, 10}) {
    models.emplace_back(LogOdds(test::random_profile(random, AlphabetKind::Hmmer3Amino, nodes, {})));
  }
  models.back().transitions()[0] = 1e-40F;  // below the smallest normal number
  SequenceBatch batch;
  for (const int length : {5, 100, 200}) {
    batch.begin_sequence("s", "", "");
    batch.append_residues(test::random_sequence(random, AlphabetKind::Hmmer3Amino, length));
  }
  SweepDevice sweeper(device(), 1, SweepRoom{sweep_cell_bytes(20, kStripes), 8, 150});
  sweeper.load(batch);
  const AllTold told = swept(sweeper, queries_of(models, batch));
  ASSERT_EQ(told.size(), 2U);
  EXPECT_TRUE(told.contains({0, 1}) && told.contains({0, 2}));
}

TEST(SweepGroups, BeginWithTheLongestAndHoldPairsOfOneQuery) {
  Generator random(4);
  std::deque<FloatModel> models;
  for (const int nodes : {8, 300, 100}) {
    models.emplace_back(LogOdds(test::random_profile(random, AlphabetKind::Hmmer3Amino, nodes, {})));
  }
  SequenceBatch batch;
  for (int i = 0; i < 50; ++i) {
    batch.begin_sequence("s", "", "");
    batch.append_residues(test::random_sequence(random, AlphabetKind::Hmmer3Amino, 1 + 7 * i % 90));
  }
  const std::vector<SweepQuery> queries = queries_of(models, batch);
  const std::vector<SweepLaunch> launches = sweep_launches(queries, batch, {40'000, 8, 900});
  std::size_t pairs = 0;
  for (const SweepLaunch& launch : launches) {
    std::size_t rows = 0;
    for (const SweepPair& pair : launch.pairs) rows += pair.length + 1;
    EXPECT_LE(rows, 900U);
    pairs += launch.pairs.size();
    const std::vector<std::uint32_t> model_of = {0, 1, 2};
    const std::vector<std::size_t> steps_of = {models[0].steps(), models[1].steps(), models[2].steps()};
    const auto groups = sweep_groups(launch.pairs, launch.sequences, model_of, steps_of);
    std::size_t in_groups = 0, before = ~std::size_t{0};
    for (const auto& [first, count, model, unused] : groups) {
      EXPECT_LE(count, launch.sequences);
      in_groups += count;
      const std::size_t cost = launch.pairs[first].length * steps_of[model];
      EXPECT_LE(cost, before);
      before = cost;
      for (std::size_t p = first; p < first + count; ++p) {
        EXPECT_EQ(launch.pairs[p].query, model);
        EXPECT_LE(launch.pairs[p].length, launch.pairs[first].length);
      }
    }
    EXPECT_EQ(in_groups, launch.pairs.size());
  }
  EXPECT_EQ(pairs, 150U);
}

}  // namespace
}  // namespace gpuhmm::hmmer3
