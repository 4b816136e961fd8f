// The filters in vectors give what the plain filters give: random profiles and sequences of all sizes.
#include "hmmer3/fast_filters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "hmmer3/arithmetic.hpp"
#include "hmmer3/random_profiles.hpp"

namespace gpuhmm::hmmer3 {
namespace {

using test::between;
using test::Generator;
using test::ProfileStyle;
using Sequence = std::vector<std::uint8_t>;

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

// How often each way through the filters was taken.
struct Counts {
  int ssv = 0, ssv_overflow = 0, needs_msv = 0, msv_overflow = 0, several = 0, viterbi_overflow = 0;
};

// The costs of SSV and MSV as a pressed file has them, at an odd address.
class PressedCosts {
 public:
  explicit PressedCosts(const ByteModel& model) {
    const Stripes stripes(model.nodes, StripedBytes::kLanes, 2);
    const std::size_t codes = model.costs.size() / static_cast<std::size_t>(model.nodes + 1);
    ssv_.push_back(0);
    msv_.push_back(0);
    for (std::size_t code = 0; code < codes; ++code) {
      const auto add_vectors = [&](std::size_t count, auto& to, int forbidden, const auto& cost) {
        for (std::size_t place = 0; place < count * stripes.lanes; ++place) {
          const int k = stripes.node_at(place / stripes.lanes % stripes.vectors, place % stripes.lanes);
          to.push_back(
              static_cast<std::decay_t<decltype(to.front())>>(k <= model.nodes ? cost(k) : forbidden));
        }
      };
      add_vectors(stripes.vectors + StripedBytes::kRepeated, ssv_, 127,
                  [&](int k) { return model.ssv_cost(code, k); });
      add_vectors(stripes.vectors, msv_, 255, [&](int k) { return model.cost(code, k); });
    }
    striped_.emplace(model, codes, ssv_.data() + 1, msv_.data() + 1);
  }
  const StripedBytes& striped() const { return *striped_; }

