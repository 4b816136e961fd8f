// Comparisons of random profiles with random sequences, some of them homologues, and what is compared of
// them.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <ios>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "gpuhmm/engine.hpp"
#include "gpuhmm/hmmer3_hits.hpp"
#include "hmmer3/comparison.hpp"
#include "hmmer3/envelope_cases.hpp"
#include "hmmer3/random_profiles.hpp"
#include "hmmer3/whole_comparison.hpp"

namespace gpuhmm::hmmer3::test {

/// All that comparisons find, in lines; numbers exactly.
inline std::string text(const Comparisons& found) {
  std::ostringstream all;
  all << std::hexfloat << "stages";
  for (const Stage stage : found.stages) all << ' ' << static_cast<int>(stage);
  for (const auto& [sequence, hit] : found.hits) {
    all << "\nsequence " << sequence << ": " << hit.score << ' ' << hit.score_before_bias << ' ' << hit.log_p
        << ' ' << hit.expected_domains << ' ' << hit.regions << ' ' << hit.clustered << ' ' << hit.overlaps
        << ' ' << hit.envelopes << ' ' << hit.best;
    for (const Domain& domain : hit.domains) {
      all << "\n  " << domain.envelope_from << '-' << domain.envelope_to << ' ' << domain.alignment_from
          << '-' << domain.alignment_to << ' ' << domain.model_from << '-' << domain.model_to << ' '
          << domain.envelope_score << ' ' << domain.correction << ' ' << domain.accuracy << ' ' << domain.bits
          << ' ' << domain.bias << ' ' << domain.log_p << "\n  " << domain.rows.model << "\n  "
          << domain.rows.middle << "\n  " << domain.rows.sequence << "\n  " << domain.rows.posterior;
    }
  }
  return all.str();
}

/// Profiles, a batch of sequences, and the comparisons of both.
class Hmmer3Cases : public ::testing::Test {
 protected:
  Hmmer3Cases() {
    Generator random(1);
    for (int p = 0; p < 9; ++p) {
      Profile profile = random_profile(random, AlphabetKind::Hmmer3Amino, 20 + 10 * p, {});
      profile.statistics = {-8, 0.7F, -8, 0.7F, -3, 0.7F};
      if (p == 4) profile.statistics.msv_lambda = 0;  // no use of marks
      profiles_.emplace_back(std::move(profile));
      pointers_.push_back(&profiles_.back());
    }
    for (int i = 0; i < 40; ++i) {
      const int length = i % 8 == 0 ? 0 : between(random, 1, 150);
      std::vector<std::uint8_t> sequence = random_sequence(random, AlphabetKind::Hmmer3Amino, length);
      if (length > 0 && i % 3 == 0) plant(profiles_[static_cast<std::size_t>(i) % 9].profile, sequence, 0, 1);
      add(sequence);
    }
  }

  void add(const std::vector<std::uint8_t>& sequence) {
    batch_.begin_sequence("s" + std::to_string(batch_.size()), "", "");
    batch_.append_residues(sequence);
  }

  // Adds a sequence with two domains, which may be one region.
  void add_homologue(Generator& random, const Profile& profile) {
    Sequence sequence = homologue(random, profile, 2 * profile.nodes);
    const Sequence second = homologue(random, profile, 2 * profile.nodes);
    sequence.insert(sequence.end(), second.begin(), second.end());
    add(sequence);
  }

  // The comparison of profile `p` behind the filters, or behind the first.
  std::unique_ptr<StagedComparison> filtered(std::size_t p,
                                             std::optional<std::vector<SsvFinding>> found = std::nullopt,
                                             bool only_first = false) {
    auto comparison = std::make_unique<StagedComparison>(
        *pointers_[p], batch_, options_, ComparisonPlace{impossible_, p, 0}, std::move(found), only_first);
    filter_all(*comparison);
    return comparison;
  }

  // What the host alone finds.
  Comparisons expected(std::size_t p) { return completed(*filtered(p)); }

  Warning warn() {
    return [this](const std::string& text) {
      const std::lock_guard lock(mutex_);
      warnings_.push_back(text);
    };
  }

  std::deque<SearchProfile> profiles_;
  std::vector<const SearchProfile*> pointers_;
  SequenceBatch batch_;
  Options options_;
  FirstImpossible impossible_{FirstImpossible::Order::Search};
  std::mutex mutex_;  // of warnings_
  std::vector<std::string> warnings_;
};

}  // namespace gpuhmm::hmmer3::test
