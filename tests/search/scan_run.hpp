// Scans for tests: profiles, sequences, the hits of HMMER's plain loop, and a fixture that runs scan().
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "gpuhmm/scan.hpp"
#include "plan7/aligner.hpp"
#include "plan7/consensus.hpp"
#include "plan7/postprocess.hpp"
#include "plan7/score_model.hpp"
#include "plan7/viterbi_matrix.hpp"
#include "search/search_run.hpp"
#include "search/thresholds.hpp"

namespace gpuhmm::testing {

using Hits = std::vector<std::vector<std::string>>;  // of each query

// The uncalibrated profiles, whose P-values are near 1, are at positions where a threshold of E = 2
// distinguishes the ways of counting profiles.
inline const std::initializer_list<const char*> kProfiles = {"Pkinase_ls.hmm",
                                                             "RRM_1_ls.hmm",
                                                             "RRM_1_g_uncalibrated.hmm",
                                                             "Pkinase_ls.hmm",
                                                             "RRM_1_ls.hmm",
                                                             "RRM_1_fs.hmm",
                                                             "RRM_1_s.hmm",
                                                             "RRM_1_ls.hmm",
                                                             "Acetyltransf_1_ls.hmm",
                                                             "Pkinase_ls.hmm",
                                                             "RRM_1_g_uncalibrated.hmm"};

// Proteins whose first one is not empty, and empty records.
inline std::string proteins(std::size_t step) {
  const std::string all = proteins_and_empty_records(step);
  return all.substr(all.find('\n') + 1);
}

// The loop of hmmpfam: one pair after the other, with one matrix for each query.
inline Hits plain_scan(const std::string& profile_file, const std::string& sequence_file,
                       const Thresholds& asked, ScanCounting counting) {
  const std::vector<Profile> profiles = read_profiles(profile_file);
  SequenceBatch batch;
  const auto reader = open_sequences(sequence_file, Alphabet::get(profiles.front().alphabet));
  read_block(*reader, batch, 1'000'000, 1'000'000'000);
  Hits found;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    RegisteredHits hits;
    MatrixRule rule = MatrixRule::for_scan(1);
    ViterbiMatrix matrix;
    for (std::size_t m = 0; m < profiles.size() && batch.length(i) > 0; ++m) {
      const Thresholds thresholds = thresholds_for(profiles[m], asked);
      const ScoreModel model(profiles[m], thresholds.forward ? WingFolding::Sum : WingFolding::Max);
      rule.set_nodes(model.nodes);
      const PairScore pair = score_pair(profiles[m], model, batch.residues(i), thresholds, rule, matrix);
      const std::size_t counted = i > 0 ? profiles.size() : m + (counting == ScanCounting::Serial ? 0 : 1);
      const double given = asked.database_size.value_or(0);
      const double size = given != 0 ? given : static_cast<double>(counted);
      if (!(pair.score >= thresholds.sequence_t && pair.p_value * size <= thresholds.sequence_e)) continue;
      const Consensus consensus(profiles[m]);
      PostprocessedPair result =
          postprocess(profiles[m], model, batch[i], pair.trace ? &*pair.trace : nullptr, pair.score,
                      thresholds, Target::Profile, &consensus);
      if (result.sequence) {
        result.sequence->target_index = m + 1;
        hits.sequences.push_back(*result.sequence);
      }
      for (DomainHit& domain : result.domains) {
        domain.target_index = m + 1;
        hits.domains.push_back(domain);
      }
    }
    found.push_back(describe_hits(hits));
  }
  return found;
}

struct ScanRun : ScanObserver {
  Hits found;
  std::vector<std::string> names, warnings;
  std::vector<ScanResult> results;

  ResultWriter result(const SequenceView& query, ScanResult&& result) override {
    return [this, name = std::string(query.name), result] {
      names.push_back(name);
      found.push_back(describe_hits(result.hits));
      results.push_back(result);
    };
  }
  void warning(const std::string& message) override { warnings.push_back(message); }
};

class Scanning : public ::testing::Test {
 protected:
  Scanning() {
    options_.make_engines = [this](const ExpectedWork&, const Warning&, const EngineOpened&) {
      std::vector<std::unique_ptr<ScoreEngine>> engines;
      engines.push_back(make_simd_engine(options_.threads));
      return engines;
    };
  }

  void use_profiles(std::initializer_list<const char*> names) {
    profiles_ = folder_.write("profiles.hmm", join_profiles(names));
  }
  void use_sequences(const std::string& content) { sequences_ = folder_.write("sequences.fasta", content); }

  ScanRun run(bool reopenable = true) {
    ScanRun run;
    openings_ = 0;
    const auto open_profiles = [this] {
      ++openings_;
      return ProfileBlocks(profiles_, options_.threads);
    };
    totals_ = scan(
        open_profiles, reopenable,
        [this](const Alphabet& letters) { return open_sequences(sequences_, letters); }, options_, run);
    return run;
  }

  Hits expected() const { return plain_scan(profiles_, sequences_, options_.thresholds, options_.counting); }

  TemporaryFolder folder_;
  std::string profiles_, sequences_;
  ScanOptions options_;
  SearchStatistics totals_;
  int openings_ = 0;
};

}  // namespace gpuhmm::testing
