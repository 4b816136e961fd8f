// Data sets, layouts, occupancy, published figures and tables of the ladder.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

#include "experiment/ladder/ladder.hpp"
#include "experiment/ladder/occupancy.hpp"
#include "experiment/ladder/tables.hpp"
#include "gpuhmm/profile_file.hpp"

namespace gpuhmm::experiment::ladder {
namespace {

Sizes small_sizes() {
  Sizes sizes;
  sizes.subset = 100;
  sizes.base = 757;
  sizes.groups = 20;
  sizes.distribution = 20'000;
  return sizes;
}

std::vector<std::size_t> lengths_of(const SequenceBatch& batch) {
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < batch.size(); ++i) lengths.push_back(batch.length(i));
  return lengths;
}

TEST(LadderData, SubsetHasLengthsFrom550To1500AndTheirMean) {
  Sizes sizes = small_sizes();
  sizes.subset = 5000;
  const SequenceBatch batch = make_sequences(Set::Subset, {}, sizes);
  ASSERT_EQ(batch.size(), 5000U);
  const std::vector<std::size_t> lengths = lengths_of(batch);
  EXPECT_GE(std::ranges::min(lengths), 550U);
  EXPECT_LE(std::ranges::max(lengths), 1500U);
  EXPECT_NEAR(static_cast<double>(batch.residue_count()) / 5000, 786, 15);
  sizes.divisor = 10;
  EXPECT_LE(std::ranges::max(lengths_of(make_sequences(Set::Subset, {}, sizes))), 150U);
}

TEST(LadderData, SetsAreThoseOfThePublication) {
  const Sizes sizes = small_sizes();
  const SequenceBatch equal = make_sequences(Set::Equal, {}, sizes);
  const SequenceBatch different = make_sequences(Set::Different, {}, sizes);
  ASSERT_EQ(equal.size(), 100U);
  ASSERT_EQ(different.size(), 100U);
  EXPECT_EQ(equal.residue_count(), 3200U);
  EXPECT_EQ(different.residue_count(), 3200U);
  EXPECT_TRUE(std::ranges::equal(equal.residues(0), equal.residues(99)));
  EXPECT_FALSE(std::ranges::equal(different.residues(0), different.residues(99)));
  std::vector<std::size_t> rising = lengths_of(make_sequences(Set::Rising, {}, sizes));
  std::vector<std::size_t> shuffled = lengths_of(make_sequences(Set::Shuffled, {}, sizes));
  ASSERT_EQ(rising.size(), 640U);
  EXPECT_EQ(rising.front(), 10U);
  EXPECT_EQ(rising.back(), 499U);
  EXPECT_TRUE(std::ranges::is_sorted(rising));
  for (std::size_t i = 0; i < rising.size(); ++i) EXPECT_EQ(rising[i], rising[i / 32 * 32]);
  EXPECT_FALSE(std::ranges::is_sorted(shuffled));
  std::ranges::sort(shuffled);
  EXPECT_EQ(shuffled, rising);
  EXPECT_EQ(make_sequences(Set::Base, {}, sizes).size(), 757U);
  EXPECT_EQ(Sizes().groups * 32, 10'016U);
}

TEST(LadderData, AreTheSameForTheSameSeed) {
  Request one, other;
  other.seed = 2;
  const SequenceBatch a = make_sequences(Set::Mixed, one, small_sizes());
  const SequenceBatch b = make_sequences(Set::Mixed, one, small_sizes());
  EXPECT_EQ(lengths_of(a), lengths_of(b));
  EXPECT_NE(lengths_of(a), lengths_of(make_sequences(Set::Mixed, other, small_sizes())));
  EXPECT_EQ(read_families(one)[3].model->match, read_families(one)[3].model->match);
  EXPECT_NE(read_families(one)[3].model->match, read_families(other)[3].model->match);
}

TEST(LadderData, RandomModelsHaveThePublishedNodes) {
  double nodes = 0;
  for (const Family& family : read_families({})) {
    EXPECT_EQ(family.model->nodes, family.published->nodes);
    nodes += family.model->nodes;
  }
  EXPECT_DOUBLE_EQ(nodes / 20, published_means().nodes);
}

TEST(LadderData, RealProfilesAndSequencesAreFoundByNameAndLength) {
  const std::string folder = ::testing::TempDir();
  Request request;
  request.profiles = std::string(GPUHMM_TESTDATA) + "/hmm/Pkinase_ls.hmm";
  const std::vector<Family> families = read_families(request);
  EXPECT_EQ(families[family_named("Pkinase")].model->nodes, read_profiles(*request.profiles).front().nodes);
  EXPECT_FALSE(families[family_named("GP120")].model);
  request.sequences = folder + "/ladder.fa";
  std::ofstream(*request.sequences) << ">a\n"
                                    << std::string(600, 'A') << "\n>b\nACD\n>c\n"
                                    << std::string(1501, 'C') << "\n";
  const SequenceBatch subset = make_sequences(Set::Subset, request, small_sizes());
  ASSERT_EQ(subset.size(), 1U);
  EXPECT_EQ(subset.length(0), 600U);
  EXPECT_EQ(make_sequences(Set::Base, request, small_sizes()).size(), 3U);
}

TEST(LadderLayout, CoalescedResiduesLieByPosition) {
  SequenceBatch batch;
  for (const std::vector<std::uint8_t>& residues : {std::vector<std::uint8_t>{1, 2, 3}, {4, 5, 6}, {7}}) {
    batch.begin_sequence("s", "", "");
    batch.append_residues(residues);
  }
  const std::vector<std::size_t> order{0, 1, 2};
  const Arrangement bytes = arrange(batch, order, true, 1);
  EXPECT_EQ(bytes.residues, (std::vector<std::uint8_t>{1, 4, 7, 2, 5, 3, 6}));
  EXPECT_EQ(bytes.starts, (std::vector<std::uint32_t>{0, 3, 5}));
  const Arrangement words = arrange(batch, order, false, 4);
  EXPECT_EQ(words.residues, (std::vector<std::uint8_t>{1, 2, 3, 0, 4, 5, 6, 0, 7, 0, 0, 0}));
  EXPECT_EQ(words.starts, (std::vector<std::uint32_t>{0, 4, 8}));
  EXPECT_EQ(words.lengths, (std::vector<std::int32_t>{3, 3, 1}));
  batch.begin_sequence("empty", "", "");
  EXPECT_THROW(arrange(batch, std::vector<std::size_t>{3}, false, 1), std::invalid_argument);
}

TEST(LadderLayout, LocalEmissionsTakeThePublishedBytes) {
  EXPECT_EQ(local_bytes(single_variant(Single::PeLoc), 270, 20, 256).used, 47'520U);
  EXPECT_EQ(local_bytes(single_variant(Single::PeLoc), 297, 20, 256).used, 47'520U);
  EXPECT_GT(local_bytes(single_variant(Single::PeLoc), 298, 20, 256).used, 49'152U);
  EXPECT_EQ(local_bytes(single_variant(Single::PtsLoc), 270, 20, 256).used, 256U);
}

TEST(LadderOccupancy, IsThatOfThePublication) {
  const std::map<std::size_t, int> percent{{32, 17},  {64, 33},  {96, 25},  {128, 33}, {160, 21}, {192, 25},
                                           {224, 29}, {256, 33}, {288, 19}, {320, 21}, {352, 23}, {384, 25},
                                           {416, 27}, {448, 29}, {480, 31}, {512, 33}};
  for (const auto& [group, expected] : percent)
    EXPECT_EQ(std::lround(100 * occupancy(kFermi, 63, 0, group)), expected) << group;
  EXPECT_EQ(occupancy(kFermi, 37, 0, 256), 0.5);
  EXPECT_EQ(std::lround(100 * occupancy(kFermi, 63, 47'520, 256)), 17);
}

TEST(LadderPublished, FiguresAreComplete) {
  const auto families = published_families();
  ASSERT_EQ(families.size(), 20U);
  for (std::size_t variant = 0; variant < kSingles; ++variant) {
    double sum = 0;
    int count = 0;
    for (const PublishedFamily& family : families) {
      if (std::isnan(family.seconds[variant])) continue;
      sum += family.seconds[variant];
      ++count;
    }
    EXPECT_EQ(count, variant == static_cast<std::size_t>(Single::PeLoc) ? 17 : 20);
    EXPECT_NEAR(sum / count, published_means().seconds[variant], 0.02) << variant;
  }
  // The printed GCUPS count 3Q+5 cells of every residue of the base.
  for (const PublishedFamily& family : families) {
    EXPECT_NEAR((3 * family.nodes + 5) * kBaseResidues / family.final_kernel[3] * 1e-9,
                family.final_kernel[6], 0.03)
        << family.name;
  }
}

TEST(LadderTables, HaveColumnsOfThePublicationWithoutAnyDevice) {
  const Experiment all = ladder_experiment();
  ASSERT_EQ(all.tables.size(), 28U);
  std::map<std::string, Table> tables;
  for (const TableSource& source :
       chosen_tables(all, {"memory", "7.2", "8.1", "8.2", "8.7", "9.5", "10.1", "10.2", "groups", "grain"}))
    tables.emplace(source.id, measure(source, {}));
  const auto columns = [&](const std::string& id, Origin origin) {
    return std::ranges::count_if(tables.at(id).columns,
                                 [origin](const Column& column) { return column.origin == origin; });
  };
  EXPECT_EQ(tables.at("8.1").rows.size(), 21U);
  EXPECT_EQ(columns("8.1", Origin::Published), 2);
  EXPECT_EQ(columns("8.2", Origin::Published), 8);
  EXPECT_EQ(columns("8.2", Origin::Measured), 8);
  EXPECT_EQ(tables.at("8.7").rows.size(), 21U);
  EXPECT_EQ(tables.at("10.1").rows.size(), 12U);
  EXPECT_EQ(tables.at("10.2").rows.size(), 12U);
  EXPECT_EQ(tables.at("groups").rows.size(), 16U);
  EXPECT_EQ(tables.at("memory").rows.size(), 22U);
  EXPECT_EQ(tables.at("8.1").rows[0][4].text(), "");
  EXPECT_TRUE(tables.at("8.1").rows[0][3].is_absent());
  EXPECT_EQ(tables.at("8.1").rows[0][3].text(), "no OpenCL device");
  EXPECT_EQ(tables.at("9.5").rows[4][4].text(), "the publication has no figure") << "COX1 did not run";
  EXPECT_EQ(*tables.at("8.1").rows[20][2].number(), 144.13);
}

TEST(LadderTables, HostColumnsAreMeasuredWithoutAnyDevice) {
  Request request;
  request.runs = 1;
  const Experiment experiment = ladder_experiment();
  const Table table = measure(chosen_tables(experiment, {"families"}).front(), request);
  ASSERT_EQ(table.columns[4].name, "host vectors");
  for (std::size_t row = 0; row < 20; ++row) {
    EXPECT_GT(*table.rows[row][3].number(), 0);
    EXPECT_GT(*table.rows[row][4].number(), 0);
    EXPECT_EQ(table.rows[row][7].text(), "no OpenCL device");
  }
}

}  // namespace
}  // namespace gpuhmm::experiment::ladder
