// Alignment of whole sequences. tests/oracle/align.py compares more with hmm2align.
#include <gtest/gtest.h>

#include <algorithm>

#include "gpuhmm/align.hpp"
#include "gpuhmm/profile_file.hpp"

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

TEST(ProfileAlignment, AlignsEachSequenceByOneDomain) {
  const Profile profile = toy();
  SequenceBatch batch;
  for (const char* const letters : {"CCFFEFFCCFEF", "", "YFDKYYFDKY"}) add(batch, profile, letters);
  const std::vector<ProfileRow> rows = align_to_profile(profile, batch, 2);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(text_of(rows[0]), "ccffeffc-CFEF");  // as hmm2align aligns it
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
  } catch (const NoPath& error) {
    EXPECT_STREQ(error.what(),
                 "sequence s1 (number 2) cannot be aligned: the profile toy5 has no path for it");
  }
}

// All nodes prefer A but the last, which prefers G; every path runs from the first node to the last, and long
// inserts cost nothing. If there are fewer As than nodes, full matrix and small memory skip different nodes.
Profile profile_with_ties() {
  Profile profile = read_profiles(GPUHMM_TESTDATA "/hmm/MADE1_fs.hmm").front();
  std::ranges::fill(profile.null_emission, 0.25F);
  std::ranges::fill(profile.match, 0.01F);
  for (int k = 1; k <= profile.nodes; ++k) profile.match[4 * static_cast<std::size_t>(k)] = 0.97F;
  std::swap(profile.match[4 * static_cast<std::size_t>(profile.nodes)],
            profile.match[4 * static_cast<std::size_t>(profile.nodes) + 2]);
  std::ranges::fill(profile.insert, 0.25F);
  const float r = profile.null_loop;
  std::ranges::fill(profile.transition, Transitions{0.9F, 0.05F, 0.05F, 1 - r, r, 0.5F, 0.5F});
  std::ranges::fill(profile.begin, 0.0F);
  profile.begin[1] = 1;
  profile.begin_delete = 0;
  std::ranges::fill(profile.end, 0.0F);
  return profile;
}

// Residues of the longest sequence that HMMER 2 aligns in a full matrix that has grown this large.
std::size_t longest_in_matrix(const Profile& profile) {
  const std::size_t bytes_a_row = 12 * (static_cast<std::size_t>(profile.nodes) + 2) + 52;
  return (33 * 1048576 - 80) / bytes_a_row - 1;
}

// `length` residues with a domain that fills them from residue `first` (from 0) on.
std::string with_domain(std::size_t length, std::size_t first) {
  const std::string as(30, 'A');
  return std::string(first, 'C') + as + std::string(length - first - 2 * as.size() - 1, 'C') + as + 'G';
}

TEST(ProfileAlignment, MatrixKeepsTheSizeThatItGrewTo) {
  const Profile profile = profile_with_ties();
  const std::size_t limit = longest_in_matrix(profile);
  SequenceBatch batch;
  for (const std::size_t length : {std::size_t{200}, limit - 5, limit - 30, limit - 5}) {
    add(batch, profile, with_domain(length, 0));
  }
  for (const unsigned threads : {1U, 3U}) {
    const std::vector<ProfileRow> rows = align_to_profile(profile, batch, threads);
    EXPECT_NE(rows[0].matches(), rows[1].matches());
    EXPECT_EQ(rows[0].matches(), rows[3].matches());
  }
}

// A sequence may be too long for the matrix while its domain makes the matrix grow.
TEST(ProfileAlignment, MatrixGrowsByDomainsOfLongSequences) {
  const Profile profile = profile_with_ties();
  const std::size_t limit = longest_in_matrix(profile);
  SequenceBatch batch;
  add(batch, profile, with_domain(200, 0));
  add(batch, profile, with_domain(limit - 10, 0));
  add(batch, profile, with_domain(limit + 40, 70));
  add(batch, profile, with_domain(limit - 10, 0));
  for (const unsigned threads : {1U, 3U}) {
    const std::vector<ProfileRow> rows = align_to_profile(profile, batch, threads);
    EXPECT_NE(rows[0].matches(), rows[1].matches());
    EXPECT_EQ(rows[0].matches(), rows[3].matches());
  }
}

}  // namespace
}  // namespace gpuhmm
