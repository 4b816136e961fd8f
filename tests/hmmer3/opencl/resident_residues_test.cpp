// Residues that stay on a device are those of the batch, however their source is divided, and are copied
// once.
#include "hmmer3/opencl/resident_residues.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "gpuhmm/device.hpp"
#include "hmmer3/opencl/device_residues.hpp"
#include "hmmer3/random_profiles.hpp"

namespace gpuhmm::hmmer3 {
namespace {

using test::between;
using test::Generator;
using Bytes = std::vector<std::uint8_t>;

class ResidentResiduesTest : public ::testing::Test {
 protected:
  // A source with random residues.
  std::shared_ptr<const Bytes> source(std::size_t count) {
    auto residues = std::make_shared<Bytes>();
    for (std::size_t i = 0; i < count; ++i)
      residues->push_back(static_cast<std::uint8_t>(between(random_, 0, 28)));
    return residues;
  }

  // Sequences with the residues [first, end) of a source.
  SequenceBatch batch(const std::shared_ptr<const Bytes>& source, std::size_t first, std::size_t end) {
    SequenceBatch made;
    while (first < end) {
      const std::size_t count = std::min(
          static_cast<std::size_t>(between(random_, 0, between(random_, 0, 9) == 0 ? 5000 : 9)), end - first);
      made.begin_sequence("s", "", "");
      made.append_residues(std::span(*source).subspan(first, count));
      made.add_origin({source, first, source->size()});
      first += count;
    }
    return made;
  }

  // What is on the device of a batch when it is loaded.
  Bytes loaded(DeviceResidues& residues, const SequenceBatch& batch) {
    residues.load(queue_, batch, 2);
    return queue_.read<std::uint8_t>(residues.buffer(), batch.residue_count(), residues.first());
  }
  static Bytes all_of(const SequenceBatch& batch) {
    return {batch.all_residues().begin(), batch.all_residues().end()};
  }
  // Overwrites what is on the device, so that it shows what is copied anew.
  void overwrite(const DeviceResidues& residues, std::size_t count) {
    queue_.fill(residues.buffer(), std::uint8_t{255}, count);
    queue_.finish();
  }
  static std::ptrdiff_t overwritten(const Bytes& residues) { return std::ranges::count(residues, 255); }

  Generator random_{1};
  std::vector<DeviceInfo> devices_ = list_devices();
  OpenDevice device_{devices_.at(0)};
  Queue queue_{device_};
  ResidentResidues resident_{device_, 3'000'000};
  DeviceResidues residues_{&resident_};
};

TEST_F(ResidentResiduesTest, AreThoseOfEachBatch) {
  for (int trial = 0; trial < 20; ++trial) {
    // The last ones need more than one piece of pinned memory.
    const auto from = source(static_cast<std::size_t>(between(random_, 1, trial < 18 ? 4000 : 1'400'000)));
    const auto all = static_cast<int>(from->size());
    for (int i = 0; i < 12; ++i) {
      const int first = between(random_, 0, all - 1), end = between(random_, first + 1, all);
      const SequenceBatch part = batch(from, static_cast<std::size_t>(first), static_cast<std::size_t>(end));
      ASSERT_EQ(loaded(residues_, part), all_of(part)) << trial << ' ' << first << ' ' << end;
      EXPECT_EQ(residues_.first(), static_cast<std::uint64_t>(first));
    }
  }
}

TEST_F(ResidentResiduesTest, AreCopiedOnce) {
  const auto from = source(1003);
  DeviceResidues others(&resident_);  // of another stage
  loaded(residues_, batch(from, 101, 410));
  loaded(others, batch(from, 600, 1003));
  overwrite(residues_, 1003);
  EXPECT_EQ(overwritten(loaded(residues_, batch(from, 600, 1003))), 403);
  EXPECT_EQ(overwritten(loaded(others, batch(from, 101, 410))), 309);
  // Of these the first 101, and 190 in the middle, have not been there.
  const SequenceBatch whole = batch(from, 0, 1003);
  const Bytes found = loaded(others, whole);
  EXPECT_EQ(overwritten(found), 403 + 309);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (i < 101 || (i >= 410 && i < 600)) {
      ASSERT_EQ(found[i], (*from)[i]) << i;
    }
  }
}

// All load the same batches at about the same time.
TEST_F(ResidentResiduesTest, AreSharedByThreads) {
  constexpr int kThreads = 8, kBatches = 200;
  constexpr std::size_t kResidues = 1'000'000, kMost = 9000;
  const auto from = source(kResidues);
  std::vector<SequenceBatch> batches;
  for (int i = 0; i < kBatches; ++i) {
    const auto first = static_cast<std::size_t>(between(random_, 0, kResidues - kMost));
    batches.push_back(batch(from, first, first + static_cast<std::size_t>(between(random_, 1, kMost))));
  }
  std::atomic<int> right = 0;
  std::barrier together(kThreads);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&] {
        const Queue queue(device_);
        DeviceResidues residues(&resident_);
        for (const SequenceBatch& loaded : batches) {
          together.arrive_and_wait();
          residues.load(queue, loaded, 1);
          const Bytes found =
              queue.read<std::uint8_t>(residues.buffer(), loaded.residue_count(), residues.first());
          right += found == all_of(loaded) ? 1 : 0;
        }
      });
    }
  }
  EXPECT_EQ(right, kThreads * kBatches);
}

