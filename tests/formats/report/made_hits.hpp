// Hits made by hand for the tests of tables and JSON.
#pragma once

#include "gpuhmm/hits.hpp"

namespace gpuhmm::testing {

/// Two sequences against one profile of 40 nodes, Z = 100: "low" (registered first) with one domain, "high"
/// with three, of which the last is below the domain cutoff.
struct MadeHits {
  std::vector<SequenceHit> sequences;
  std::vector<DomainHit> domains;
  Thresholds thresholds;
  double database_size = 100;
  HitLists ranked, reported;

  explicit MadeHits(ReportKind kind = ReportKind::Search) {
    thresholds.domain_t = 2;
    add_target(3, "low", 12.5f, 1e-4, {12.5f});
    add_target(8, "high", 30.25f, 1e-12, {9.25f, 20, 1});
    sequences[1].accession = "P00001";
    sequences[1].description = "a  protein";
    for (DomainHit& domain : domains) {
      if (domain.target_index != 8) continue;
      domain.accession = sequences[1].accession;
      domain.description = sequences[1].description;
    }
    rank(kind);
  }

  void rank(ReportKind kind) {
    ranked = rank_hits(sequences, domains, kind);
    reported = reported_hits(ranked, thresholds, database_size);
  }

 private:
  void add_target(std::uint64_t index, const std::string& name, float score, double p_value,
                  const std::vector<float>& domain_scores) {
    SequenceHit hit;
    hit.name = name;
    hit.score = score;
    hit.p_value = p_value;
    hit.domain_count = static_cast<int>(domain_scores.size());
    hit.sequence_length = 300;
    hit.target_index = index;
    sequences.push_back(hit);
    for (std::size_t i = 0; i < domain_scores.size(); ++i) {
      DomainHit domain;
      domain.name = name;
      domain.target_index = index;
      domain.score = domain_scores[i];
      domain.p_value = p_value * 10;
      domain.sequence_score = score;
      domain.sequence_p_value = p_value;
      domain.sequence_length = 300;
      domain.sequence_from = 1 + 100 * static_cast<int>(i);
      domain.sequence_to = domain.sequence_from + 41;
      domain.profile_from = 2;
      domain.profile_to = 39;
      domain.profile_length = 40;
      domain.number = static_cast<int>(i) + 1;
      domain.count = hit.domain_count;
      domain.bias = 0.25f;
      domains.push_back(domain);
    }
  }
};

}  // namespace gpuhmm::testing
