// Batches that borrow their storage behave like batches that own it.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>

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

}  // namespace
}  // namespace gpuhmm