 private:
  std::vector<std::int8_t> ssv_;
  std::vector<std::uint8_t> msv_;
  std::optional<StripedBytes> striped_;
};

void compare_pressed(const ByteModel& bytes, const Sequence& sequence) {
  const PressedCosts pressed(bytes);
  const StripedBytes& striped = pressed.striped();
  ASSERT_EQ(striped.by_node().costs, bytes.costs);
  if (ssv_applies(bytes, static_cast<std::int64_t>(sequence.size()))) {
    const SsvMaximum ssv = ssv_maximum(bytes, sequence), fast = fast_ssv_maximum(striped, sequence);
    ASSERT_EQ(fast.overflows, ssv.overflows);
    if (!ssv.overflows) {
      ASSERT_EQ(fast.value, ssv.value);
    }
  }
  const FirstStage msv = msv_result(bytes, sequence), fast = fast_msv_result(striped, sequence);
  ASSERT_EQ(static_cast<int>(fast.result), static_cast<int>(msv.result));
  ASSERT_EQ(fast.level, msv.level);
  ASSERT_EQ(bits(fast_msv_score(striped, sequence)), bits(msv_score(bytes, sequence)));
}

void compare(const FilterProfile& filters, const Sequence& sequence, Counts& counts) {
  if (sequence.size() < 2000) compare_pressed(filters.bytes, sequence);
  const auto length = static_cast<std::int64_t>(sequence.size());
  const SsvMaximum ssv = ssv_maximum(filters.bytes, sequence);
  if (ssv_applies(filters.bytes, length)) {
    const SsvMaximum fast = fast_ssv_maximum(filters, sequence);
    ASSERT_EQ(fast.overflows, ssv.overflows);
    if (!ssv.overflows) {
      ASSERT_EQ(fast.value, ssv.value);
    }
    ++(ssv.overflows ? counts.ssv_overflow : counts.ssv);
  } else {
    ++counts.needs_msv;
  }
  const FirstStage msv = msv_result(filters.bytes, sequence), fast_msv = fast_msv_result(filters, sequence);
  ASSERT_EQ(static_cast<int>(fast_msv.result), static_cast<int>(msv.result));
  ASSERT_EQ(fast_msv.level, msv.level);
  if (msv.result == ByteResult::Overflow) ++counts.msv_overflow;
  if (msv.level > ByteModel::kBase) ++counts.several;
  ASSERT_EQ(bits(fast_msv_score(filters, sequence)), bits(msv_score(filters.bytes, sequence)));
  const float viterbi = viterbi_score(filters.words, sequence);
  ASSERT_EQ(bits(fast_viterbi_score(filters, sequence)), bits(viterbi)) << viterbi;
  if (viterbi > 1e30F) ++counts.viterbi_overflow;
}

ProfileStyle random_style(Generator& random) {
  const float peaks[] = {0.05F, 0.3F, 1, 10};
  const double gaps[] = {0, 0.01, 0.1, 0.4}, extends[] = {0.1, 0.4, 0.5}, zeros[] = {0, 0, 0.05};
  return {peaks[between(random, 0, 3)], gaps[between(random, 0, 3)], extends[between(random, 0, 2)],
          zeros[between(random, 0, 2)]};
}

Sequence sequence_for(Generator& random, const Profile& profile, int length) {
  Sequence sequence =
      test::random_sequence(random, profile.alphabet, length, between(random, 0, 9) == 0 ? 1 : 0.02);
  if (length == 0) return sequence;
  for (int plants = between(random, 0, 3); plants > 0; --plants) {
    test::plant(profile, sequence, static_cast<std::size_t>(between(random, 0, length - 1)),
                between(random, 1, profile.nodes));
  }
  return sequence;
}

TEST(FastFilters, AreThePlainOnes) {
  Generator random(1);
  Counts counts;
  const FlushToZero flush;
  const int sizes[] = {1,   2,   3,   15,  16,  17,  31,  32,  33,  47,  63,   64,
                       65,  95,  97,  100, 127, 128, 129, 199, 255, 257, 350,  383,
                       385, 416, 417, 449, 511, 513, 600, 831, 833, 900, 1201, 2800};
  for (const int nodes : sizes) {
    for (const auto alphabet : {AlphabetKind::Hmmer3Amino, AlphabetKind::Hmmer3Dna}) {
      const Profile profile = test::random_profile(random, alphabet, nodes, random_style(random));
      const FilterProfile filters(profile);
      for (const int longest : {0, 1, 2, 30, 30, 100, 300, nodes > 1000 ? 300 : 1000}) {
        SCOPED_TRACE(std::to_string(nodes) + " nodes, at most " + std::to_string(longest) + " residues");
        compare(filters, sequence_for(random, profile, between(random, longest / 2, longest)), counts);
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GT(counts.ssv, 100);
  EXPECT_GT(counts.ssv_overflow, 20);
  EXPECT_GT(counts.msv_overflow, 20);
  EXPECT_GT(counts.several, 5);
  EXPECT_GT(counts.viterbi_overflow, 5);
}

TEST(FastFilters, ShortProfilesAndManySequences) {
  Generator random(2);
  Counts counts;
  const FlushToZero flush;
  for (int trial = 0; trial < 200; ++trial) {
    const Profile profile = test::random_profile(random, AlphabetKind::Hmmer3Amino, between(random, 1, 150),
                                                 random_style(random));
    const FilterProfile filters(profile);
    for (int i = 0; i < 5; ++i) {
      compare(filters, sequence_for(random, profile, between(random, 0, 250)), counts);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(counts.several, 5);
}

TEST(FastFilters, LongSequences) {
  Generator random(3);
  Counts counts;
  const FlushToZero flush;
  for (const int nodes : {1, 40, 90}) {
    const Profile profile = test::random_profile(random, AlphabetKind::Hmmer3Amino, nodes, {});
    const FilterProfile filters(profile);
    for (const int length : {60001, 100000}) {
      compare(filters, test::random_sequence(random, profile.alphabet, length), counts);
      if (HasFatalFailure()) return;
    }
  }
  const Profile large = test::random_profile(random, AlphabetKind::Hmmer3Amino, 2800, {});
  compare(FilterProfile(large), test::random_sequence(random, large.alphabet, 100000), counts);
  EXPECT_GT(counts.needs_msv, 0);
}

// The best diagonal anywhere, at both ends and where the parts of a long sequence meet.
TEST(FastFilters, SmallProfilesAtEveryPlace) {
  Generator random(6);
  const FlushToZero flush;
  int compared = 0, overflows = 0;
  for (const int nodes : {1, 2, 7, 12, 13, 31, 32, 33, 47, 48, 49}) {
    const Profile profile =
        test::random_profile(random, AlphabetKind::Hmmer3Amino, nodes, {nodes < 12 ? 0.1F : 12});
    const FilterProfile filters(profile);
    for (const int length : {1, 31, 32, 33, 64, 150, 470, 520, 977, 1024, 1070, 2100}) {
      const Sequence background = test::random_sequence(random, profile.alphabet, length);
      for (int at = -nodes + 1; at < length; at += length < 200 ? 1 : between(random, 1, 17)) {
        Sequence sequence = background;
        test::plant(profile, sequence, static_cast<std::size_t>(std::max(at, 0)), 1 + std::max(-at, 0));
        const SsvMaximum ssv = ssv_maximum(filters.bytes, sequence),
                         fast = fast_ssv_maximum(filters, sequence);
        ASSERT_EQ(fast.overflows, ssv.overflows) << nodes << ' ' << length << ' ' << at;
        ASSERT_EQ(fast.value, ssv.value) << nodes << ' ' << length << ' ' << at;
        ++compared;
        overflows += ssv.overflows ? 1 : 0;
      }
    }
  }
  EXPECT_LT(overflows, compared / 4);
}

// Probabilities above 1, as a damaged file may have them.
TEST(FastFilters, OddProbabilities) {
  Generator random(4);
  Counts counts;
  const FlushToZero flush;
  for (const float factor : {3.0F, 50.0F, 1e12F, 1e30F}) {
    Profile profile = test::random_profile(random, AlphabetKind::Hmmer3Amino, 70, {});
    for (auto& node : profile.transition) node[kDD] = node[kDD] * factor;
    const FilterProfile deletions(profile);
    for (int i = 0; i < 10; ++i) compare(deletions, sequence_for(random, profile, 120), counts);
    for (float& p : profile.match) p = p * factor;
    const FilterProfile emissions(profile);
    for (int i = 0; i < 10; ++i) compare(emissions, sequence_for(random, profile, 120), counts);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(counts.needs_msv, 0);
}

TEST(FastFilters, BiasScores) {
  Generator random(5);
  const FlushToZero flush;
  for (int trial = 0; trial < 40; ++trial) {
    const auto alphabet = trial % 2 == 0 ? AlphabetKind::Hmmer3Amino : AlphabetKind::Hmmer3Rna;
    Profile profile = test::random_profile(random, alphabet, between(random, 1, 500), {});
    if (trial % 5 == 0) profile.composition.reset();
    if (trial % 5 == 1) (*profile.composition)[1] = 1e-30F;
    const BiasModel model(profile);
    std::vector<Sequence> sequences;
    for (int i = between(random, 0, 30); i > 0; --i) {
      const int length = between(random, 0, 9) == 0 ? between(random, 0, 3) : between(random, 0, 600);
      sequences.push_back(test::random_sequence(random, alphabet, length, trial % 3 == 0 ? 1 : 0.01));
    }
    if (trial == 7) sequences.push_back(test::random_sequence(random, alphabet, 100000));
    const std::vector<Residues> residues(sequences.begin(), sequences.end());
    std::vector<float> scores(sequences.size());
    fast_bias_scores(model, residues, scores);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const NullModel null(static_cast<std::int64_t>(sequences[i].size()));
      ASSERT_EQ(bits(scores[i]), bits(bias_score(model, sequences[i], null))) << sequences[i].size();
    }
  }
}

}  // namespace
}  // namespace gpuhmm::hmmer3
