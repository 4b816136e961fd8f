// The bias filter and Viterbi behind it, without the host, on PoCL give the bits of the plain references.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

#include "gpuhmm/device.hpp"
#include "hmmer3/arithmetic.hpp"
#include "hmmer3/filters.hpp"
#include "hmmer3/null_model.hpp"
#include "hmmer3/opencl/pair_device.hpp"
#include "hmmer3/random_profiles.hpp"

namespace gpuhmm::hmmer3 {
namespace {

using test::between, test::Generator;
using Key = std::pair<std::size_t, std::size_t>;  // query, sequence

const OpenDevice& open_device() {
  static const std::vector<DeviceInfo> devices = list_devices();
  static const OpenDevice opened(devices.at(0));
  return opened;
}

// What the plain references give a pair, and when it asks for a Viterbi score.
struct Pair {
  float bias = 0, viterbi = 0;
  ViterbiLimits limits = {};
  bool needs_viterbi() const { return bias >= limits.least && bias <= limits.most; }
};

// What a device gave it.
struct Given {
  int biased = 0, bounds = 0, exact = 0;
  float bound = 0;
};

class BiasAndViterbi : public ::testing::Test {
 protected:
  // Every fourth pair asks for all Viterbi scores, others for none, or with a limit on either side.
  void fill(int profiles, int nodes, int sequences, int residues) {
    for (int p = 0; p < profiles; ++p) {
      profiles_.emplace_back(test::random_profile(random_, AlphabetKind::Hmmer3Amino,
                                                  between(random_, nodes / 2, nodes), {0.3F, 0.1, 0.45, 0}));
    }
    for (int i = 0; i < sequences; ++i) {
      std::vector<std::uint8_t> sequence =
          test::random_sequence(random_, AlphabetKind::Hmmer3Amino, between(random_, 1, residues));
      const Profile& planted = profiles_[static_cast<std::size_t>(i) % profiles_.size()].profile;
      if (i % 3 == 0) test::plant(planted, sequence, 0, 1);
      batch_.begin_sequence("", "", "");
      batch_.append_residues(sequence);
    }
    std::vector<std::uint32_t> order(batch_.size());
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    std::ranges::stable_sort(order, std::ranges::greater(), [&](auto i) { return batch_.length(i); });
    const FlushToZero flush;
    for (std::size_t q = 0; q < profiles_.size(); ++q) {
      queries_.push_back({&profiles_[q], order});
      for (std::size_t n = 0; n < order.size(); ++n) {
        const Residues sequence = batch_.residues(order[n]);
        const FilterProfile& filters = profiles_[q].filters;
        const NullModel null(static_cast<std::int64_t>(sequence.size()));
        Pair pair{bias_score(filters.bias, sequence, null), viterbi_score(filters.words, sequence)};
        constexpr float kNear = 0.05F, kFar = 1e6F;  // rounding does not decide
        const float low = between(random_, 0, 1) == 0 ? pair.bias - kNear : pair.bias + kNear;
        const float high = between(random_, 0, 3) == 0 ? low - 1 : kFar;
        if (between(random_, 0, 3) == 0)
          pair.limits = {-kFar, kFar};
        else
          pair.limits = between(random_, 0, 1) == 0 ? ViterbiLimits{low, high} : ViterbiLimits{-kFar, low};
        pairs_[{q, n}] = pair;
      }
    }
  }

  // Pairs of whose scores a device with these rooms has told; bounds of every third one pass.
  std::map<Key, Given> run(const PairRooms& rooms) {
    return run(rooms, [](const Key& key, float) { return (key.first + key.second) % 3 == 0; });
  }
  std::map<Key, Given> run(const PairRooms& rooms,
                           const std::function<bool(const Key& key, float score)>& passes) {
    PairDevice device(open_device(), 2, rooms);
    device.load(batch_);
    std::map<Key, Given> given;
    std::mutex mutex;
    device.bias(queries_, {[&](std::size_t q, std::size_t n, float score) {
                             const std::lock_guard lock(mutex);
                             EXPECT_EQ(score, pairs_.at({q, n}).bias) << q << ' ' << n;
                             ++given[{q, n}].biased;
                           },
                           [&](std::size_t q, std::size_t n) {
                             return pairs_.at({q, n}).limits;
                           },
                           [&](std::size_t q, std::size_t n, float score, bool is_exact) {
                             const std::lock_guard lock(mutex);
                             const float expected = pairs_.at({q, n}).viterbi;
                             Given& own = given[{q, n}];
                             EXPECT_EQ(own.biased, 1);
                             EXPECT_EQ(own.exact, 0);
                             ++(is_exact ? own.exact : own.bounds);
                             if (is_exact)
                               EXPECT_EQ(score, expected) << q << ' ' << n;
                             else
                               EXPECT_LE(own.bound = score, expected) << q << ' ' << n;
                             return passes({q, n}, score);
                           }});
    return given;
  }

  // Has two of three pairs ask for Viterbi scores that pass so far above the bias score.
  void ask(float above_bias) {
    constexpr float kFar = 1e6F;
    for (auto& [key, pair] : pairs_)
      pair.limits =
          (key.first + key.second) % 3 == 0 ? ViterbiLimits() : ViterbiLimits{-kFar, kFar, above_bias};
  }

