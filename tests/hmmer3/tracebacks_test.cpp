// Sampled tracebacks with tables give what the plain reference gives, bit for bit: random profiles and
// sequences.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hmmer3/arithmetic.hpp"
#include "hmmer3/random_profiles.hpp"
#include "hmmer3/traceback_ensemble.hpp"

namespace gpuhmm::hmmer3 {
namespace {

using test::between;
using test::Generator;
using Sequence = std::vector<std::uint8_t>;

SequenceTask task_of(const Sequence& sequence) {
  SequenceTask task;
  task.sequence = sequence;
  task.lengths = LengthModel::multihit(static_cast<std::int64_t>(sequence.size()) + 30);
  return task;
}

// A sequence that HMMER3 has an answer for, and what the reference gives.
struct Plain {
  Sequence sequence;
  TracebackEnsemble ensemble;
};

std::string text(const TracebackEnsemble& ensemble) {
  std::string all;
  for (const SampledSegment& s : ensemble.segments) {
    for (const auto number : {static_cast<std::size_t>(s.traceback), s.from, s.to,
                              static_cast<std::size_t>(s.model_from), static_cast<std::size_t>(s.model_to)}) {
      all += std::to_string(number) + " ";
    }
  }
  for (const float x : ensemble.null2) all += std::to_string(std::bit_cast<std::uint32_t>(x)) + " ";
  return all;
}

// Compares some sequences; gives the number of segments.
std::size_t compare(const Profile& profile, const std::vector<Sequence>& sequences, std::uint32_t seed) {
  const FlushToZero flush;
  const FloatModel model((LogOdds(profile)));
  const Alphabet& alphabet = Alphabet::get(profile.alphabet);
  std::vector<Plain> plain;
  for (const Sequence& sequence : sequences) {
    SequenceTask task = task_of(sequence);
    StripedMatrix cells;
    task.forward_cells = &cells;
    try {
      run_forward_plainly(model, task);
    } catch (const ImpossibleComparison&) {
      continue;
    }
    plain.push_back({sequence, sample_tracebacks_plainly(model, alphabet, task, seed)});
  }
  std::vector<SequenceTask> tasks;
  for (const Plain& of : plain) tasks.push_back(task_of(of.sequence));
  std::vector<SequenceTask*> pointers;
  std::size_t longest = 0;
  for (SequenceTask& task : tasks) {
    pointers.push_back(&task);
    longest = std::max(longest, task.sequence.size());
  }
  // Each alone, two, or as many as go side by side.
  const std::size_t limits[] = {1, SharedRows::bytes(longest, model.steps(), 2 * kStripes, true),
                                SharedRows::kMostShared};
  const std::size_t most_shared = limits[seed % 3];
  SharedRows rows;
  TracebackSampler sampler(model, alphabet);
  std::size_t segments = 0;
  for (std::size_t done = 0; done < tasks.size();) {
    const std::size_t count =
        run_forward_keeping(model, std::span(pointers).subspan(done), rows, most_shared);
    for (std::size_t g = 0; g < count; ++g, ++done) {
      const TracebackEnsemble ensemble = sampler.sample({tasks[done], rows, g}, seed);
      EXPECT_EQ(text(ensemble), text(plain[done].ensemble));
      segments += ensemble.segments.size();
    }
  }
  return segments;
}

TEST(Tracebacks, AreThePlainOnes) {
  Generator random(1);
  std::size_t segments = 0;
  for (const int nodes : {1, 2, 3, 5, 8, 9, 13, 20, 33, 50, 77, 100, 101, 140, 222}) {
    for (const auto alphabet : {AlphabetKind::Hmmer3Amino, AlphabetKind::Hmmer3Dna}) {
      const double gaps[] = {0, 0.02, 0.2};
      const Profile profile =
          test::random_profile(random, alphabet, nodes, {0.2F, gaps[between(random, 0, 2)], 0.4, 0});
      std::vector<Sequence> sequences;
      for (int count = between(random, 1, 6); count > 0; --count) {
        const int length = between(random, 1, 2 * nodes + 30);
        sequences.push_back(test::random_sequence(random, alphabet, length, between(random, 0, 1) * 0.05));
        for (int plants = between(random, 0, 3); plants > 0; --plants) {
          test::plant(profile, sequences.back(), static_cast<std::size_t>(between(random, 0, length - 1)),
                      between(random, 1, nodes));
        }
      }
      SCOPED_TRACE(std::to_string(nodes) + " nodes");
      segments += compare(profile, sequences, static_cast<std::uint32_t>(between(random, 1, 1000)));
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(segments, 20000U);
}

// As many sequences share rows as there is room for.
TEST(Tracebacks, FewerSequencesShareLargeRows) {
  const FlushToZero flush;
  Generator random(3);
  const Profile profile = test::random_profile(random, AlphabetKind::Hmmer3Amino, 40, {0.1F, 0.02, 0.4, 0});
  const FloatModel model((LogOdds(profile)));
  const Sequence sequence = test::random_sequence(random, profile.alphabet, 100);
  std::vector<SequenceTask> tasks(4, task_of(sequence));
  std::vector<SequenceTask*> pointers;
  for (SequenceTask& task : tasks) pointers.push_back(&task);
  SharedRows rows;
  const auto sharing = [&](std::size_t most) { return run_forward_keeping(model, pointers, rows, most); };
  const auto bytes = [&] { return SharedRows::bytes(sequence.size(), model.steps(), rows.width(), true); };
  for (std::size_t count = sharing(SharedRows::kMostShared); count > 1;) {
    const std::size_t enough = bytes();
    EXPECT_EQ(sharing(enough), count);
    count = (count + 1) / 2;
    ASSERT_EQ(sharing(enough - 1), count);
    EXPECT_LT(bytes(), enough);
  }
  EXPECT_EQ(sharing(1), 1U);
}

// A sequence that runs through the profile several times.
TEST(Tracebacks, Repeats) {
  Generator random(2);
  const Profile profile = test::random_profile(random, AlphabetKind::Hmmer3Amino, 40, {0.1F, 0.02, 0.4, 0});
  Sequence sequence = test::random_sequence(random, profile.alphabet, 260);
  for (const std::size_t at : {10, 60, 105, 150, 220}) test::plant(profile, sequence, at, 1);
  EXPECT_GT(compare(profile, {sequence}, 42), 600U);
}

}  // namespace
}  // namespace gpuhmm::hmmer3
