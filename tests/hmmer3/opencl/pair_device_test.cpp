// The stages behind SSV on PoCL give the bits of the plain references: random models, sequences, groups.
#include "hmmer3/opencl/pair_device.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpuhmm/device.hpp"
#include "hmmer3/arithmetic.hpp"
#include "hmmer3/opencl/filter_tables.hpp"
#include "hmmer3/opencl/resident_residues.hpp"
#include "hmmer3/random_profiles.hpp"

namespace gpuhmm::hmmer3 {
namespace {

using test::between, test::Generator;

const OpenDevice& open_device() {
  static const std::vector<DeviceInfo> devices = list_devices();
  static const OpenDevice opened(devices.at(0));
  return opened;
}

// What a sweep told of a pair.
struct Told {
  float score = 0;
  bool passes = false, used = false;
  Regions regions;
};
using AllTold = std::map<std::pair<std::size_t, std::size_t>, Told>;

// Every third pair that is asked for does not pass.
bool lets_pass(std::size_t query, std::size_t n) { return (query + n) % 3 != 0; }

AllTold swept(PairDevice& device, const std::vector<PairQuery>& queries) {
  AllTold told;
  std::mutex mutex;
  device.sweep(queries, {[&](std::size_t q, std::size_t n, float score) {
                           const std::lock_guard lock(mutex);
                           EXPECT_FALSE(told.contains({q, n}));
                           told[{q, n}] = {score, lets_pass(q, n), false, {}};
                           return lets_pass(q, n);
                         },
                         [&](std::size_t q, std::size_t n, Regions&& regions) {
                           const std::lock_guard lock(mutex);
                           Told& own = told[{q, n}];
                           EXPECT_TRUE(own.passes && !own.used);
                           own.used = true;
                           own.regions = std::move(regions);
                         }});
  return told;
}

struct Counts {
  int filtered = 0, bounds = 0, overflows = 0, pairs = 0, used = 0, regions = 0, several = 0;
  int scaled_often = 0, impossible = 0;
  int multihit = 0, msv_overflows = 0;
};

// Sequences of a model by falling length, as a search gives them.
std::vector<PairQuery> queries_of(const std::deque<SearchProfile>& profiles, const SequenceBatch& batch) {
  std::vector<std::uint32_t> order;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch.length(i) > 0) order.push_back(static_cast<std::uint32_t>(i));
  }
  std::ranges::stable_sort(order, std::ranges::greater(), [&](auto i) { return batch.length(i); });
  std::vector<PairQuery> queries;
  for (const SearchProfile& profile : profiles) queries.push_back({&profile, order});
  return queries;
}

void compare_filters(PairDevice& device, const std::vector<PairQuery>& queries, const SequenceBatch& batch,
                     Counts& counts) {
  std::mutex mutex;
  std::map<std::pair<std::size_t, std::size_t>, float> first, biased, filtered;
  const auto into = [&](auto& scores) {
    return [&](std::size_t q, std::size_t n, float score) {
      const std::lock_guard lock(mutex);
      EXPECT_TRUE(scores.emplace(std::pair(q, n), score).second);
    };
  };
  device.msv(queries, into(first));
  device.bias(queries, {into(biased), {}, {}});
  // Every third bound passes.
  std::map<std::pair<std::size_t, std::size_t>, float> bounds;
  device.viterbi(queries, [&](std::size_t q, std::size_t n, float score, bool is_exact) {
    if (is_exact) {
      into(filtered)(q, n, score);
      return false;
    }
    into(bounds)(q, n, score);
    const bool passes = (q + n) % 3 == 0;
    if (passes)
      into(filtered)(
          q, n, viterbi_score(queries[q].profile->filters.words, batch.residues(queries[q].sequences[n])));
    return passes;
  });
  counts.bounds += static_cast<int>(bounds.size());
  const FlushToZero flush;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    for (std::size_t n = 0; n < queries[q].sequences.size(); ++n) {
      const Residues sequence = batch.residues(queries[q].sequences[n]);
      const NullModel null(static_cast<std::int64_t>(sequence.size()));
      const FilterProfile& filters = queries[q].profile->filters;
      ASSERT_TRUE(first.contains({q, n}) && biased.contains({q, n}) && filtered.contains({q, n}))
          << q << ' ' << n;
      const FirstStage stage = msv_result(filters.bytes, sequence);
      ASSERT_EQ((first[{q, n}]), first_stage_score(stage, static_cast<std::int64_t>(sequence.size())))
          << q << ' ' << n;
      counts.multihit += stage.result == ByteResult::Score && stage.level > ByteModel::kBase ? 1 : 0;
      counts.msv_overflows += stage.result == ByteResult::Overflow ? 1 : 0;
      ASSERT_EQ((biased[{q, n}]), bias_score(filters.bias, sequence, null)) << q << ' ' << n;
      const float expected = viterbi_score(filters.words, sequence);
      ASSERT_EQ((filtered[{q, n}]), expected) << q << ' ' << n;
      const auto bound = bounds.find({q, n});
      ASSERT_TRUE(bound == bounds.end() || bound->second <= expected) << q << ' ' << n;
      ++counts.filtered;
      counts.overflows += std::isinf(expected) && expected > 0 ? 1 : 0;
    }
  }
}

