// Compares the OpenCL engine with the plain algorithms, on a CPU device (PoCL).
#include "companion/segments/opencl_engine.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "companion/segments/random_vectors.hpp"

namespace gpuhmm {
namespace {

using test::Ints;

std::vector<DeviceInfo> devices(std::size_t count) {
  const std::vector<DeviceInfo> present = list_devices();
  if (present.empty()) throw std::runtime_error("no OpenCL device (PoCL is needed)");
  return std::vector<DeviceInfo>(count, present[0]);
}

// A shape with small tiles, so that short vectors have many: 128 or 64 elements for sums, 64 for segments.
// The device joins three lists at a time.
constexpr SegmentShape kSmall{16, 32, 4, 3, 1};

void expect_plain_answers(SegmentEngine& engine, const Ints& x, bool narrow_too = true) {
  const std::span<const std::int64_t> wide(x);
  const auto best = best_segment<std::int64_t>(wide);
  const auto all = maximal_segments<std::int64_t>(wide);
  ASSERT_EQ(engine.best(wide), best);
  ASSERT_EQ(engine.all(wide), all);
  if (!narrow_too) return;
  const std::vector<std::int32_t> y(x.begin(), x.end());
  const std::span<const std::int32_t> narrow(y);
  ASSERT_EQ(engine.best(narrow), best);
  ASSERT_EQ(engine.all(narrow), all);
}

TEST(OpenClSegments, SizesAroundTheTiles) {
  const auto engine = make_opencl_segment_engine(devices(1), false, 2, kSmall);
  std::mt19937 random(41);
  for (const std::size_t size : {0, 1, 2, 63, 64, 65, 127, 128, 129, 191, 257, 1009}) {
    for (int kind = 0; kind < test::kVectorKinds; ++kind) {
      SCOPED_TRACE(testing::Message() << size << " elements of kind " << kind);
      expect_plain_answers(*engine, test::random_vector(random, size, kind));
    }
  }
}

TEST(OpenClSegments, ManyRandomVectors) {
  const auto engine = make_opencl_segment_engine(devices(1), false, 2, kSmall);
  std::mt19937 random(42);
  for (int round = 0; round < 400; ++round) {
    const Ints x = test::random_vector(random, random() % 700, round % test::kVectorKinds);
    SCOPED_TRACE(testing::PrintToString(x));
    expect_plain_answers(*engine, x, round % 2 == 0);
  }
}

TEST(OpenClSegments, TheShapeInUse) {
  const auto engine = make_opencl_segment_engine(devices(1), false, 2);
  std::mt19937 random(43);
  for (const std::size_t size : {2047, 2048, 2049, 8191, 8192, 8193, 100'003}) {
    for (int kind = 0; kind < test::kVectorKinds; ++kind) {
      SCOPED_TRACE(testing::Message() << size << " elements of kind " << kind);
      expect_plain_answers(*engine, test::random_vector(random, size, kind));
    }
  }
}

// Vectors with so many tiles that the device joins several levels, and others with so many joinable segments
// that it leaves all lists to the host.
TEST(OpenClSegments, MoreTilesThanTheHostJoins) {
  const SegmentShape shape;
  const auto engine = make_opencl_segment_engine(devices(1), false, 2, shape);
  std::mt19937 random(45);
  const std::size_t size = shape.segment_tile() * (shape.host_lists + 40) + 77;
  for (const int kind : {0, 1, 5, 8}) {
    SCOPED_TRACE(testing::Message() << "kind " << kind);
    expect_plain_answers(*engine, test::random_vector(random, size, kind), false);
  }
  Ints growing(size);
  for (std::size_t i = 0; i < size; ++i)
    growing[i] = (i % 2 == 0 ? 1 : -1) * static_cast<std::int64_t>(i + 1);
  expect_plain_answers(*engine, growing, false);
}

TEST(OpenClSegments, BothSidesOfTheNarrowRange) {
  const auto engine = make_opencl_segment_engine(devices(1), false, 2);
  for (const std::int64_t value : {(1LL << 25) - 1, 1LL << 25, -(1LL << 25), -(1LL << 25) - 1,
                                   static_cast<long long>(std::numeric_limits<std::int32_t>::max()),
                                   static_cast<long long>(std::numeric_limits<std::int32_t>::min())}) {
    SCOPED_TRACE(value);
    Ints x(20'000, value);
    for (std::size_t i = 0; i < x.size(); i += 1000) x[i] = -x[i] - 1;
    expect_plain_answers(*engine, x);
  }
}

TEST(OpenClSegments, SumsNearTheEndOf64Bits) {
  const auto engine = make_opencl_segment_engine(devices(1), false, 1, kSmall);
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  Ints x(300, 0);
  x[10] = kMost / 2;
  x[200] = kMost / 2;
  x[201] = 1;
  x[100] = -(kMost / 4);
  x[299] = -(kMost / 2);
  expect_plain_answers(*engine, x, false);
}

TEST(OpenClSegments, SeveralDevicesAndPiecesGiveTheSame) {
  std::mt19937 random(44);
  const auto two = make_opencl_segment_engine(devices(2), false, 2, kSmall, 200);
  const auto three = make_opencl_segment_engine(devices(2), true, 1, kSmall);
  for (int round = 0; round < 60; ++round) {
    const Ints x = test::random_vector(random, random() % 3000, round % test::kVectorKinds);
    expect_plain_answers(*two, x);
    expect_plain_answers(*three, x);
  }
}

}  // namespace
}  // namespace gpuhmm
