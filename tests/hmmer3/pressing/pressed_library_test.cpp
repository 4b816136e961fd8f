// Pressed databases read back: all parameters are those that the profiles give, bit for bit; damage is found.
#include "hmmer3/pressing/pressed_library.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>

#include "formats/io/temporary_folder.hpp"
#include "formats/profile/hmmer3_binary.hpp"
#include "hmmer3/comparison.hpp"
#include "hmmer3/random_profiles.hpp"
#include "hmmer3/whole_comparison.hpp"

namespace gpuhmm::hmmer3 {
namespace {

using namespace gpuhmm::test;
using test::Generator;

const std::string kFolder = std::string(GPUHMM_TESTDATA) + "/hmmer3/";
constexpr double kAll = 1e9;

PressedLibrary open_library(const std::string& path) {
  return PressedLibrary::of(open_pressed(path)).value();
}

/// Binary profiles of all kinds: random ones of many sizes, with and without what is optional.
std::string random_library(Generator& random, AlphabetKind alphabet) {
  std::string bytes;
  for (const int nodes : {1, 2, 3, 4, 5, 8, 9, 15, 16, 17, 31, 32, 33, 64, 100, 129, 300, 421}) {
    Profile profile = test::random_profile(random, alphabet, nodes, {.zeros = nodes % 3 == 0 ? 0.05 : 0});
    const std::string line = profile.consensus;
    if (nodes % 2 == 0) profile.accession = "ACC" + std::to_string(nodes);
    if (nodes % 3 == 0) profile.description = "of " + std::to_string(nodes) + " nodes";
    if (nodes % 4 == 0) profile.rf = line;
    if (nodes % 5 == 0) profile.cs = line;
    if (nodes % 8 == 1) profile.mm = line;
    if (nodes % 2 == 1) profile.gathering = Cutoff{20.5F, 20};
    if (nodes % 3 == 1) profile.noise = Cutoff{1, -1};
    if (nodes % 4 == 3) profile.trusted = Cutoff{30, 0};
    profile.statistics = {-4.5F, 0.7F, -5.25F, 0.71F, -3.5F, 0.72F};
    bytes += hmmer3_binary(profile);
  }
  return bytes;
}

std::vector<std::uint32_t> bits(const float* values, std::size_t count) {
  std::vector<std::uint32_t> all(count);
  std::transform(values, values + count, all.begin(),
                 [](float x) { return std::bit_cast<std::uint32_t>(x); });
  return all;
}
std::vector<std::uint32_t> bits(const std::optional<Cutoff>& cutoff) {
  if (!cutoff) return {};
  return bits(std::array{cutoff->sequence, cutoff->domain}.data(), 2);
}

void expect_same(const Profile& found, const Profile& expected) {
  EXPECT_EQ(found.name, expected.name);
  EXPECT_EQ(found.accession, expected.accession);
  EXPECT_EQ(found.description, expected.description);
  EXPECT_EQ(found.alphabet, expected.alphabet);
  EXPECT_EQ(found.nodes, expected.nodes);
  EXPECT_EQ(found.consensus, expected.consensus);
  EXPECT_EQ(found.rf, expected.rf);
  EXPECT_EQ(found.mm, expected.mm);
  EXPECT_EQ(found.cs, expected.cs);
  EXPECT_EQ(found.max_length, expected.max_length);
  EXPECT_EQ(bits(&found.statistics.msv_mu, 6), bits(&expected.statistics.msv_mu, 6));
  EXPECT_EQ(bits(found.gathering), bits(expected.gathering));
  EXPECT_EQ(bits(found.trusted), bits(expected.trusted));
  EXPECT_EQ(bits(found.noise), bits(expected.noise));
}

void expect_same(const SearchProfile& found, const SearchProfile& expected) {
  expect_same(found.profile, expected.profile);
  const ByteModel &bytes = found.filters.bytes, &expected_bytes = expected.filters.bytes;
  EXPECT_EQ(bytes.nodes, expected_bytes.nodes);
  EXPECT_EQ(bytes.bias, expected_bytes.bias);
  EXPECT_EQ(bytes.begin_cost, expected_bytes.begin_cost);
  EXPECT_EQ(bytes.end_cost, expected_bytes.end_cost);
  EXPECT_EQ(bytes.costs, expected_bytes.costs);
  const WordModel &words = found.filters.words, &expected_words = expected.filters.words;
  EXPECT_EQ(words.nodes, expected_words.nodes);
  EXPECT_EQ(words.end_score, expected_words.end_score);
  EXPECT_EQ(words.match, expected_words.match);
  EXPECT_EQ(words.steps, expected_words.steps);
  const BiasModel &bias = found.filters.bias, &expected_bias = expected.filters.bias;
  EXPECT_EQ(bits(&bias.leave, 1), bits(&expected_bias.leave, 1));
  EXPECT_EQ(bits(&bias.stay, 1), bits(&expected_bias.stay, 1));
  EXPECT_EQ(bits(bias.odds.data(), bias.odds.size()),
            bits(expected_bias.odds.data(), expected_bias.odds.size()));
  const FloatModel &floats = found.floats, &expected_floats = expected.floats;
  ASSERT_EQ(floats.steps(), expected_floats.steps());
  ASSERT_EQ(floats.codes(), expected_floats.codes());
  const std::size_t row = floats.steps() * kStripes;
  EXPECT_EQ(bits(floats.transitions(), row * kSteps), bits(expected_floats.transitions(), row * kSteps));
  EXPECT_EQ(bits(floats.emissions(0), row * floats.codes()),
            bits(expected_floats.emissions(0), row * floats.codes()));
}

/// Compares the database of `path`, read in groups of `nodes` nodes, with the profiles.
void expect_same_library(const std::string& path, double nodes) {
  ProfileReader reader = open_pressed(path);
  PressedLibrary library = open_library(path);
  std::size_t count = 0;
  while (!library.at_end()) {
    const PressedGroup group = library.next(nodes);
    for (const FilterRecord& record : group.records()) {
      SCOPED_TRACE(record.name);
      EXPECT_EQ(record.number, ++count);
      expect_same(group.whole(record, true), SearchProfile(reader.next().value()));
    }
  }
  EXPECT_FALSE(reader.next());
  EXPECT_GT(count, 0U);
  EXPECT_EQ(library.fraction_read(), 1.0);
  EXPECT_TRUE(library.next(nodes).records().empty());
}

TEST(PressedLibrary, GivesWhatTheProfilesGive) {
  for (const std::string name : {"XYPPX.hmm", "ecori.hmm", "scoring/Pkinase.hmm"}) {
    const TemporaryFolder folder;
    const std::string path = folder.write("library", file_bytes(kFolder + name));
    press(path, false);
    expect_same_library(path, kAll);
  }
  Generator random(1);
  for (const auto alphabet : {AlphabetKind::Hmmer3Amino, AlphabetKind::Hmmer3Dna, AlphabetKind::Hmmer3Rna}) {
    const TemporaryFolder folder;
    const std::string path = folder.write("library", random_library(random, alphabet));
    press(path, false);
    for (const double nodes : {1.0, 100.0, 500.0, kAll}) expect_same_library(path, nodes);
  }
}

TEST(PressedLibrary, IsOfTheCurrentFormatOnly) {
  const TemporaryFolder folder;
  const std::string path = folder.write("library", file_bytes(kFolder + "XYPPX.hmm"));
  EXPECT_FALSE(PressedLibrary::of(ProfileReader(path)));
  press(path, false);
  EXPECT_TRUE(PressedLibrary::of(ProfileReader(path)));
  EXPECT_FALSE(PressedLibrary::of(ProfileReader(path, {.prefer_pressed = false})));
  for (const std::string suffix : {".h3f", ".h3p"}) {
    const std::string whole = file_bytes(path + suffix);
    folder.write("library" + suffix, "\xf2" + whole.substr(1));
    EXPECT_FALSE(PressedLibrary::of(ProfileReader(path)));
    folder.write("library" + suffix, whole);
  }
}

class DamagedLibrary : public testing::Test {
 protected:
  void SetUp() override {
    Generator random(2);
    path_ = folder_.write("library", random_library(random, AlphabetKind::Hmmer3Amino));
    press(path_, false);
  }