void compare_sweeps(PairDevice& device, const std::vector<PairQuery>& queries, const SequenceBatch& batch,
                    Counts& counts) {
  const AllTold told = swept(device, queries);
  const FlushToZero flush;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const FloatModel& model = queries[q].profile->floats;
    for (std::size_t n = 0; n < queries[q].sequences.size(); ++n) {
      SequenceTask task;
      task.sequence = batch.residues(queries[q].sequences[n]);
      task.lengths = LengthModel::multihit(static_cast<std::int64_t>(task.sequence.size()));
      const auto own = told.find({q, n});
      try {
        run_forward_plainly(model, task);
      } catch (const ImpossibleComparison&) {
        ASSERT_EQ(own, told.end());
        ++counts.impossible;
        continue;
      }
      ASSERT_NE(own, told.end()) << q << ' ' << n;
      ASSERT_EQ(own->second.score, task.forward_score) << q << ' ' << n;
      ++counts.pairs;
      run_backward_plainly(model, task);
      const std::optional<Regions> expected = find_regions(rows_of(task));
      ASSERT_EQ(own->second.used, lets_pass(q, n) && expected) << q << ' ' << n;
      if (!own->second.used) continue;
      ASSERT_EQ(own->second.regions.expected_domains, expected->expected_domains) << q << ' ' << n;
      ASSERT_EQ(own->second.regions.regions, expected->regions) << q << ' ' << n;
      ++counts.used;
      counts.regions += static_cast<int>(expected->regions.size());
      counts.several += static_cast<int>(
          std::ranges::count_if(expected->regions, [](const TargetRegion& r) { return r.several_domains; }));
      counts.scaled_often +=
          std::ranges::count_if(task.forward, [](const SpecialRow& row) { return row.scale > 1; }) > 14 ? 1
                                                                                                        : 0;
    }
  }
}

void compare(PairDevice& device, const std::deque<SearchProfile>& profiles, const SequenceBatch& batch,
             Counts& counts) {
  const std::vector<PairQuery> queries = queries_of(profiles, batch);
  device.load(batch);
  compare_filters(device, queries, batch, counts);
  if (!::testing::Test::HasFatalFailure()) compare_sweeps(device, queries, batch, counts);
}

