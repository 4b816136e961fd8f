// A search with devices: which blocks of sequences it makes, and that it keeps none that it has compared.
#include <gtest/gtest.h>
#include <malloc.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gpuhmm/hmmer3_profile_file.hpp"
#include "gpuhmm/hmmer3_run.hpp"
#include "gpuhmm/record_range.hpp"
#include "gpuhmm/sequence_file.hpp"
#include "search/hmmer3_device_use.hpp"
#include "search/plain_devices.hpp"

namespace gpuhmm::hmmer3 {
namespace {

using test::PlainFinder;
using test::PlainScorer;

constexpr std::size_t kBlocks = 40, kSequences = 200, kLength = 1000;

// Notes the bytes in use whenever a block comes.
class CountingFinder : public PlainFinder {
 public:
  explicit CountingFinder(std::vector<std::size_t>& bytes) : PlainFinder(Way::Right, 0), bytes_(bytes) {}
  void load(const SequenceBatch& batch) override {
    PlainFinder::load(batch);
    const struct mallinfo2 info = mallinfo2();
    bytes_.push_back(info.uordblks + info.hblkhd);
  }

 private:
  std::vector<std::size_t>& bytes_;
};

class NoObserver : public SearchObserver {
 public:
  ResultWriter result(const Query&, QueryResult&&, const QueryTimes&) override {
    return [] {};
  }
  void warning(const std::string& message) override { ADD_FAILURE() << message; }
};

// Notes the residues of each block, and finds nothing.
class MeasuringFinder : public PlainFinder {
 public:
  explicit MeasuringFinder(std::vector<std::size_t>& residues)
      : PlainFinder(Way::Forgets, 0), residues_(residues) {}
  void load(const SequenceBatch& batch) override {
    PlainFinder::load(batch);
    residues_.push_back(batch.residue_count());
  }

 private:
  std::vector<std::size_t>& residues_;
};

// A file of equal sequences that no profile finds.
class EqualSequences : public SequenceReader {
 public:
  static constexpr std::size_t kResidues = std::size_t{1} << 16, kRecords = 3200;

  explicit EqualSequences(const RecordRange& range) { set_range(range); }
  const std::string& name() const override { return name_; }
  std::optional<double> fraction_read() const override {
    return static_cast<double>(records()) / double{kRecords};
  }

 private:
  bool read_record(SequenceBatch& into) override {
    if (records() == kRecords) return false;
    into.begin_sequence("s", "", "");
    into.append_residues(sequence_);
    return true;
  }

  std::string name_ = "equal sequences";
  std::vector<std::uint8_t> sequence_ = std::vector<std::uint8_t>(kResidues, 4);  // F
};

// Searches with one device; `batch_residues`: 0 for the sizes that the search chooses.
void search_with(std::unique_ptr<SsvFinder> finder, const SequenceOpener& open_sequences,
                 std::size_t batch_residues) {
  OpenedDevices opened({}, 1);
  opened.state().devices.push_back(
      {std::move(finder), std::make_unique<PlainScorer>(PlainScorer::Way::Right), nullptr});
  SearchOptions options;
  options.threads = 2;
  options.batch_residues = batch_residues;
  options.opened = &opened;
  ProfileReader profiles(std::string(GPUHMM_TESTDATA) + "/hmmer3/XYPPX.hmm");
  NoObserver observer;
  search(profiles, open_sequences, true, options, observer);
}

// The blocks that a device gets of these records, in Mi residues.
std::vector<std::size_t> blocks_of(const RecordRange& range) {
  std::vector<std::size_t> residues;
  search_with(
      std::make_unique<MeasuringFinder>(residues),
      [&](const Alphabet&) { return std::make_unique<EqualSequences>(range); }, 0);
  for (std::size_t& block : residues) block >>= 20U;
  return residues;
}

TEST(Hmmer3Blocks, AreEvenForAFileButNotForAShareOfIt) {
  using Sizes = std::vector<std::size_t>;
  EXPECT_EQ(blocks_of({}), (Sizes{16, 32, 77, 74}));
  // Which part of the share has been read is not known.
  EXPECT_EQ(blocks_of({.first = 960, .end = 2560}), (Sizes{16, 32, 52}));
}

TEST(Hmmer3Blocks, AreFreedWhenTheyHaveBeenCompared) {
  const std::string path = testing::TempDir() + "hmmer3_blocks_test.fasta";
  {
    std::ofstream out(path);
    std::mt19937 random(1);
    for (std::size_t s = 0; s < kBlocks * kSequences; ++s) {
      out << ">s" << s << '\n';
      for (std::size_t i = 0; i < kLength; ++i) out << "ACDEFGHIKLMNPQRSTVWY"[random() % 20];
      out << '\n';
    }
  }
  constexpr std::size_t kBlockResidues = kSequences * kLength;
  std::vector<std::size_t> bytes;
  search_with(
      std::make_unique<CountingFinder>(bytes),
      [&](const Alphabet& alphabet) { return open_sequences(path, alphabet); }, kBlockResidues);
  std::filesystem::remove(path);
  ASSERT_GE(bytes.size(), kBlocks);
  // Up to five blocks are under way at any time.
  EXPECT_LT(bytes[kBlocks - 1], bytes[9] + 10 * kBlockResidues);
}

}  // namespace
}  // namespace gpuhmm::hmmer3
