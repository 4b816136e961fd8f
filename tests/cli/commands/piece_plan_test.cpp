// Tests the sizes and the places of pieces.
#include "cli/commands/piece_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace gpuhmm::cli {
namespace {

RecordCensus census_of_sizes(const std::vector<std::uint64_t>& sizes) {
  RecordCensus census;
  for (const std::uint64_t size : sizes) census.add(size);
  return census;
}

RecordCensus random_census(std::mt19937& random, std::size_t records) {
  std::uniform_int_distribution<std::uint64_t> size(0, 2000);
  RecordCensus census;
  for (std::size_t i = 0; i < records; ++i) census.add(size(random));
  return census;
}

// Whether the ranges are disjoint and all records are in one of them, those beyond the census too.
bool tile(std::vector<RecordRange> ranges) {
  std::ranges::sort(ranges, {}, &RecordRange::first);
  std::uint64_t next = 0;
  for (const RecordRange& range : ranges) {
    if (range.first != next || range.empty()) return false;
    next = range.end;
  }
  return next == RecordRange{}.end;
}

TEST(PiecePlan, PiecesTileTheSequences) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const std::size_t records = random() % (round % 10 == 0 ? 200'000 : 300);
    const std::size_t workers = 1 + random() % 5;
    const RecordCensus census = random_census(random, records);
    PiecePlan plan(census, {}, workers);
    std::vector<RecordRange> pieces;
    for (;;) {
      const std::size_t worker = random() % workers;
      const std::optional<RecordRange> piece = plan.take(worker);
      if (!piece) break;
      pieces.push_back(*piece);
      if (random() % 3 != 0) plan.finished(worker, static_cast<double>(random() % 1000) / 100);
    }
    ASSERT_TRUE(tile(pieces)) << records << " records, " << workers << " workers";
  }
}

TEST(PiecePlan, FillsTheGapsBetweenWhatIsDone) {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    const RecordCensus census = random_census(random, 500);
    PiecePlan first(census, {}, 1);
    std::vector<RecordRange> done;
    while (const auto piece = first.take(0)) {
      if (random() % 2 != 0) done.push_back(*piece);
      first.finished(0, 0.1);
    }
    std::ranges::shuffle(done, random);
    PiecePlan rest(census, done, 2);
    std::vector<RecordRange> all = done;
    while (const auto piece = rest.take(random() % 2)) all.push_back(*piece);
    ASSERT_TRUE(tile(all));
  }
}

TEST(PiecePlan, NothingIsLeftOfAFinishedRun) {
  const RecordCensus census = census_of_sizes({5, 6, 7});
  PiecePlan plan(census, {RecordRange{0, 2}, RecordRange{2, RecordRange{}.end}}, 3);
  EXPECT_FALSE(plan.take(0));
  EXPECT_EQ(plan.fraction_done(), 1);
}

TEST(PiecePlan, ARunWithoutSequencesHasOnePiece) {
  PiecePlan plan(RecordCensus(), {}, 4);
  EXPECT_EQ(plan.take(2), RecordRange{});
  EXPECT_FALSE(plan.take(2));
}

TEST(PiecePlan, SequencesWithoutResiduesAreNotLost) {
  PiecePlan plan(census_of_sizes({0, 0, 0}), {}, 1);
  std::vector<RecordRange> pieces;
  while (const auto piece = plan.take(0)) pieces.push_back(*piece);
  EXPECT_TRUE(tile(pieces));
}

TEST(PiecePlan, OneWorkerTakesPiecesOfAboutTheSameTime) {
  const RecordCensus census = census_of_sizes(std::vector<std::uint64_t>(60'000, 100));
  constexpr double kResiduesPerSecond = 20'000;  // 300 seconds in all
  PiecePlan plan(census, {}, 1);
  std::vector<double> seconds;
  while (const auto piece = plan.take(0)) {
    const std::uint64_t end = std::min(piece->end, census.records());
    seconds.push_back(static_cast<double>(end - piece->first) * 100 / kResiduesPerSecond);
    plan.finished(0, seconds.back());
  }
  EXPECT_LE(seconds.front(), 3);
  EXPECT_LE(std::ranges::max(seconds), 16);
  EXPECT_GE(seconds[seconds.size() / 2], 14);
  EXPECT_DOUBLE_EQ(plan.fraction_done(), 1);
}

// Workers whose speeds are 1, 2, 4 and 8 end at about the same time.
TEST(PiecePlan, WorkersOfDifferentSpeedEndTogether) {
  const RecordCensus census = census_of_sizes(std::vector<std::uint64_t>(60'000, 100));
  PiecePlan plan(census, {}, 4);
  std::vector<double> clock(4, 0), last(4, 0);
  std::set<std::pair<double, std::size_t>> free;  // by time
  for (std::size_t worker = 0; worker < 4; ++worker) free.insert({0, worker});
  std::vector<bool> begun(4, false);
  while (!free.empty()) {
    const auto [now, worker] = *free.begin();
    free.erase(free.begin());
    if (begun[worker]) plan.finished(worker, last[worker]);
    const auto piece = plan.take(worker);
    clock[worker] = now;
    if (!piece) continue;
    begun[worker] = true;
    const std::uint64_t end = std::min(piece->end, census.records());
    const double speed = 1000.0 * static_cast<double>(1U << worker);
    last[worker] = static_cast<double>(end - piece->first) * 100 / speed;
    free.insert({now + last[worker], worker});
  }
  const double ideal = 60'000 * 100 / 15'000.0;
  EXPECT_LE(std::ranges::max(clock), 1.05 * ideal);
}

}  // namespace
}  // namespace gpuhmm::cli