  /// What reading all of the database says when a file is replaced: our words and HMMER3's.
  std::pair<std::string, std::string> complaint(const std::string& suffix, const std::string& bytes) {
    const std::string before = file_bytes(path_ + suffix);
    folder_.write("library" + suffix, bytes);
    std::pair<std::string, std::string> found;
    try {
      PressedLibrary library = open_library(path_);
      const PressedGroup group = library.next(kAll);
      for (const FilterRecord& record : group.records()) group.whole(record, false);
    } catch (const ProfileFileError& error) {
      found = {error.what(), error.hmmer3_text()};
    }
    folder_.write("library" + suffix, before);
    return found;
  }
  std::string changed(const std::string& suffix, std::size_t at, char byte) const {
    std::string bytes = file_bytes(path_ + suffix);
    bytes.at(at) = byte;
    return bytes;
  }

  TemporaryFolder folder_;
  std::string path_;
};

TEST_F(DamagedLibrary, CutOffIsNoticedEverywhere) {
  for (const std::string suffix : {".h3f", ".h3p"}) {
    const std::string whole = file_bytes(path_ + suffix);
    for (std::size_t size = 4; size < whole.size(); size += size < 2000 ? 23 : 5003) {
      SCOPED_TRACE(size);
      EXPECT_NE(complaint(suffix, whole.substr(0, size)).first.find(suffix), std::string::npos);
    }
    EXPECT_EQ(complaint(suffix, whole).first, "");
  }
}

TEST_F(DamagedLibrary, IsNamedInTheWordsOfHmmscan) {
  const std::string whole = file_bytes(path_ + ".h3f");
  const std::string start = "bad format, binary auxfiles, " + path_ + ":\n";
  for (const auto& [size, words] : {std::pair{4, "model size M"},
                                    {8, "alphabet type"},
                                    {12, "name length"},
                                    {16, "name"},
                                    {17, "max_length"},
                                    {24, "max_length"},
                                    {28, "tbm"},
                                    {29, "tec"},
                                    {30, "tjb"},
                                    {31, "scale"},
                                    {35, "base"},
                                    {36, "bias"},
                                    {37, "ssv scores at 0 [residue A]"},
                                    {37 + 304 + 15, "ssv scores at 1 [residue C]"},
                                    {37 + 304 + 16, "ssv scores at 2 [residue D]"},
                                    {37 + 29 * 304 - 16, "msv scores at 0 [residue A]"},
                                    {37 + 29 * 304 + 47, "msv scores at 1 [residue C]"},
                                    {37 + 29 * 336 + 3, "stat params"},
                                    {37 + 29 * 336 + 4, "hmmpfam offsets"},
                                    {37 + 29 * 336 + 24 + 7, "hmmpfam offsets"},
                                    {37 + 29 * 336 + 24 + 8, "model composition"},
                                    {37 + 29 * 336 + 48, "model composition"}}) {
    EXPECT_EQ(complaint(".h3f", whole.substr(0, static_cast<std::size_t>(size))).second,
              start + "failed to read " + words);
  }
  EXPECT_EQ(complaint(".h3f", whole.substr(0, 37 + 29 * 336 + 128)).second,
            start + "no sentinel magic: .h3f file corrupted?");
  EXPECT_EQ(complaint(".h3f", whole.substr(0, whole.size() - 1)).second,
            "bad file format in HMM file " + path_);
}

TEST_F(DamagedLibrary, PartsThatDoNotBelongTogether) {
  const std::string filters = file_bytes(path_ + ".h3f"), scores = file_bytes(path_ + ".h3p");
  for (const auto& [suffix, at, byte, named] : {std::tuple{".h3f", 4, '\x7f', "profile 1"},
                                                {".h3f", 8, '\x04', "alphabet"},
                                                {".h3f", 17, 'X', "rXndom1"},
                                                {".h3f", 31, 'X', "scale"},
                                                {".h3f", 35, 'X', "base"},
                                                {".h3p", 4, '\x02', "random1"},
                                                {".h3p", 8, '\x02', "random1"},
                                                {".h3p", 17, 'X', "random1"},
                                                {".h3i", 21, '\x07', "profiles"}}) {
    const std::string what = complaint(suffix, changed(suffix, static_cast<std::size_t>(at), byte)).first;
    EXPECT_NE(what.find(named), std::string::npos) << suffix << ' ' << at << ": " << what;
  }
  // Another alphabet: the same profiles as RNA behind one of DNA.
  const TemporaryFolder other;
  std::string both;
  for (const auto alphabet : {AlphabetKind::Hmmer3Dna, AlphabetKind::Hmmer3Rna}) {
    Generator random(3);
    Profile profile = test::random_profile(random, alphabet, 7, {});
    const std::string path = other.write("one", hmmer3_binary(profile));
    press(path, true);
    both += file_bytes(path + ".h3f");
  }
  EXPECT_NE(complaint(".h3f", both).first.find("alphabet RNA after profiles of DNA"), std::string::npos);
}

TEST(PressedLibrary, IsComparedAsFarAsSequencesCome) {
  Generator random(4);
  const TemporaryFolder folder;
  const std::string path = folder.write("library", random_library(random, AlphabetKind::Hmmer3Amino));
  press(path, false);
  PressedLibrary library = open_library(path);
  const PressedGroup group = library.next(kAll);
  ProfileReader reader = open_pressed(path);
  int completed = 0, not_completed = 0, hits = 0;
  for (const FilterRecord& record : group.records()) {
    const Profile profile = reader.next().value();
    SequenceBatch batch;
    for (int i = 0; i < 6; ++i) {
      std::vector<std::uint8_t> residues = test::random_sequence(random, profile.alphabet, 50 * i);
      if (i == 5 && record.number % 2 == 0) test::plant(profile, residues, 10, 1);
      batch.begin_sequence("s" + std::to_string(i), "", "");
      batch.append_residues(residues);
    }
    for (const unsigned threads : {1U, 3U}) {
      std::optional<SearchProfile> whole;
      const FirstFilter first{record.name, record.statistics, record.costs, [&]() -> const SearchProfile& {
                                EXPECT_FALSE(whole);
                                return whole.emplace(group.whole(record, false));
                              }};
      FirstImpossible impossible(FirstImpossible::Order::Scan);
      const ComparisonPlace place{impossible, record.number, 0};
      const Comparisons found = compare(first, batch, {}, place, threads);
      const SearchProfile query{Profile(profile)};
      const Options options;
      StagedComparison comparison(query, batch, options, place);
      test::filter_all(comparison);
      const Comparisons expected = test::completed(comparison);
      EXPECT_EQ(found.stages, expected.stages);
      ASSERT_EQ(found.hits.size(), expected.hits.size());
      for (std::size_t i = 0; i < found.hits.size(); ++i) {
        EXPECT_EQ(found.hits[i].first, expected.hits[i].first);
        EXPECT_EQ(bits(&found.hits[i].second.score, 1), bits(&expected.hits[i].second.score, 1));
      }
      const bool passed = std::ranges::any_of(found.stages, [](Stage s) { return s != Stage::Nothing; });
      EXPECT_EQ(whole.has_value(), passed);
      ++(passed ? completed : not_completed);
      hits += static_cast<int>(found.hits.size());
    }
  }
  EXPECT_GT(completed, 3);
  EXPECT_GT(not_completed, 3);
  EXPECT_GT(hits, 3);
}

}  // namespace
}  // namespace gpuhmm::hmmer3
