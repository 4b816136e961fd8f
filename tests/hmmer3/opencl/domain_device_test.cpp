// The domain stage on PoCL gives the bits of the plain references: random models, sequences and work-groups.
#include "hmmer3/opencl/domain_device.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "gpuhmm/device.hpp"
#include "hmmer3/arithmetic.hpp"
#include "hmmer3/domain_texts.hpp"
#include "hmmer3/envelope_cases.hpp"
#include "hmmer3/opencl/pair_device.hpp"
#include "hmmer3/random_profiles.hpp"

namespace gpuhmm::hmmer3 {
namespace {

using test::between;
using test::Generator;
using test::Sequence;

const OpenDevice& open_device() {
  static const std::vector<DeviceInfo> devices = list_devices();
  static const OpenDevice opened(devices.at(0));
  return opened;
}

const std::string& build_options() {
  static const PairDevice device(open_device(), 1);
  return device.build_options();
}

// Profiles, and envelopes of each as the reference scores them.
struct Case {
  std::deque<SearchProfile> profiles;
  std::deque<std::vector<Sequence>> sequences;
  std::vector<std::vector<EnvelopeTask>> plain;

  void add(Generator& random, test::ProfileCase&& made) {
    const SearchProfile& added = profiles.emplace_back(std::move(made.profile));
    const Alphabet& alphabet = Alphabet::get(added.profile.alphabet);
    plain.push_back(
        test::plain_tasks(added.floats, alphabet, sequences.emplace_back(std::move(made.sequences)), random));
  }
};

struct Counts {
  int scored = 0, left = 0, columns = 0;
};

void compare(DomainDevice& device, const Case& given, Counts& counts) {
  std::vector<std::vector<EnvelopeTask>> tasks;
  for (const auto& of_profile : given.plain) tasks.push_back(test::unscored(of_profile));
  std::vector<EnvelopeQuery> queries;
  for (std::size_t q = 0; q < tasks.size(); ++q) {
    EnvelopeQuery& query = queries.emplace_back(&given.profiles[q], std::vector<EnvelopeTask*>());
    for (EnvelopeTask& task : tasks[q]) query.envelopes.push_back(&task);
  }
  device.score(queries);
  for (std::size_t q = 0; q < tasks.size(); ++q) {
    for (std::size_t e = 0; e < tasks[q].size(); ++e) {
      const EnvelopeTask& task = tasks[q][e];
      ++(task.scored ? counts.scored : counts.left);
      if (!task.scored) continue;
      ASSERT_EQ(test::text(given.plain[q][e]), test::text(task))
          << given.profiles[q].profile.nodes << " nodes, envelope " << e << ", " << task.sequence.size()
          << " residues";
      counts.columns += static_cast<int>(task.alignment.columns.size());
    }
  }
}

TEST(DomainDevice, ScoresEnvelopesAsThePlainReference) {
  const FlushToZero flush;
  Generator random(1);
  Counts counts;
  for (int trial = 0; trial < 12; ++trial) {
    DomainRooms rooms(open_device().info());
    if (trial % 3 == 1) rooms.envelopes.sequences = static_cast<std::size_t>(1) << between(random, 0, 3);
    if (trial % 3 == 1) rooms.shapes = {{4, 1, 1}, {8, 2, 1}, {8, 4}, {8, 8}};
    if (trial % 3 == 2) rooms.envelopes.cells = 20'000;
    DomainDevice device(open_device(), build_options(), 2, rooms);
    Case given;
    const AlphabetKind alphabet = trial % 4 == 3 ? AlphabetKind::Hmmer3Dna : AlphabetKind::Hmmer3Amino;
    for (int p = between(random, 1, 6); p > 0; --p) {
      Profile profile = test::random_profile(random, alphabet, between(random, 1, trial % 2 == 0 ? 60 : 230),
                                             test::random_style(random));
      std::vector<Sequence> sequences;
      for (int count = between(random, 1, 25); count > 0; --count) {
        const int length = between(random, 1, between(random, 0, 2) == 0 ? 9 : 2 * profile.nodes + 20);
        sequences.push_back(between(random, 0, 3) == 0 ? test::random_sequence(random, alphabet, length)
                                                       : test::homologue(random, profile, length));
      }
      given.add(random, {std::move(profile), std::move(sequences)});
    }
    compare(device, given, counts);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(counts.scored, 300);
  EXPECT_GT(counts.columns, 2000);
  EXPECT_LT(counts.left, counts.scored / 20);
}

TEST(DomainDevice, BreaksTiesAsThePlainReference) {
  const FlushToZero flush;
  Generator random(2);
  Counts counts;
  DomainDevice device(open_device(), build_options(), 1);
  Case given;
  for (const int nodes : {1, 4, 5, 9, 16, 30, 111}) given.add(random, test::equal_nodes(random, nodes));
  for (int trial = 0; trial < 120; ++trial)
    given.add(random, test::parted_profile(random, trial % 2 == 0 ? 24 : 40));
  compare(device, given, counts);
  EXPECT_GT(counts.scored, 200);
}

// Many rows are scaled.
TEST(DomainDevice, LeavesOutWhatItCannotScore) {
  const FlushToZero flush;
  Generator random(3);
  Counts counts;
  DomainRooms rooms(open_device().info());
  rooms.envelopes.cost = 300 * 20;
  DomainDevice device(open_device(), build_options(), 1, rooms);
  Case given;
  for (int trial = 0; trial < 12; ++trial) given.add(random, test::repeats(random));
  compare(device, given, counts);
  EXPECT_GT(counts.scored, 10);
  EXPECT_GT(counts.left, 20);
}

struct PlainRegion {
  RegionTask task;
  TracebackEnsemble ensemble;
};

// The regions that HMMER3 does not end with an exception for, sampled plainly.
std::vector<PlainRegion> plain_regions(const SearchProfile& profile, const std::vector<Sequence>& sequences,
                                       std::uint32_t seed) {
  std::vector<PlainRegion> regions;
  for (const Sequence& sequence : sequences) {
    SequenceTask task;
    task.sequence = sequence;
    task.lengths = LengthModel::multihit(static_cast<std::int64_t>(sequence.size()) + 30);
    StripedMatrix cells;
    task.forward_cells = &cells;
    try {
      run_forward_plainly(profile.floats, task);
    } catch (const ImpossibleComparison&) {
      continue;
    }
    const Alphabet& alphabet = Alphabet::get(profile.profile.alphabet);
    regions.push_back(
        {{sequence, task.lengths, {}}, sample_tracebacks_plainly(profile.floats, alphabet, task, seed)});
  }
  return regions;
}

// A sum for each residue is in local memory.
TEST(RegionPairs, LeaveOutRegionsThatAreTooLong) {
  Generator random(5);
  const SearchProfile profile(
      test::random_profile(random, AlphabetKind::Hmmer3Amino, 10, test::random_style(random)));
  const Sequence longest(4096, 1), longer(4097, 1);
  RegionTask tasks[] = {{longer, {}, {}}, {longest, {}, {}}};
  const RegionQuery query{&profile, {&tasks[0], &tasks[1]}};
  EXPECT_EQ(region_pairs({&query, 1}).tasks, std::vector<RegionTask*>{&tasks[1]});
}

TEST(DomainDevice, SamplesTracebacksAsThePlainReference) {
  const FlushToZero flush;
  Generator random(4);
  std::size_t segments = 0, sampled = 0, left = 0;
  for (int trial = 0; trial < 8; ++trial) {
    DomainRooms rooms(open_device().info());
    if (trial % 2 == 1) rooms.regions.cells = 20'000;
    DomainDevice device(open_device(), build_options(), 2, rooms);
    const AlphabetKind alphabet = trial % 4 == 3 ? AlphabetKind::Hmmer3Dna : AlphabetKind::Hmmer3Amino;
    const auto seed = static_cast<std::uint32_t>(between(random, 1, 1000));
    std::deque<SearchProfile> profiles;
    std::deque<std::vector<Sequence>> sequences;
    std::deque<std::vector<PlainRegion>> plain;
    std::vector<RegionQuery> queries;
    for (int p = between(random, 2, 5); p > 0; --p) {
      const double gaps[] = {0, 0.02, 0.2};
      const SearchProfile& profile = profiles.emplace_back(test::random_profile(
          random, alphabet, between(random, 1, 140), {0.2F, gaps[between(random, 0, 2)], 0.4, 0}));
      std::vector<Sequence>& of_profile = sequences.emplace_back();
      for (int count = between(random, 1, 6); count > 0; --count) {
        const int length = between(random, 1, 2 * profile.profile.nodes + 150);
        Sequence& sequence = of_profile.emplace_back(
            test::random_sequence(random, alphabet, length, between(random, 0, 4) == 0 ? 0.05 : 0));
        for (int plants = between(random, 0, 3); plants > 0; --plants)
          test::plant(profile.profile, sequence, static_cast<std::size_t>(between(random, 0, length - 1)),
                      between(random, 1, profile.profile.nodes));
      }
      RegionQuery& query = queries.emplace_back(&profile, std::vector<RegionTask*>());
      for (PlainRegion& region : plain.emplace_back(plain_regions(profile, of_profile, seed)))
        query.regions.push_back(&region.task);
    }
    device.sample(queries, seed);
    for (const auto& of_profile : plain) {
      for (const PlainRegion& region : of_profile) {
        ++(region.task.ensemble ? sampled : left);
        if (!region.task.ensemble) continue;
        ASSERT_EQ(test::text(region.ensemble), test::text(*region.task.ensemble)) << trial;
        segments += region.ensemble.segments.size();
      }
    }
  }
  EXPECT_GT(segments, 10'000U);
  EXPECT_GT(sampled, 40U);
  EXPECT_LT(left, sampled);
}

}  // namespace
}  // namespace gpuhmm::hmmer3
