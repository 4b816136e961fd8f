// Tests that wrong segments and regions of devices are noticed and reported once, and that the host repeats
// the search.
#include "companion/segments/checked_engine.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "companion/segments/blocks.hpp"
#include "opencl/wrong_result.hpp"

namespace gpuhmm {
namespace {

using Found = std::vector<Segment<std::int64_t>>;

// An engine that changes the host's answers by a function.
class FaultyEngine : public SegmentEngine {
 public:
  explicit FaultyEngine(std::function<void(Found&)> spoil) : spoil_(std::move(spoil)) {}

  Segment<std::int64_t> best(std::span<const std::int32_t> values) override { return best_of(values); }
  Segment<std::int64_t> best(std::span<const std::int64_t> values) override { return best_of(values); }
  Found all(std::span<const std::int32_t> values) override { return all_of(values); }
  Found all(std::span<const std::int64_t> values) override { return all_of(values); }

 private:
  template <class T>
  Segment<std::int64_t> best_of(std::span<const T> values) {
    Found found{host_->best(values)};
    spoil_(found);
    return found[0];
  }
  template <class T>
  Found all_of(std::span<const T> values) {
    Found found = host_->all(values);
    spoil_(found);
    return found;
  }

  std::unique_ptr<SegmentEngine> host_ = make_host_segment_engine(1);
  std::function<void(Found&)> spoil_;
};

const std::vector<std::int32_t> kValues = {3, 5, 10, -5, -30, 5, 7, 2, -3, 10, -7, 5};

const std::vector<std::function<void(Found&)>> kFaults = {
    [](Found& found) { found[0].end = 1000; },
    [](Found& found) { found[0].begin = ~std::uint64_t{0}; },
    [](Found& found) { std::swap(found[0].begin, found[0].end); },
    [](Found& found) { found[0].score = 7; },
    [](Found& found) { found.assign(1, {}); },
    [](Found& found) {
      found.assign(1, {0, 1, 3});
    }};

TEST(CheckedEngine, NoticesWrongSegments) {
  for (std::size_t i = 0; i < kFaults.size(); ++i) {
    int warnings = 0;
    const auto engine =
        make_checked_segment_engine(std::make_unique<FaultyEngine>(kFaults[i]), make_host_segment_engine(1),
                                    [&](const std::string&) { ++warnings; });
    const std::span<const std::int32_t> values(kValues);
    EXPECT_EQ(engine->best(values), best_segment<std::int64_t>(values)) << i;
    EXPECT_EQ(engine->all(values), make_host_segment_engine(1)->all(values)) << i;
    EXPECT_EQ(warnings, 1) << i;
  }
}

TEST(CheckedEngine, NoticesSegmentsOutOfOrder) {
  int warnings = 0;
  const auto engine = make_checked_segment_engine(
      std::make_unique<FaultyEngine>([](Found& found) { std::swap(found[0], found[1]); }),
      make_host_segment_engine(1), [&](const std::string&) { ++warnings; });
  EXPECT_EQ(engine->all(std::span(kValues)).size(), 3U);
  EXPECT_EQ(warnings, 1);
}

TEST(CheckedEngine, AcceptsRightSegments) {
  int warnings = 0;
  const auto engine =
      make_checked_segment_engine(std::make_unique<FaultyEngine>([](Found&) {}), make_host_segment_engine(1),
                                  [&](const std::string&) { ++warnings; });
  EXPECT_EQ(engine->best(std::span(kValues)).score, 21);
  EXPECT_EQ(engine->all(std::span(kValues)).size(), 3U);
  const std::vector<std::int64_t> negative(100, -1);
  EXPECT_TRUE(engine->best(std::span(negative)).empty());
  EXPECT_EQ(warnings, 0);
}

TEST(LocateBest, RefusesSumsOfOtherTiles) {
  const std::span<const std::int32_t> values(kValues);
  const auto locate = [&](TileSums first) {
    return locate_best<std::int32_t>(std::vector<TileSums>{first, {1, 5, 5, 5}, {}}, 4, values);
  };
  EXPECT_THROW(locate({0, 0, 0, 1000000}), std::logic_error);
  EXPECT_THROW(locate({3, 1000000, 1000000, 5}), std::logic_error);
}

TEST(CheckRegions, NoticesWrongRegions) {
  const Alphabet& alphabet = Alphabet::get(AlphabetKind::Amino);
  const ResidueScores scores = residue_scores(*find_scale("ges"), parse_decimal("1.2"), alphabet);
  SequenceBatch batch;
  std::vector<std::uint8_t> residues;
  for (int i = 0; i < 90; ++i) {
    residues.push_back(static_cast<std::uint8_t>(alphabet.letters().find(i / 15 % 2 == 1 ? 'L' : 'D')));
  }
  batch.begin_sequence("a", "", "");
  batch.append_residues(residues);
  const RegionFilter filter{10, 1, UINT64_MAX};
  const auto right = find_regions(batch, scores, filter, 1);
  ASSERT_EQ(right[0].size(), 3U);
  EXPECT_NO_THROW(check_regions(batch, scores, filter, right, 1));
  using Regions = std::vector<Region>;
  const std::vector<std::function<void(Regions&)>> faults = {
      [](Regions& regions) { regions[0].end = 1000; },
      [](Regions& regions) { regions[0].begin = ~std::uint64_t{0}; },
      [](Regions& regions) { ++regions[1].score; },
      [](Regions& regions) { std::swap(regions[0], regions[1]); },
      [](Regions& regions) { regions.pop_back(); },
      [](Regions& regions) { regions.clear(); }};
  for (std::size_t i = 0; i < faults.size(); ++i) {
    auto wrong = right;
    faults[i](wrong[0]);
    EXPECT_THROW(check_regions(batch, scores, filter, wrong, 1), WrongDeviceResult) << i;
  }
}

}  // namespace
}  // namespace gpuhmm