TEST_F(ResidentResiduesTest, OnlyIfTheirSourceIsKnown) {
  const auto from = source(500);
  SequenceBatch part = batch(from, 0, 500);
  loaded(residues_, part);
  overwrite(residues_, 500);
  part.mutable_residues(0);
  EXPECT_EQ(loaded(residues_, part), all_of(part));
  EXPECT_EQ(residues_.first(), 0U);
  // Of another source with as many.
  const SequenceBatch other = batch(source(500), 0, 500);
  EXPECT_EQ(loaded(residues_, other), all_of(other));
  // The same residues at another address of the same owner, as another alphabet has them.
  const std::shared_ptr<const std::uint8_t> address(from, &from->back());
  SequenceBatch aliased;
  aliased.begin_sequence("s", "", "");
  aliased.append_residues(*from);
  aliased.add_origin({address, 0, 500});
  EXPECT_EQ(loaded(residues_, aliased), *from);
}

TEST_F(ResidentResiduesTest, AsFarAsThereIsRoom) {
  ResidentResidues few(device_, 1000);
  DeviceResidues residues(&few);
  auto from = source(700);
  const auto large = source(800);
  loaded(residues, batch(from, 0, 700));
  // 300 are left.
  struct Part {
    std::size_t first, end;
    bool stays;
  };
  for (const Part& part : {Part{0, 300, true}, {150, 299, true}, {200, 301, false}, {400, 700, false}}) {
    const SequenceBatch of_large = batch(large, part.first, part.end);
    ASSERT_EQ(loaded(residues, of_large), all_of(of_large)) << part.first;
    EXPECT_EQ(residues.first(), part.stays ? part.first : 0);
  }
  loaded(residues, batch(large, 0, 300));
  overwrite(residues, 300);
  EXPECT_EQ(overwritten(loaded(residues, batch(large, 100, 200))), 100);
  // None are left.
  const auto other = source(400);
  const SequenceBatch third = batch(other, 100, 300);
  EXPECT_EQ(loaded(residues, third), all_of(third));
  EXPECT_EQ(residues.first(), 0U);
  // The room of a source that has ended.
  from.reset();
  EXPECT_EQ(loaded(residues, third), all_of(third));
  EXPECT_EQ(residues.first(), 100U);
}

TEST_F(ResidentResiduesTest, TakeAPartOfTheMemory) {
  DeviceInfo info;
  info.type = DeviceType::Gpu;
  info.memory = std::uint64_t{16} << 30;
  info.max_allocation = std::uint64_t{4} << 30;
  EXPECT_EQ(ResidentResidues::room_of(info), std::uint64_t{2} << 30);
  info.type = DeviceType::Cpu;
  EXPECT_EQ(ResidentResidues::room_of(info), std::uint64_t{1} << 29);
  info.type = DeviceType::Gpu;
  info.memory = info.max_allocation = std::uint64_t{80} << 30;
  EXPECT_EQ(ResidentResidues::room_of(info), 0xffffffffU);
  info.max_allocation = std::uint64_t{1} << 30;
  EXPECT_EQ(ResidentResidues::room_of(info), std::uint64_t{1} << 30);
}

}  // namespace
}  // namespace gpuhmm::hmmer3