TEST(PairDevice, GivesTheBitsOfThePlainReferences) {
  Generator random(1);
  Counts counts;
  const auto source = std::make_shared<int>();
  for (int trial = 0; trial < 12; ++trial) {
    PairRooms rooms(open_device().info());
    if (trial % 3 == 1) {
      rooms.sweep.sequences = static_cast<std::size_t>(1) << between(random, 0, 3);
      rooms.msv_bytes = rooms.viterbi_bytes = 20'000;
      rooms.shapes = {{4, 1, 1}, {8, 2, 1}, {8, 4}, trial % 2 == 0 ? SweepShape{8, 8} : SweepShape{20, 4}};
    }
    if (trial % 3 == 2) rooms.msv.rows = rooms.bias.rows = rooms.viterbi.rows = rooms.sweep.rows = 1500;
    ResidentResidues resident(open_device(), 1 << 20);
    PairDevice device(open_device(), 2, rooms, trial % 2 == 0 ? &resident : nullptr);
    ASSERT_TRUE(device.usable());
    const AlphabetKind alphabet = trial % 4 == 3 ? AlphabetKind::Hmmer3Dna : AlphabetKind::Hmmer3Amino;
    std::deque<SearchProfile> profiles;
    for (int p = between(random, 1, 5); p > 0; --p) {
      const double gaps = between(random, 0, 1) == 0 ? 0.05 : 0.4;
      profiles.emplace_back(test::random_profile(random, alphabet,
                                                 between(random, 1, trial % 2 == 0 ? 60 : 230),
                                                 {0.3F, gaps, 0.45, between(random, 0, 4) == 0 ? 0.05 : 0}));
    }
    SequenceBatch batch;
    for (int i = 0; i < 30; ++i) {
      const int length = i < 4 ? i : between(random, 1, 400);
      std::vector<std::uint8_t> sequence = test::random_sequence(random, alphabet, length);
      // One profile again and again: many rows are scaled.
      const Profile& planted = profiles[static_cast<std::size_t>(i) % profiles.size()].profile;
      for (int at = 0; i % 3 == 0 && at < length; at += planted.nodes)
        test::plant(planted, sequence, static_cast<std::size_t>(at), 1);
      batch.begin_sequence("s" + std::to_string(i), "", "");
      batch.append_residues(sequence);
      batch.add_origin({source, 77 + batch.residue_count() - sequence.size(), 1 << 20});
    }
    compare(device, profiles, batch, counts);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(counts.filtered, 500);
  EXPECT_GT(counts.bounds, 50);
  EXPECT_GT(counts.multihit, 50);
  EXPECT_GT(counts.msv_overflows, 50);
  EXPECT_GT(counts.filtered, counts.bounds + 50);
  EXPECT_GT(counts.overflows, 3);
  EXPECT_GT(counts.pairs, 500);
  EXPECT_GT(counts.used, 300);
  EXPECT_GT(counts.regions, 200);
  EXPECT_GT(counts.several, 20);
  EXPECT_GT(counts.scaled_often, 5);
}

// A model of one residue and sequences of hardly anything else: most rows are scaled.
struct Repetitive {
  Repetitive();

  std::deque<SearchProfile> profiles;
  SequenceBatch batch;
};

Repetitive::Repetitive() {
  Generator random(2);
  constexpr std::uint8_t kGlutamine = 13;
  for (const int nodes : {10, 40, 100}) {
    Profile profile = test::random_profile(random, AlphabetKind::Hmmer3Amino, nodes, {0.3F, 0.02, 0.3, 0});
    for (int k = 1; k <= nodes; ++k) {
      float* const match = &profile.match[static_cast<std::size_t>(20 * k)];
      for (int x = 0; x < 20; ++x) match[x] = x == kGlutamine ? 0.981F : 0.001F;
    }
    profiles.emplace_back(std::move(profile));
  }
  for (int i = 0; i < 24; ++i) {
    const int length = between(random, 50, 700);
    std::vector<std::uint8_t> sequence(static_cast<std::size_t>(length), kGlutamine);
    for (int others = between(random, 0, 40); others > 0; --others)
      sequence[static_cast<std::size_t>(between(random, 0, length - 1))] = 2;
    batch.begin_sequence("s" + std::to_string(i), "", "");
    batch.append_residues(sequence);
  }
}

TEST(PairDevice, TakesRepetitiveSequences) {
  const Repetitive repetitive;
  PairDevice device(open_device(), 1);
  Counts counts;
  compare(device, repetitive.profiles, repetitive.batch, counts);
  EXPECT_GT(counts.scaled_often, 20);
}

TEST(PairDevice, LeavesOutPairsWhoseScalesFindNoRoom) {
  const Repetitive repetitive;
  const std::vector<PairQuery> queries = queries_of(repetitive.profiles, repetitive.batch);
  // Scales behind the first 14 of each pair.
  std::size_t further = 0, scaled_often = 0;
  for (const SearchProfile& profile : repetitive.profiles) {
    for (std::size_t i = 0; i < repetitive.batch.size(); ++i) {
      const FlushToZero flush;
      SequenceTask task;
      task.sequence = repetitive.batch.residues(i);
      task.lengths = LengthModel::multihit(static_cast<std::int64_t>(task.sequence.size()));
      run_forward_plainly(profile.floats, task);
      const auto scales = static_cast<std::size_t>(
          std::ranges::count_if(task.forward, [](const SpecialRow& row) { return row.scale > 1; }));
      if (scales <= 14) continue;
      ++scaled_often;
      further += scales - 14;
    }
  }
  const auto told_by = [&](std::size_t room) {
    PairRooms rooms(open_device().info());
    rooms.scales = room;
    PairDevice device(open_device(), 1, rooms);
    device.load(repetitive.batch);
    return swept(device, queries);
  };
  const AllTold all = told_by(further);
  EXPECT_EQ(all.size(), queries.size() * repetitive.batch.size());
  for (const std::size_t room : {further - 1, std::size_t{0}}) {
    const AllTold told = told_by(room);
    EXPECT_EQ(told.size(), all.size() - (room == 0 ? scaled_often : 1));
    for (const auto& [pair, own] : told) {
      EXPECT_EQ(own.score, all.at(pair).score);
      EXPECT_EQ(own.regions.regions, all.at(pair).regions.regions);
    }
  }
}

// A short motif every some residues makes more regions than a launch has room for.
TEST(PairDevice, LeavesOutRegionsThatItHasNoRoomFor) {
  Generator random(6);
  constexpr std::uint8_t kMotif[] = {18, 4, 13, 6};
  std::deque<SearchProfile> profiles;
  Profile profile = test::random_profile(random, AlphabetKind::Hmmer3Amino, 4, {0.3F, 0.01, 0.3, 0});
  for (int k = 1; k <= 4; ++k) {
    float* const match = &profile.match[static_cast<std::size_t>(20 * k)];
    for (int x = 0; x < 20; ++x) match[x] = x == kMotif[k - 1] ? 0.981F : 0.001F;
  }
  profiles.emplace_back(std::move(profile));
  SequenceBatch batch;
  for (int i = 0; i < 12; ++i) {
    std::vector<std::uint8_t> sequence(600, 0);
    for (std::size_t at = 0; at + 4 <= sequence.size(); at += 16)
      std::ranges::copy(kMotif, sequence.begin() + static_cast<std::ptrdiff_t>(at));
    batch.begin_sequence("s" + std::to_string(i), "", "");
    batch.append_residues(sequence);
  }
  PairDevice device(open_device(), 1);
  device.load(batch);
  const std::vector<PairQuery> queries = queries_of(profiles, batch);
  const AllTold told = swept(device, queries);
  SequenceTask task;
  task.sequence = batch.residues(0);
  task.lengths = LengthModel::multihit(600);
  const FlushToZero flush;
  run_forward_plainly(profiles[0].floats, task);
  run_backward_plainly(profiles[0].floats, task);
  const std::optional<Regions> expected = find_regions(rows_of(task));
  ASSERT_TRUE(expected);
  int used = 0, left_out = 0;
  for (const auto& [pair, own] : told) {
    EXPECT_TRUE(!own.used || own.regions == *expected);
    used += own.used ? 1 : 0;
    left_out += own.passes && !own.used ? 1 : 0;
  }
  EXPECT_GT(used, 0);
  EXPECT_GT(left_out, 0);
}

TEST(PairDevice, LeavesOutWhatItHasNoRoomFor) {
  Generator random(3);
  std::deque<SearchProfile> profiles;
  for (const int nodes : {10, 500, 10}) {
    profiles.emplace_back(test::random_profile(random, AlphabetKind::Hmmer3Amino, nodes, {}));
  }
  profiles.back().floats.transitions()[0] = 1e-40F;  // below the smallest normal number
  SequenceBatch batch;
  for (const int length : {5, 100, 120, 200}) {
    batch.begin_sequence("s", "", "");
    batch.append_residues(test::random_sequence(random, AlphabetKind::Hmmer3Amino, length));
  }
  PairRooms rooms(open_device().info());
  rooms.sweep.largest = 20;
  rooms.sweep.rows = 150;
  rooms.sweep.cost = 100 * profiles[0].floats.steps();
  PairDevice device(open_device(), 1, rooms);
  device.load(batch);
  const AllTold told = swept(device, queries_of(profiles, batch));
  ASSERT_EQ(told.size(), 2U);
  EXPECT_TRUE(told.contains({0, 2}) && told.contains({0, 3}));
}

// A match state that B cannot enter; and a model that the kernel may be wrong for, which is left out.
TEST(PairDevice, ScoresOddModelsOfViterbi) {
  Generator random(7);
  std::deque<SearchProfile> profiles;
  for (int p = 0; p < 3; ++p)
    profiles.emplace_back(test::random_profile(random, AlphabetKind::Hmmer3Amino, 30, {}));
  profiles[1].filters.words.steps[kIntoFromBegin][12] = WordModel::kImpossible;
  profiles[2].filters.words.steps[kMatchToInsert][3] = 1;
  SequenceBatch batch;
  for (int i = 0; i < 40; ++i) {
    batch.begin_sequence("s", "", "");
    batch.append_residues(test::random_sequence(random, AlphabetKind::Hmmer3Amino, 1 + 3 * i));
  }
  const std::vector<PairQuery> queries = queries_of(profiles, batch);
  PairDevice device(open_device(), 1);
  device.load(batch);
  std::atomic<int> told = 0;
  device.viterbi(queries, [&](std::size_t q, std::size_t n, float score, bool is_exact) {
    const float expected = viterbi_score(profiles[q].filters.words, batch.residues(queries[q].sequences[n]));
    EXPECT_NE(q, 2U);
    EXPECT_TRUE(is_exact ? score == expected : score <= expected) << q << ' ' << n;
    told += is_exact ? 1 : 0;
    return false;
  });
  EXPECT_EQ(told, 80);
  for (const std::size_t q : {0U, 1U, 2U})
    EXPECT_EQ(viterbi_never_gains(profiles[q].filters.words), q != 2) << q;
}

}  // namespace
}  // namespace gpuhmm::hmmer3
