// Alignment of whole sequences; hmm2align's own answers are compared in tests/oracle/align.py.
#include "search/profile_alignment.hpp"

#include <gtest/gtest.h>

#include "formats/profile/profile_reader.hpp"
#include "plan7/aligner.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/random.hpp"
#include "search/thresholds.hpp"

namespace gpuhmm {
namespace {

Profile toy() { return read_profiles(GPUHMM_TESTDATA "/vectors/toy5.hmm").front(); }

void add(SequenceBatch& batch, const Profile& profile, std::string_view letters) {
  batch.begin_sequence("s" + std::to_string(batch.size()), {}, {});
  for (const char c : letters) {
    batch.residue_buffer().push_back(Alphabet::get(profile.alphabet).code(c));
  }
}

std::string text_of(const ProfileRow& row) {
  ProfileColumns columns(row.nodes(), InsertStyle::Letters);
  columns.widen(row);
  return columns.spread(row);
}

TEST(ProfileAlignment, OneDomainASequence) {
  const Profile profile = toy();
  SequenceBatch batch;
  for (const char* const letters : {"CCFFEFFCCFEF", "", "YFDKYYFDKY"}) add(batch, profile, letters);
  const std::vector<ProfileRow> rows = align_to_profile(profile, batch, 2);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(text_of(rows[0]), "ccffeffc-CFEF");  // as hmm2align has them
  EXPECT_EQ(text_of(rows[1]), "-----");
  EXPECT_EQ(text_of(rows[2]), "YFDkyYFdky");
}

TEST(ProfileAlignment, SequenceWithoutPathIsAnError) {
  Profile profile = toy();
  profile.begin_delete = 0;
  for (Transitions& t : profile.transition) t.md = 0;
  SequenceBatch batch;
  add(batch, profile, "YFDKY");
  add(batch, profile, "YFDK");
  try {
    align_to_profile(profile, batch, 1);
    FAIL();
  } catch (const SearchError& error) {
    EXPECT_STREQ(error.what(),
                 "sequence s1 (number 2) cannot be aligned: the profile toy5 has no path for it");
  }
}

// A sequence that just fits the matrix of HMMER 2 makes room for one that does not fit alone, and small
// memory finds other paths among equals: the order of the sequences decides, not that of the work.
TEST(ProfileAlignment, IsThatOfOneSequenceAfterTheOther) {
  const Profile profile = read_profiles(GPUHMM_TESTDATA "/hmm/MADE1_fs.hmm").front();
  const std::size_t bytes_a_row = 12 * (static_cast<std::size_t>(profile.nodes) + 2) + 52;
  const std::size_t limit = (33 * 1048576 - 80) / bytes_a_row - 1;
  RandomStream stream;
  stream.seed(3);
  SequenceBatch batch;
  for (const std::size_t length :
       {limit, limit + 40, limit - 25, limit, limit - 20, std::size_t{80}, limit + 1}) {
    std::string letters;
    for (std::size_t i = 0; i < length; ++i) letters += "ACGT"[stream.next() % 4];
    add(batch, profile, letters);
  }
  ScoreModel model(profile);
  model.e_to_j = kMinusInfinity;
  MatrixRule rule(profile.nodes);
  const std::vector<ProfileRow> rows = align_to_profile(profile, batch, 3);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const AlignedSequence aligned = align(model, profile, batch.residues(i), rule);
    const ProfileRow row =
        profile_row(Alphabet::get(profile.alphabet), profile.nodes, batch.residues(i), *aligned.trace);
    EXPECT_EQ(text_of(rows[i]), text_of(row)) << i;
  }
}

}  // namespace
}  // namespace gpuhmm
