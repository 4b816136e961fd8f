// Damaged prepared databases are refused with a FileError; if only padding changed, they are read as before.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <random>

#include "formats/database/database_layout.hpp"
#include "formats/io/checksum.hpp"
#include "prepared.hpp"

namespace gpuhmm {
namespace {

using namespace test;
using namespace database_layout;

class DamagedDatabase : public testing::Test {
 protected:
  // with differences of every kind between HMMER2 and HMMER3
  const Prepared prepared_{MemoryFile(">stars  two \nA*C*\n" + odd_fasta()).path()};
  const std::string good_ = prepared_.bytes();
  const Records records_ = prepared_records(prepared_.path(), AlphabetKind::Amino);

  Trailer trailer() const {
    Trailer trailer;
    std::memcpy(&trailer, good_.data() + good_.size() - sizeof trailer, sizeof trailer);
    return trailer;
  }

  /// The good database with its bytes and trailer changed by `change`, and with right checksums.
  std::string forged(const std::function<void(std::string&, Trailer&)>& change) const {
    std::string bytes = good_;
    Trailer changed = trailer();
    change(bytes, changed);
    for (SectionEntry& entry : changed.sections) {
      if (entry.offset > bytes.size() || entry.size > bytes.size() - entry.offset) continue;
      entry.checksum = extend_checksum(0, std::string_view(bytes).substr(entry.offset, entry.size));
    }
    changed.checksum = extend_checksum(extend_checksum(0, std::string_view(bytes).substr(0, sizeof(Header))),
                                       bytes_of(changed).substr(0, offsetof(Trailer, checksum)));
    bytes.replace(bytes.size() - sizeof changed, sizeof changed, bytes_of(changed));
    return bytes;
  }
  std::string forgery_failure(const std::function<void(std::string&, Trailer&)>& change) const {
    return opening_failure(MemoryFile(forged(change)).path());
  }

