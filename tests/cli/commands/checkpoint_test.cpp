// Tests what a checkpoint finds in its folder.
#include "cli/commands/checkpoint.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace gpuhmm::cli {
namespace {

namespace fs = std::filesystem;

class Checkpoints : public testing::Test {
 protected:
  Checkpoints() {
    folder_ = (fs::path(testing::TempDir()) / ("checkpoint" + std::to_string(::getpid()) +
                                               testing::UnitTest::GetInstance()->current_test_info()->name()))
                  .string();
    fs::remove_all(folder_);
    header_.run.version = "1";
    header_.run.words = {"--evalue=1"};
    header_.run.profiles = {"a.hmm", 10, 1};
    header_.run.sequences = {"b.fasta", 20, 2};
  }
  ~Checkpoints() override { fs::remove_all(folder_); }

  static std::string content(const std::string& name) {
    ScanRecord record;
    record.name = name;
    return packed(record);
  }
  // The records of a piece with the results of the sequences in `range`, and its end.
  static std::string records(const RecordRange& range) {
    std::string bytes;
    PartWriter writer([&](std::string_view more) { bytes += more; });
    for (std::uint64_t i = range.first; i < range.end; ++i) writer.add({0, i}, content(std::to_string(i)));
    writer.end(1);
    return bytes;
  }
  // Writes the first bytes of a piece: `records` whole records, and `more` bytes of the next one.
  void write_unfinished(const Checkpoint& checkpoint, const RecordRange& range, std::uint64_t count,
                        std::size_t more) {
    std::ofstream file(checkpoint.path_of(range), std::ios::binary);
    PartWriter writer([&](std::string_view bytes) { file << bytes; }, checkpoint.header_of(range));
    for (std::uint64_t i = 0; i < count; ++i) {
      writer.add({0, range.first + i}, content(std::to_string(range.first + i)));
    }
    std::string next;
    PartWriter([&](std::string_view bytes) { next += bytes; }).add({0, range.first + count}, content("next"));
    file << next.substr(0, more);
  }

  static std::vector<PartReader> opened(const std::vector<std::string>& paths) {
    std::vector<PartReader> parts;
    for (const std::string& path : paths) parts.emplace_back(path);
    return parts;
  }

  std::string folder_;
  PartHeader header_;
};

TEST_F(Checkpoints, ANewOneHoldsNothing) {
  const Checkpoint checkpoint(folder_, header_);
  EXPECT_TRUE(checkpoint.done().empty());
  EXPECT_FALSE(checkpoint.unfinished());
}

TEST_F(Checkpoints, KnowsThePiecesThatWereStored) {
  {
    Checkpoint checkpoint(folder_, header_);
    checkpoint.store({4, 6}, records({4, 6}));
    checkpoint.store({0, 4}, records({0, 4}));
  }
  Checkpoint again(folder_, header_);
  EXPECT_EQ(again.done().size(), 2U);
  std::vector<PartReader> parts = opened(again.parts());
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].header().records, (RecordRange{0, 4}));
  EXPECT_EQ(parts[1].next()->place.index, 4U);
  again.remove();
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(Checkpoints, APieceThatIsNotFinishedGoesOnBehindItsLastRecord) {
  for (const std::size_t more : {0, 1, 20, 45}) {
    fs::remove_all(folder_);
    { write_unfinished(Checkpoint(folder_, header_), {3, 9}, 2, more); }
    Checkpoint again(folder_, header_);
    ASSERT_TRUE(again.unfinished());
    EXPECT_EQ(again.unfinished()->sequences, (RecordRange{3, 9}));
    EXPECT_EQ(again.unfinished()->next, (QueryPlace{0, 5}));
    EXPECT_TRUE(again.done().empty());
    {
      std::ofstream file(again.unfinished()->path, std::ios::binary | std::ios::app);
      file << records({5, 9});
    }
    std::vector<PartReader> parts = opened(again.parts());
    std::uint64_t expected = 3;
    while (const auto record = parts.at(0).next()) EXPECT_EQ(record->place.index, expected++);
    EXPECT_EQ(expected, 9U);
    again.drop_unfinished();
    EXPECT_TRUE(again.parts().empty());
  }
}

TEST_F(Checkpoints, OfTwoPiecesThatAreNotFinishedOneIsForgotten) {
  {
    const Checkpoint checkpoint(folder_, header_);
    write_unfinished(checkpoint, {0, 3}, 1, 5);
    write_unfinished(checkpoint, {3, 9}, 2, 0);
  }
  const Checkpoint again(folder_, header_);
  ASSERT_TRUE(again.unfinished());
  EXPECT_EQ(again.parts(), std::vector<std::string>{again.unfinished()->path});
}

TEST_F(Checkpoints, AnEmptyPieceIsForgotten) {
  { std::ofstream(Checkpoint(folder_, header_).path_of({7, 9})) << "gpuhmm pa"; }
  Checkpoint again(folder_, header_);
  EXPECT_FALSE(again.unfinished());
  EXPECT_TRUE(again.parts().empty());
}

TEST_F(Checkpoints, RemovesWhatAKilledProcessLeft) {
  { const Checkpoint checkpoint(folder_, header_); }
  std::ofstream(fs::path(folder_) / ".gpuhmm-12-34.tmp") << "x";
  const Checkpoint again(folder_, header_);
  EXPECT_FALSE(fs::exists(fs::path(folder_) / ".gpuhmm-12-34.tmp"));
}

TEST_F(Checkpoints, RefusesAnotherRun) {
  { Checkpoint(folder_, header_).store({0, 1}, records({0, 1})); }
  const auto message = [&](const PartHeader& header) -> std::string {
    try {
      const Checkpoint other(folder_, header);
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(header_), "");
  PartHeader header = header_;
  header.run.words = {"--evalue=2"};
  EXPECT_NE(message(header).find("the options are --evalue=1, not --evalue=2"), std::string::npos);
  header = header_;
  header.run.sequences.checksum = 3;
  EXPECT_NE(message(header).find("the sequences in b.fasta have another content"), std::string::npos);
  header = header_;
  header.run.profiles.name = "c.hmm";
  EXPECT_NE(message(header).find("the profiles are a.hmm, not c.hmm"), std::string::npos);
  header = header_;
  header.run.version = "2";
  EXPECT_NE(message(header).find("version 1, not 2"), std::string::npos);
  header = header_;
  header.run.kind = ReportKind::Scan;
  EXPECT_NE(message(header), "");
}

TEST_F(Checkpoints, OneRunAtATime) {
  const Checkpoint checkpoint(folder_, header_);
  EXPECT_THROW(Checkpoint(folder_, header_), FileError);
}

TEST_F(Checkpoints, RefusesAFolderOfSomethingElse) {
  fs::create_directory(folder_);
  std::ofstream(fs::path(folder_) / "results.txt") << "x";
  EXPECT_THROW(Checkpoint(folder_, header_), FileError);
  EXPECT_TRUE(fs::exists(fs::path(folder_) / "results.txt"));
}

}  // namespace
}  // namespace gpuhmm::cli
