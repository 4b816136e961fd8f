// HMMER's index of a profile file: found profiles, stale and damaged indexes. tests/cli compares it with the
// output of hmmindex.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "gpuhmm/profile_file.hpp"
#include "gpuhmm/profile_index.hpp"
#include "profile_files.hpp"

namespace gpuhmm {
namespace {

using namespace test;

std::string number(std::uint64_t value, int size) {
  std::string bytes;
  for (int byte = size - 1; byte >= 0; --byte) bytes += static_cast<char>(value >> (8 * byte));
  return bytes;
}

std::string padded(std::string text, std::size_t size) {
  text.resize(size, '\0');
  return text;
}

struct Entry {
  std::string name, accession;
  std::uint64_t offset;
};

/// An index as hmmindex writes it.
std::string ssi(std::vector<Entry> entries, std::uint32_t flags = 0) {
  std::ranges::sort(entries, {}, &Entry::name);
  constexpr std::uint32_t kHead = 54, kFile = 8, kKey = 16;
  std::string primary, secondary;
  std::uint32_t accessions = 0;
  for (const Entry& entry : entries) {
    primary +=
        padded(entry.name, kKey) + number(0, 2) + number(entry.offset, 4) + number(0, 4) + number(0, 4);
    if (entry.accession.empty()) continue;
    ++accessions;
    secondary += padded(entry.accession, kKey) + padded(entry.name, kKey);
  }
  const std::uint32_t file_size = kFile + 16;
  std::string all = number(0xf3f3e9b1, 4) + number(flags, 4) + number(1, 2);
  for (const std::uint64_t value :
       {std::uint64_t{entries.size()}, std::uint64_t{accessions}, std::uint64_t{kFile}, std::uint64_t{kKey},
        std::uint64_t{kKey}, std::uint64_t{file_size}, std::uint64_t{kKey + 14}, std::uint64_t{kKey + kKey},
        std::uint64_t{kHead}, std::uint64_t{kHead + file_size}, kHead + file_size + primary.size()}) {
    all += number(value, 4);
  }
  return all + padded("profiles", file_size) + primary + secondary;
}

class SsiIndexFile : public testing::Test {
 protected:
  SsiIndexFile() {
    for (const char* const name : {"RRM_1_ls.hmm", "Pkinase_ls.hmm", "Acetyltransf_1_ls.hmm"}) {
      const std::string text = file_bytes(std::string(GPUHMM_TESTDATA) + "/hmm/" + name);
      const Profile profile = parsed(text).front();
      entries_.push_back({profile.name, profile.accession.value_or(""), content_.size()});
      content_ += text;
    }
    path_ = folder_.write("profiles", content_);
  }
  void use_index(const std::string& bytes) { folder_.write("profiles.ssi", bytes); }
  std::string fault() const {
    try {
      read_ssi_index(path_);
    } catch (const FileError& error) {
      return error.what();
    }
    return {};
  }

  const TemporaryFolder folder_;
  std::string content_, path_;
  std::vector<Entry> entries_;
};

TEST_F(SsiIndexFile, GivesTheProfilesInFileOrder) {
  EXPECT_FALSE(read_ssi_index(path_));
  use_index(ssi(entries_));
  const auto profiles = read_ssi_index(path_);
  ASSERT_TRUE(profiles);
  ASSERT_EQ(profiles->size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ((*profiles)[i].name, entries_[i].name);
    EXPECT_EQ((*profiles)[i].accession, entries_[i].accession);
    EXPECT_EQ((*profiles)[i].offset, entries_[i].offset);
  }
}

TEST_F(SsiIndexFile, FindsTheProfilesThatReadingInOrderFinds) {
  std::vector<std::string> keys = {"none"};
  for (const Entry& entry : entries_) keys.insert(keys.end(), {entry.name, entry.accession});
  std::vector<std::string> plain;
  const auto name_of_found = [&](const auto& key) {
    const std::optional<Profile> found = find_profile(path_, key);
    return found ? found->name : std::string();
  };
  for (const std::string& key : keys) plain.push_back(name_of_found(key));
  for (std::int64_t place = -1; place < 4; ++place) plain.push_back(name_of_found(place));
  use_index(ssi(entries_));
  std::vector<std::string> indexed;
  for (const std::string& key : keys) indexed.push_back(name_of_found(key));
  for (std::int64_t place = -1; place < 4; ++place) indexed.push_back(name_of_found(place));
  EXPECT_EQ(indexed, plain);
}

TEST_F(SsiIndexFile, IsRefusedIfItBelongsToAnotherFile) {
  std::vector<Entry> wrong = entries_;
  std::swap(wrong[0].offset, wrong[1].offset);
  use_index(ssi(wrong));
  EXPECT_THROW(find_profile(path_, entries_[0].name), FileError);
  wrong[0].offset = content_.size() + 5;
  use_index(ssi(wrong));
  EXPECT_THROW(find_profile(path_, entries_[0].name), FileError);
}

TEST_F(SsiIndexFile, IsIgnoredIfOlderOrLarge) {
  use_index(ssi(entries_, 1));
  EXPECT_FALSE(read_ssi_index(path_));
  use_index(ssi({}));
  const auto now = std::filesystem::last_write_time(path_);
  std::filesystem::last_write_time(ssi_index_path(path_), now - std::chrono::seconds(5));
  EXPECT_FALSE(read_ssi_index(path_));
  EXPECT_TRUE(find_profile(path_, entries_[1].name));
}

TEST_F(SsiIndexFile, IsRefusedIfTruncatedOrAnotherFile) {
  const std::string whole = ssi(entries_);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    use_index(whole.substr(0, size));
    EXPECT_NE(fault().find("profiles.ssi: "), std::string::npos) << size;
  }
  use_index("HMMER2.0" + whole);
  EXPECT_NE(fault().find("is not an SSI index"), std::string::npos);
}

}  // namespace
}  // namespace gpuhmm