  /// Sets number `index` of a section of numbers.
  static void set_number(std::string& bytes, const SectionEntry& entry, std::uint64_t index,
                         std::uint64_t value) {
    std::memcpy(bytes.data() + entry.offset + index * sizeof value, &value, sizeof value);
  }
};

TEST_F(DamagedDatabase, IsReadIfNothingChanged) {
  const MemoryFile file(good_);
  EXPECT_TRUE(prepared_records(file.path(), AlphabetKind::Amino) == records_);
  EXPECT_EQ(forgery_failure([](std::string&, Trailer&) {}), "");
}

TEST_F(DamagedDatabase, IsRefusedIfAnyByteButPaddingChanged) {
  const MemoryFile file(good_);
  const int fd = ::open(file.path().c_str(), O_RDWR);
  ASSERT_GE(fd, 0);
  std::mt19937 random(3);
  const Trailer table = trailer();
  for (std::size_t at = 0; at < good_.size(); at += 1 + random() % 4) {
    const char changed = static_cast<char>(good_[at] ^ (1 << random() % 8));
    ASSERT_EQ(::pwrite(fd, &changed, 1, static_cast<off_t>(at)), 1);
    const bool accepted = opening_failure(file.path()).empty();
    bool padding = at >= sizeof(Header) && at < good_.size() - sizeof(Trailer);
    for (const SectionEntry& entry : table.sections) {
      padding = padding && (at < entry.offset || at >= entry.offset + entry.size);
    }
    ASSERT_EQ(accepted, padding) << "byte " << at;
    if (accepted && at % 64 == 0) {
      ASSERT_TRUE(prepared_records(file.path(), AlphabetKind::Amino) == records_) << "byte " << at;
    }
    ASSERT_EQ(::pwrite(fd, &good_[at], 1, static_cast<off_t>(at)), 1);
  }
  ::close(fd);
  EXPECT_EQ(opening_failure(file.path()), "");
}

TEST_F(DamagedDatabase, IsRefusedIfTruncated) {
  std::mt19937 random(4);
  const MemoryFile file(good_);
  for (std::size_t size = good_.size(); size > 0;) {
    size -= std::min<std::size_t>(size, 1 + random() % 8);
    std::filesystem::resize_file(file.path(), size);
    ASSERT_NE(opening_failure(file.path()), "") << size;
  }
}

TEST_F(DamagedDatabase, IsRefusedIfTooLong) {
  EXPECT_NE(opening_failure(MemoryFile(good_ + "x").path()), "");
  EXPECT_NE(opening_failure(MemoryFile(good_ + good_).path()), "");
}

TEST_F(DamagedDatabase, IsRefusedAsASequenceFile) {  // the damage hides that it is a database
  std::string bytes = good_;
  bytes[2] = 'X';
  const MemoryFile file(bytes);
  EXPECT_THROW(prepared_records(file.path(), AlphabetKind::Amino), FileError);
}

TEST_F(DamagedDatabase, IsRefusedIfOfAnotherVersionOrByteOrder) {
  std::string newer = good_;
  newer[offsetof(Header, version)] = 3;
  EXPECT_NE(opening_failure(MemoryFile(newer).path()).find("version 3; expected version 2"),
            std::string::npos);
  std::string foreign = good_;
  std::reverse(foreign.begin() + offsetof(Header, byte_order), foreign.begin() + offsetof(Header, version));
  EXPECT_NE(opening_failure(MemoryFile(foreign).path()).find("other byte order"), std::string::npos);
  std::string as_text = good_;
  as_text.erase(5, 1);
  EXPECT_NE(opening_failure(MemoryFile(as_text).path()).find("line ends"), std::string::npos);
}

TEST_F(DamagedDatabase, IsRefusedIfItIsAnotherFile) {
  EXPECT_NE(opening_failure("/absent/file"), "");
  EXPECT_NE(opening_failure("/"), "");
  EXPECT_NE(opening_failure(MemoryFile("").path()), "");
  EXPECT_NE(opening_failure(MemoryFile(">a\nACDEFGHIKLMNPQRSTVWY\n").path()).find("not a prepared"),
            std::string::npos);
}

TEST_F(DamagedDatabase, IsRefusedForWrongContentWithRightChecksums) {
  const auto damaged = [this](const char* what, const std::function<void(std::string&, Trailer&)>& change) {
    EXPECT_NE(forgery_failure(change).find(what), std::string::npos) << forgery_failure(change);
  };
  damaged("residue code", [](std::string& b, Trailer& t) { b[t.sections[kResidues].offset + 7] = 24; });
  damaged("residue code", [](std::string& b, Trailer& t) { b[t.sections[kResidues].offset] = '\xff'; });
  damaged("residue code", [](std::string&, Trailer& t) { t.alphabet = 1; });
  damaged("residue offsets",
          [](std::string& b, Trailer& t) { set_number(b, t.sections[kResidueEnds], 0, 1U << 30); });
  damaged("residue offsets",
          [](std::string& b, Trailer& t) { set_number(b, t.sections[kResidueEnds], 6, 1); });
  damaged("name offsets", [](std::string& b, Trailer& t) { set_number(b, t.sections[kTextEnds], 4, ~0ULL); });
  damaged("name offsets",
          [](std::string& b, Trailer& t) { set_number(b, t.sections[kTextEnds], 20, ~0ULL); });
  for (const std::uint64_t end : {std::uint64_t{1} << 30, ~std::uint64_t{0}}) {
    damaged("residue offsets",
            [=](std::string& b, Trailer& t) { set_number(b, t.sections[kResidueEnds], 8, end); });
    damaged("name offsets",
            [=](std::string& b, Trailer& t) { set_number(b, t.sections[kTextEnds], 26, end); });
  }
  damaged("length order",
          [](std::string& b, Trailer& t) { set_number(b, t.sections[kLongestFirst], 0, 1U << 30); });
  damaged("length order", [](std::string& b, Trailer& t) { set_number(b, t.sections[kLongestFirst], 1, 2); });
  damaged("length order",  // sequence 4 twice, instead of another one of its length
          [](std::string& b, Trailer& t) { set_number(b, t.sections[kLongestFirst], 4, 4); });
  damaged("length order", [](std::string&, Trailer& t) { t.longest = 7; });
  constexpr std::uint64_t kMiddle = std::uint64_t{'O'} << kIndexBits;  // O instead of the first residue
  damaged("residues for HMMER3",
          [](std::string& b, Trailer& t) { set_number(b, t.sections[kHmmer3Residues], 1, kMiddle); });
  damaged("residues for HMMER3", [](std::string& b, Trailer& t) {
    set_number(b, t.sections[kHmmer3Residues], 0, std::uint64_t{'1'} << kIndexBits);
  });
  damaged("residues for HMMER3", [](std::string& b, Trailer& t) {
    set_number(b, t.sections[kHmmer3Residues], 0, kMiddle | t.residues);
  });
  damaged("names for HMMER3",
          [](std::string& b, Trailer& t) { set_number(b, t.sections[kHmmer3TextEntries], 0, ~0ULL); });
  damaged("names for HMMER3",
          [](std::string& b, Trailer& t) { set_number(b, t.sections[kHmmer3TextEntries], 1, ~0ULL); });
  damaged("names for HMMER3", [](std::string&, Trailer& t) { t.sections[kHmmer3TextEntries].size = 0; });
  damaged("end for HMMER3",
          [](std::string& b, Trailer& t) { set_number(b, t.sections[kHmmer3End], 0, ~0ULL); });
  damaged("end for HMMER3", [](std::string&, Trailer& t) { t.sections[kHmmer3End].size = 9; });
  damaged("section table", [](std::string&, Trailer& t) { t.sections[kHmmer3Residues].size -= 1; });
  damaged("section table", [](std::string&, Trailer& t) { t.alphabet = 2; });
  damaged("section table", [](std::string&, Trailer& t) { t.sequences = 0; });
  damaged("section table", [](std::string&, Trailer& t) { t.sequences = 1ULL << 61; });
  damaged("section table", [](std::string&, Trailer& t) {  // sizes that are right modulo 2^64
    t.sequences = 1ULL << 61;
    for (const Section s : {kTextEnds, kResidueEnds, kLongestFirst}) t.sections[s].size = 0;
  });
  damaged("section table", [](std::string&, Trailer& t) { t.residues -= 1; });
  damaged("section table", [](std::string&, Trailer& t) { t.file_size += 4096; });
  for (std::size_t s = 0; s < kSectionCount; ++s) {
    damaged("section table", [s](std::string&, Trailer& t) { t.sections[s].offset += 8; });
    damaged("section table", [s](std::string&, Trailer& t) { t.sections[s].offset = ~std::uint64_t{4095}; });
    damaged("section table", [s](std::string&, Trailer& t) { t.sections[s].size = ~std::uint64_t{7}; });
  }
}

TEST(DatabaseLayout, HasOffsetsBeyond32Bits) {
  static_assert(sizeof(SectionEntry::offset) == 8 && sizeof(SectionEntry::size) == 8);
  EXPECT_EQ(aligned(0), 0U);
  EXPECT_EQ(aligned(1), kAlignment);
  EXPECT_EQ(aligned((1ULL << 40) + 1), (1ULL << 40) + kAlignment);
}

TEST(Checksum, JoinsPiecesToThatOfTheWhole) {
  const std::string text = odd_fasta();
  const std::string_view view = text;
  for (const std::size_t cut : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, text.size()}) {
    const std::uint32_t tail = extend_checksum(0, view.substr(cut));
    EXPECT_EQ(join_checksums(extend_checksum(0, view.substr(0, cut)), tail, text.size() - cut),
              extend_checksum(0, view));
  }
  EXPECT_EQ(extend_checksum(0, "123456789"), 0xcbf43926U);
}

}  // namespace
}  // namespace gpuhmm