  // Tells how many pairs needed Viterbi scores.
  int check(const std::map<Key, Given>& given, const PairRooms& rooms, std::size_t largest = kNoRoom) const {
    int needed = 0;
    for (const auto& [key, pair] : pairs_) {
      const auto& [q, n] = key;
      const auto nodes = static_cast<std::size_t>(profiles_[q].profile.nodes);
      const bool has_room =
          nodes <= largest && nodes * batch_.length(queries_[q].sequences[n]) <= rooms.viterbi.cost;
      const auto own = given.find(key);
      EXPECT_TRUE(own != given.end() && own->second.biased == 1) << q << ' ' << n;
      if (own == given.end()) continue;
      const Given& got = own->second;
      const bool wanted = pair.needs_viterbi() && has_room;
      needed += wanted ? 1 : 0;
      EXPECT_EQ(got.exact + got.bounds > 0, wanted) << q << ' ' << n << ' ' << pair.bias;
      // An exact score follows a bound that does not pass.
      EXPECT_TRUE(!wanted || got.exact == 1 || (q + n) % 3 == 0) << q << ' ' << n;
      EXPECT_LE(got.bounds, 1);
    }
    return needed;
  }

  Generator random_{7};
  std::deque<SearchProfile> profiles_;
  SequenceBatch batch_;
  std::vector<PairQuery> queries_;
  std::map<Key, Pair> pairs_;
};

TEST_F(BiasAndViterbi, GivesViterbiScoresToPairsThatNeedThem) {
  fill(4, 60, 150, 120);
  for (const std::size_t sequences : {1U, 4U, 32U}) {
    for (const std::size_t rows : {std::size_t{2000}, std::size_t{1} << 24}) {
      PairRooms rooms(open_device().info());
      rooms.bias.sequences = sequences;
      rooms.bias.rows = rows;
      rooms.filter_rows = 0;
      const int needed = check(run(rooms), rooms);
      EXPECT_GT(needed, 150);
      EXPECT_LT(needed, 450);
    }
  }
}

// More than a segment of a model.
TEST_F(BiasAndViterbi, ChoosesAmongManyPairsOfAModel) {
  fill(2, 6, 9000, 12);
  const PairRooms rooms(open_device().info());
  EXPECT_GT(check(run(rooms), rooms), 8000);
}

TEST_F(BiasAndViterbi, LeavesPairsWithoutRoomToTheCaller) {
  fill(6, 60, 100, 120);
  PairRooms rooms(open_device().info());
  rooms.viterbi.cost = 3000;
  rooms.viterbi.largest = 45;
  const int needed = check(run(rooms), rooms, 45);
  EXPECT_GT(needed, 50);
  const PairRooms all(open_device().info());
  EXPECT_GT(check(run(all), all), needed + 50);
}

// Where the device's limit is the caller's, no bound comes back that does not pass, and bounds that pass
// stay.
TEST_F(BiasAndViterbi, ComputesExactScoresOfPairsThatDoNotPassByABound) {
  fill(4, 60, 400, 300);
  PairRooms rooms(open_device().info());
  rooms.viterbi_bytes = 1;  // a work-group takes all groups
  constexpr float kNear = 0.05F;
  int passing = 0, failing = 0;  // pairs that had a bound with another limit, by whether it passes this one
  const auto never = [](const Key&, float) { return false; };
  ask(-1e6F);
  const std::map<Key, Given> all = run(rooms, never);
  check(all, rooms);
  for (const float above : {-5.0F, 0.0F, 5.0F, 20.0F}) {
    ask(above);
    const std::map<Key, Given> given = run(rooms, never);
    check(given, rooms);
    for (const auto& [key, own] : all) {
      if (own.bounds == 0) continue;
      const float limit = pairs_.at(key).bias + above;
      if (own.bound > limit + kNear) {
        EXPECT_EQ(given.at(key).bounds, 1) << above;
        ++passing;
      } else if (own.bound < limit - kNear) {
        EXPECT_EQ(given.at(key).bounds, 0) << above;
        ++failing;
      }
    }
  }
  EXPECT_GT(passing, 30);
  EXPECT_GT(failing, 30);
}

// Limits that are no numbers leave the decision to the caller.
TEST_F(BiasAndViterbi, GivesExactScoresWhateverItsLimitIs) {
  fill(3, 40, 150, 200);
  const PairRooms rooms(open_device().info());
  for (const float above : {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::quiet_NaN()}) {
    ask(above);
    EXPECT_EQ(check(run(rooms), rooms), 300);
  }
}

TEST_F(BiasAndViterbi, GivesNoViterbiScoresToACallerThatAsksForNone) {
  fill(2, 30, 40, 60);
  PairDevice device(open_device(), 1);
  device.load(batch_);
  std::atomic<std::size_t> scores = 0;
  device.bias(queries_, {[&](std::size_t, std::size_t, float) { ++scores; }, {}, {}});
  EXPECT_EQ(scores, pairs_.size());
}

}  // namespace
}  // namespace gpuhmm::hmmer3
