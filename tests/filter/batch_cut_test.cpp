// Sequences are distributed by speed, and very long ones go to the host where that is faster.
#include "filter/batch_cut.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>

#include "filter/random_models.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;
using testing::detail::between;

SequenceBatch batch_of(std::initializer_list<std::size_t> lengths) {
  SequenceBatch batch;
  for (const std::size_t length : lengths) add_sequence(batch, std::vector<std::uint8_t>(length));
  return batch;
}

using Places = std::vector<std::size_t>;

TEST(BatchCut, GivesTheLongestSequenceToTheWorkerThatFinishesItFirst) {
  const SequenceBatch batch = batch_of({3, 0, 9, 5, 4});
  const std::vector<std::size_t> order = longest_first(batch);
  const std::vector<double> equal = {1, 1}, unequal = {1, 4}, one = {7};
  EXPECT_EQ(deal_by_speed(batch, order, equal), (std::vector<Places>{{2, 0}, {3, 4}}));
  EXPECT_EQ(deal_by_speed(batch, order, unequal), (std::vector<Places>{{4}, {2, 3, 0}}));
  EXPECT_EQ(deal_by_speed(batch, order, one), (std::vector<Places>{{2, 3, 4, 0}}));
}

TEST(BatchCut, DealsEachSequenceOnceAndLetsAllWorkersFinishTogether) {
  Generator rng(7);
  for (int repeat = 0; repeat < 50; ++repeat) {
    SequenceBatch batch;
    for (int n = between(rng, 0, 300); n > 0; --n) {
      add_sequence(batch, std::vector<std::uint8_t>(static_cast<std::size_t>(between(rng, 0, 50))));
    }
    std::vector<double> speeds;
    for (int n = between(rng, 1, 5); n > 0; --n) speeds.push_back(between(rng, 1, 20));
    const std::vector<std::size_t> order = longest_first(batch);
    std::vector<std::size_t> dealt;
    double fastest = 0, last = 0, all = 0;
    const std::vector<Places> shares = deal_by_speed(batch, order, speeds);
    for (std::size_t w = 0; w < speeds.size(); ++w) {
      double residues = 0;
      for (const std::size_t i : shares[w]) residues += static_cast<double>(batch.length(i));
      dealt.insert(dealt.end(), shares[w].begin(), shares[w].end());
      last = std::max(last, residues / speeds[w]);
      fastest = std::max(fastest, speeds[w]);
      all += speeds[w];
    }
    std::vector<std::size_t> expected = order;
    std::ranges::sort(expected);
    std::ranges::sort(dealt);
    EXPECT_EQ(dealt, expected);
    EXPECT_LE(last, static_cast<double>(batch.residue_count()) / all + 50 / fastest);
  }
}

TEST(BatchCut, MeasuresImbalanceByTheLastWorker) {
  const std::vector<double> equal = {1, 1}, unequal = {1, 3};
  EXPECT_DOUBLE_EQ(imbalance(std::vector<double>{5, 5}, equal), 1);
  EXPECT_DOUBLE_EQ(imbalance(std::vector<double>{10, 0}, equal), 2);
  EXPECT_DOUBLE_EQ(imbalance(std::vector<double>{5, 15}, unequal), 1);
  EXPECT_DOUBLE_EQ(imbalance(std::vector<double>{10, 10}, unequal), 2);
  EXPECT_DOUBLE_EQ(imbalance(std::vector<double>{0, 0}, unequal), 1);
}

constexpr LongSequenceSpeeds kSpeeds{1e12, 1e9, 3e9, 4};

TEST(LongSequences, StayOnTheDeviceIfTheyAreProteins) {
  EXPECT_EQ(count_for_host(Places{}, kSpeeds), 0U);
  EXPECT_EQ(count_for_host(Places{50'000, 35'000, 300}, kSpeeds), 0U);
}

TEST(LongSequences, GoToTheHostIfTheyAreChromosomes) {
  EXPECT_EQ(count_for_host(Places{1'600'000}, kSpeeds), 1U);
  EXPECT_EQ(count_for_host(Places{1'600'000, 1'000'000, 400}, kSpeeds), 2U);
}

TEST(LongSequences, GoToTheHostInNumbersThatDependOnTheSpeeds) {
  // 2000 contigs of 100 kb: each takes the device 0.1 ms a node, all of them 0.2 ms, the host 16.7 ms.
  const Places contigs(2000, 100'000);
  EXPECT_EQ(count_for_host(contigs, kSpeeds), 0U);
  // One contig has half as many residues as all others together: the device would have to wait for it.
  Places mixed = contigs;
  mixed.front() = 100'000'000;
  EXPECT_EQ(count_for_host(mixed, kSpeeds), 1U);
  // A single thread would take longer for both than the device for the shorter one.
  const LongSequenceSpeeds one_thread{1e12, 1.5e9, 3e9, 1};
  EXPECT_EQ(count_for_host(Places{90'000, 60'000, 500}, one_thread), 1U);
}

TEST(LongSequences, AreCountedInAnyOrder) {
  EXPECT_EQ(count_for_host(batch_of({30, 60'000, 0, 700, 90'000, 41}), 1e12, 1), 1U);
  EXPECT_EQ(count_for_host(batch_of({5, 50'000, 7}), 1e12, 1), 0U);
  EXPECT_EQ(count_for_host(batch_of({}), 1e12, 1), 0U);
}

}  // namespace
}  // namespace gpuhmm
