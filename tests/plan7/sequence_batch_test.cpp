// Batches that borrow their storage behave like batches that own it; batches know where residues come from.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpuhmm/sequence.hpp"

namespace gpuhmm {
namespace {

// "a", accession "A", description "one": residues 1 2; "b": none; "c", description "two": 3 4 5.
struct Storage {
  std::array<std::uint8_t, 5> residues{1, 2, 3, 4, 5};
  std::string text = "aAonebctwo";

  SequenceView view(std::size_t name, std::size_t name_end, std::size_t accession_end, std::size_t end,
                    std::size_t first, std::size_t count) const {
    const std::string_view all(text);
    return {all.substr(name, name_end - name), all.substr(name_end, accession_end - name_end),
            all.substr(accession_end, end - accession_end), std::span(residues).subspan(first, count)};
  }
  SequenceView a() const { return view(0, 1, 2, 5, 0, 2); }
  SequenceView b() const { return view(5, 6, 6, 6, 2, 0); }
  SequenceView c() const { return view(6, 7, 7, 10, 2, 3); }
};

class BorrowedBatch : public testing::Test {
 protected:
  BorrowedBatch() {
    batch_.borrow(storage_, storage_->residues.data(), storage_->text.data());
    for (const SequenceView& view : {storage_->a(), storage_->b(), storage_->c()}) {
      EXPECT_TRUE(batch_.extend(view));
    }
  }

  void expect_sequences(std::size_t count) const {
    ASSERT_EQ(batch_.size(), count);
    EXPECT_EQ(batch_[0].name, "a");
    EXPECT_EQ(batch_[0].accession, "A");
    EXPECT_EQ(batch_[0].description, "one");
    EXPECT_EQ(batch_.length(1), 0U);
    EXPECT_EQ(batch_[1].name, "b");
    EXPECT_EQ(batch_[2].description, "two");
    EXPECT_EQ(std::vector<std::uint8_t>(batch_.residues(2).begin(), batch_.residues(2).end()),
              (std::vector<std::uint8_t>{3, 4, 5}));
  }

  std::shared_ptr<Storage> storage_ = std::make_shared<Storage>();
  SequenceBatch batch_;
};

TEST_F(BorrowedBatch, RefersToTheStorage) {
  expect_sequences(3);
  EXPECT_EQ(batch_.residue_count(), 5U);
  EXPECT_EQ(batch_.residues(0).data(), storage_->residues.data());
}

TEST_F(BorrowedBatch, TakesOnlyTheNextSequence) {
  SequenceBatch other;
  EXPECT_FALSE(other.extend(storage_->a()));
  other.borrow(storage_, storage_->residues.data(), storage_->text.data());
  EXPECT_FALSE(other.extend(storage_->c()));
  EXPECT_TRUE(other.empty());
}

TEST_F(BorrowedBatch, ChangesNeverReachTheStorage) {
  batch_.mutable_residues(0)[0] = 9;
  EXPECT_EQ(batch_.residues(0)[0], 9);
  EXPECT_EQ(storage_->residues[0], 1);
  expect_sequences(3);
}

TEST_F(BorrowedBatch, GrowsLikeAnyOther) {
  batch_.begin_sequence("d", "", "new");
  batch_.append_residues(std::array<std::uint8_t, 1>{7});
  expect_sequences(4);
  EXPECT_EQ(batch_[3].description, "new");
  EXPECT_EQ(batch_.residues(3)[0], 7);
  EXPECT_EQ(batch_.residue_count(), 6U);
}

TEST_F(BorrowedBatch, ClearsAndOutlivesItsMaker) {
  SequenceBatch copy = batch_;
  std::weak_ptr<Storage> kept = storage_;
  storage_.reset();
  EXPECT_EQ(copy[2].description, "two");
  copy.clear();
  batch_.clear();
  EXPECT_EQ(batch_.residue_count(), 0U);
  EXPECT_TRUE(kept.expired());
}

class BatchOrigin : public testing::Test {
 protected:
  void add(std::size_t length, const std::shared_ptr<const void>& source, std::uint64_t first) {
    add(length);
    batch_.add_origin({source, first, 100});
  }
  void add(std::size_t length) {
    batch_.begin_sequence("s", "", "");
    batch_.append_residues(std::vector<std::uint8_t>(length, 1));
  }
  bool is_known(std::uint64_t first) const {
    return batch_.origin() != nullptr && batch_.origin()->first == first && batch_.origin()->all == 100;
  }

  std::shared_ptr<const int> source_ = std::make_shared<int>();
  SequenceBatch batch_;
};

TEST_F(BatchOrigin, IsThatOfTheFirstResidue) {
  EXPECT_EQ(batch_.origin(), nullptr);
  add(0, source_, 7);
  EXPECT_TRUE(is_known(7));
  add(5, source_, 7);
  add(0, source_, 12);
  add(3, source_, 12);
  EXPECT_TRUE(is_known(7));
  EXPECT_TRUE(batch_.origin()->is_from(source_));
  const SequenceBatch copy = batch_;
  EXPECT_NE(copy.origin(), nullptr);
  batch_.clear();
  EXPECT_EQ(batch_.origin(), nullptr);
  add(2, source_, 50);
  EXPECT_TRUE(is_known(50));
}

TEST_F(BatchOrigin, IsUnknownIfResiduesDoNotFollowEachOther) {
  const std::shared_ptr<const int> other = std::make_shared<int>();
  const std::shared_ptr<const void> elsewhere(source_, &batch_), of_other(other, source_.get());
  EXPECT_FALSE((ResidueOrigin{source_, 0, 0}).is_from(elsewhere));
  EXPECT_FALSE((ResidueOrigin{source_, 0, 0}).is_from(of_other));
  struct Wrong {
    std::shared_ptr<const void> source;
    std::uint64_t first;
  };
  for (const Wrong& wrong :
       {Wrong{source_, 13}, {source_, 0}, {other, 12}, {elsewhere, 12}, {of_other, 12}}) {
    batch_.clear();
    add(5, source_, 7);
    add(1, wrong.source, wrong.first);
    EXPECT_EQ(batch_.origin(), nullptr);
    add(1, wrong.source, wrong.first + 1);
    EXPECT_EQ(batch_.origin(), nullptr);
  }
}

TEST_F(BatchOrigin, IsUnknownOfOtherResidues) {
  add(5, source_, 7);
  add(2);
  EXPECT_EQ(batch_.origin(), nullptr);
  add(2, source_, 14);  // as if those before came from there
  EXPECT_EQ(batch_.origin(), nullptr);
  batch_.clear();
  add(2);
  add(5, source_, 7);
  EXPECT_EQ(batch_.origin(), nullptr);
}

TEST_F(BatchOrigin, IsUnknownOfResiduesThatMayHaveChanged) {
  add(5, source_, 7);
  static_cast<void>(batch_.mutable_residues(0));
  EXPECT_EQ(batch_.origin(), nullptr);
  add(5, source_, 12);
  EXPECT_EQ(batch_.origin(), nullptr);
}

}  // namespace
}  // namespace gpuhmm
