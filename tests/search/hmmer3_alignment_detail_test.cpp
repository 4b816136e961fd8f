// A search that does not need alignments, or only their ends, finds all else as one that makes them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hmmer3/hit_list.hpp"
#include "hmmer3/tied_hits.hpp"
#include "search/hmmer3_cases.hpp"

namespace gpuhmm::hmmer3 {
namespace {

using test::text;

class Hmmer3AlignmentDetail : public test::Hmmer3Cases {
 protected:
  Hmmer3AlignmentDetail() {
    test::Generator random(2);
    for (const SearchProfile& profile : profiles_) {
      for (int copy = 0; copy < 6; ++copy) add_homologue(random, profile.profile);
    }
  }

  Comparisons found(std::size_t p, AlignmentDetail wanted) {
    options_.alignments = wanted;
    return expected(p);
  }

  // What a search makes of hits with one name and one score, which come in reverse order.
  QueryResult tied(std::size_t p, AlignmentDetail wanted, int copies = 1) {
    QueryResult result;
    std::vector<std::vector<std::uint8_t>> envelopes;
    Comparisons found = this->found(p, wanted);
    for (auto& [sequence, hit] : found.hits) {
      hit.length = static_cast<std::int64_t>(batch_.length(sequence));
      hit.score = 30;
      hit.log_p = -20;
      const Domain& first = hit.domains.front();
      const Residues residues = batch_.residues(sequence).subspan(
          static_cast<std::size_t>(first.envelope_from) - 1,
          static_cast<std::size_t>(first.envelope_to - first.envelope_from) + 1);
      for (int copy = 0; copy < copies; ++copy) {
        hit.arrival = 1'000'000 - result.hits.size();
        result.hits.push_back(hit);
        envelopes.emplace_back(residues.begin(), residues.end());
      }
    }
    if (wanted == AlignmentDetail::None) align_tied_hits(profiles_[p], options_, result.hits, envelopes);
    finish_hits(result, options_, 1000);
    return result;
  }

  static std::vector<std::uint64_t> order(const QueryResult& result) {
    std::vector<std::uint64_t> arrivals;
    for (const Hit& hit : result.hits) arrivals.push_back(hit.arrival);
    return arrivals;
  }
};

TEST_F(Hmmer3AlignmentDetail, EndsAreThoseOfTheRows) {
  for (std::size_t p = 0; p < profiles_.size(); ++p) {
    Comparisons rows = found(p, AlignmentDetail::Rows);
    for (auto& [sequence, hit] : rows.hits) {
      for (Domain& domain : hit.domains) domain.rows = {};
    }
    EXPECT_EQ(text(found(p, AlignmentDetail::Ends)), text(rows));
  }
}

TEST_F(Hmmer3AlignmentDetail, NothingElseDependsOnIt) {
  int overlapping = 0, without = 0;
  for (std::size_t p = 0; p < profiles_.size(); ++p) {
    Comparisons rows = found(p, AlignmentDetail::Rows), none = found(p, AlignmentDetail::None);
    ASSERT_EQ(none.hits.size(), rows.hits.size());
    for (std::size_t h = 0; h < rows.hits.size(); ++h) {
      Hit &with = rows.hits[h].second, &other = none.hits[h].second;
      ASSERT_EQ(other.domains.size(), with.domains.size());
      overlapping += with.overlaps > 0;
      for (std::size_t d = 0; d < with.domains.size(); ++d) {
        Domain &all = with.domains[d], &some = other.domains[d];
        // Domains with the same alignment may be hidden.
        if (with.overlaps > 0) {
          EXPECT_EQ(some.alignment_from, all.alignment_from);
          EXPECT_EQ(some.alignment_to, all.alignment_to);
        }
        EXPECT_TRUE(some.rows.model.empty());
        without += some.alignment_from == 0;
        all.alignment_from = all.alignment_to = some.alignment_from = some.alignment_to = 0;
        all.model_from = all.model_to = some.model_from = some.model_to = 0;
        all.accuracy = some.accuracy = 0;
        all.rows = {};
      }
    }
    EXPECT_EQ(text(none), text(rows));
  }
  EXPECT_GT(overlapping, 3);
  EXPECT_GT(without, 50);
}

TEST_F(Hmmer3AlignmentDetail, TiedHitsHaveTheSameOrder) {
  int moved = 0;
  for (const CutoffKind cutoff : {CutoffKind::None, CutoffKind::Gathering}) {
    options_.cutoff = cutoff;
    for (std::size_t p = 0; p < profiles_.size(); ++p) {
      const std::vector<std::uint64_t> expected = order(tied(p, AlignmentDetail::Rows));
      EXPECT_EQ(order(tied(p, AlignmentDetail::None)), expected) << p;
      moved += !std::ranges::is_sorted(expected) && !std::ranges::is_sorted(expected, std::ranges::greater());
    }
  }
  EXPECT_GT(moved, 10);
}

TEST_F(Hmmer3AlignmentDetail, AScoreThatIsNoNumberEnds) {
  Hit hit;
  hit.log_p = std::numeric_limits<double>::quiet_NaN();
  hit.domains.resize(1);
  align_tied_hits(profiles_[0], options_, {&hit, 1}, std::vector<std::vector<std::uint8_t>>(1));
  EXPECT_EQ(hit.domains.front().alignment_from, 0);
}

TEST_F(Hmmer3AlignmentDetail, HitsThatAreAlikeAreNotAligned) {
  batch_ = {};
  test::Generator random(3);
  add(test::homologue(random, profiles_[3].profile, 60));
  const QueryResult result = tied(3, AlignmentDetail::None, 3);
  ASSERT_EQ(result.hits.size(), 3U);
  EXPECT_TRUE(std::ranges::is_sorted(order(result)));
  for (const Hit& hit : result.hits) EXPECT_EQ(hit.domains.front().alignment_from, 0);
}

}  // namespace
}  // namespace gpuhmm::hmmer3
