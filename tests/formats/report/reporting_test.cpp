// Selection and order of reported hits.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "formats/report/target_hits.hpp"
#include "gpuhmm/hits.hpp"
#include "made_hits.hpp"

namespace gpuhmm {
namespace {

SequenceHit sequence_hit(float score, double p_value, std::uint64_t index) {
  SequenceHit hit;
  hit.score = score;
  hit.p_value = p_value;
  hit.target_index = index;
  return hit;
}

template <class Hit>
std::vector<std::uint64_t> indices(const std::vector<const Hit*>& hits) {
  std::vector<std::uint64_t> result;
  for (const Hit* hit : hits) result.push_back(hit->target_index);
  return result;
}

using Indices = std::vector<std::uint64_t>;

TEST(RankHits, SortsSearchesByScoreAndKeepsTheOrderOfTies) {
  const std::vector<SequenceHit> hits{sequence_hit(1, 0.1, 0), sequence_hit(5, 0.5, 1),
                                      sequence_hit(1, 0.01, 2), sequence_hit(-2, 0.9, 3),
                                      sequence_hit(5, 0.5, 4)};
  EXPECT_EQ(indices(rank_hits(hits, {}, ReportKind::Search).sequences), (Indices{1, 4, 0, 2, 3}));
}

TEST(RankHits, SortsScansByPValueThenByScoreIfItIsZero) {
  const std::vector<SequenceHit> hits{sequence_hit(10, 1e-3, 0), sequence_hit(5, 0, 1),
                                      sequence_hit(9, 1e-5, 2), sequence_hit(6, 0, 3),
                                      sequence_hit(50, 1e-3, 4)};
  EXPECT_EQ(indices(rank_hits(hits, {}, ReportKind::Scan).sequences), (Indices{3, 1, 2, 0, 4}));
}

TEST(RankHits, SortsDomainsOfScansByPosition) {
  std::vector<DomainHit> domains(4);
  const int starts[] = {50, 7, 50, 8};
  for (std::size_t i = 0; i < domains.size(); ++i) {
    domains[i].sequence_from = starts[i];
    domains[i].score = static_cast<float>(i);
    domains[i].target_index = i;
  }
  EXPECT_EQ(indices(rank_hits({}, domains, ReportKind::Scan).domains), (Indices{1, 3, 0, 2}));
  EXPECT_EQ(indices(rank_hits({}, domains, ReportKind::Search).domains), (Indices{3, 2, 1, 0}));
}

/// Compares with the plain rules for random hits and thresholds; every threshold is inclusive.
TEST(ReportedHits, FollowTheRules) {
  std::mt19937 random(1);
  const auto pick = [&](std::initializer_list<double> values) {
    return values.begin()[random() % values.size()];
  };
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<SequenceHit> sequences(5);
    std::vector<DomainHit> domains(8);
    for (SequenceHit& hit : sequences) {
      hit.score = static_cast<float>(pick({1, 2, 3}));
      hit.p_value = pick({0.25, 0.5, 1});
    }
    for (DomainHit& hit : domains) {
      hit.score = static_cast<float>(pick({1, 2, 3}));
      hit.sequence_score = static_cast<float>(pick({1, 2, 3}));
      hit.p_value = pick({0.25, 0.5, 1});
      hit.sequence_p_value = pick({0.25, 0.5, 1});
    }
    Thresholds thresholds;
    const double z = pick({2, 4});
    thresholds.sequence_e = pick({1, 2, kNoEvalue});
    thresholds.domain_e = pick({1, 2, kNoEvalue});
    thresholds.sequence_t = static_cast<float>(pick({2, 3, kNoScore}));
    thresholds.domain_t = static_cast<float>(pick({2, 3, kNoScore}));

    const HitLists ranked = rank_hits(sequences, domains, ReportKind::Search);
    const HitLists reported = reported_hits(ranked, thresholds, z);
    HitLists expected;
    for (const SequenceHit* hit : ranked.sequences) {
      if (!(hit->p_value * z > thresholds.sequence_e || hit->score < thresholds.sequence_t)) {
        expected.sequences.push_back(hit);
      }
    }
    for (const DomainHit* hit : ranked.domains) {
      if (hit->sequence_p_value * z > thresholds.sequence_e) continue;
      if (hit->sequence_score < thresholds.sequence_t) continue;
      if (hit->p_value * z > thresholds.domain_e || hit->score < thresholds.domain_t) continue;
      expected.domains.push_back(hit);
    }
    EXPECT_EQ(reported.sequences, expected.sequences);
    EXPECT_EQ(reported.domains, expected.domains);
  }
}

TEST(ScanReportThresholds, AreNoneWithProfileCutoffsOnceAProfileIsListed) {
  Thresholds last;
  last.sequence_e = 3;
  last.sequence_t = 20;
  last.domain_t = 10;
  EXPECT_EQ(scan_report_thresholds(last, true).sequence_t, 20);
  last.cutoff = CutoffKind::Gathering;
  EXPECT_EQ(scan_report_thresholds(last, false).sequence_t, 20);
  const Thresholds thresholds = scan_report_thresholds(last, true);
  EXPECT_EQ(thresholds.sequence_t, kNoScore);
  EXPECT_EQ(thresholds.domain_t, kNoScore);
  EXPECT_EQ(thresholds.sequence_e, kNoEvalue);
  EXPECT_EQ(thresholds.domain_e, kNoEvalue);
}

TEST(GroupByTarget, PutsDomainsToTheirTargetByNumber) {
  const testing::MadeHits made;
  const std::vector<TargetHits> groups = group_by_target(made.ranked);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].hit->name, "high");
  ASSERT_EQ(groups[0].domains.size(), 3u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(groups[0].domains[static_cast<std::size_t>(i)]->number, i + 1);
  ASSERT_EQ(groups[1].domains.size(), 1u);
  EXPECT_EQ(groups[1].domains[0]->name, "low");
}

TEST(GroupByTarget, RefusesEqualIndices) {
  testing::MadeHits made;
  made.sequences[0].target_index = made.sequences[1].target_index;
  EXPECT_THROW(group_by_target(made.ranked), std::logic_error);
}

TEST(GroupByTarget, KeepsDomainsWithoutAListedTarget) {
  testing::MadeHits made;
  made.reported.sequences.pop_back();
  const std::vector<TargetHits> groups = group_by_target(made.reported);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[1].hit, nullptr);
  EXPECT_EQ(groups[1].domains.at(0)->name, "low");
}

}  // namespace
}  // namespace gpuhmm
