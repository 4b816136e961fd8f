// The domain stage on devices: shares envelopes among them, and recomputes a sample.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpuhmm/engine.hpp"
#include "hmmer3/arithmetic.hpp"
#include "search/hmmer3_devices.hpp"

namespace gpuhmm::hmmer3 {

namespace {

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

bool same(const AlignedColumn& a, const AlignedColumn& b) {
  return a.state == b.state && a.node == b.node && a.residue == b.residue &&
         bits(a.posterior) == bits(b.posterior);
}

bool same(const EnvelopeTask& a, const EnvelopeTask& b) {
  const auto same_bits = [](float x, float y) { return bits(x) == bits(y); };
  return b.possible && same_bits(a.forward_score, b.forward_score) &&
         same_bits(a.alignment.accuracy, b.alignment.accuracy) &&
         (!a.wants_null2 || std::ranges::equal(a.odds, b.odds, same_bits)) &&
         std::ranges::equal(a.alignment.columns, b.alignment.columns,
                            [](const AlignedColumn& x, const AlignedColumn& y) { return same(x, y); });
}

}  // namespace

// Envelopes in shares, which devices take one after the other. Each share has envelopes of all profiles.
class StageDevices::Domains {
 public:
  Domains(StageDevices& devices, std::span<const std::unique_ptr<StagedComparison>> compared)
      : devices_(devices), compared_(compared), shares_(devices.shares_of(can_work)) {}

  void score_envelopes() {
    devices_.run_shares(shares_, can_work, [this](Member& member, std::size_t share) {
      score_envelopes(*member.stages.domains, share);
    });
  }

 private:
  static bool can_work(const Member& member) { return !member.failed && member.stages.domains; }

  void score_envelopes(DomainScorer& scorer, std::size_t share) const {
    std::vector<EnvelopeQuery> queries;
    for (const auto& comparison : compared_) {
      EnvelopeQuery& query = queries.emplace_back(&comparison->profile(), std::vector<EnvelopeTask*>());
      std::size_t number = 0;
      for (std::size_t part = 0; part < comparison->parts(); ++part) {
        for (EnvelopeTask& task : comparison->envelopes(part)) {
          if (number++ % shares_ == share && !task.scored) query.envelopes.push_back(&task);
        }
      }
    }
    scorer.score(queries);
    for (std::size_t q = 0; q < queries.size(); ++q) {
      for (std::size_t e = 0; e < queries[q].envelopes.size(); ++e) verify(scorer, queries[q], q, e);
    }
  }

  void verify(const DomainScorer& scorer, const EnvelopeQuery& query, std::size_t place,
              std::size_t number) const {
    const EnvelopeTask& task = *query.envelopes[number];
    const double cells = static_cast<double>(task.sequence.size()) * query.profile->profile.nodes;
    if (!task.scored || !devices_.is_in_sample(place, number, cells)) return;
    const FlushToZero flush;
    EnvelopeTask expected;
    expected.sequence = task.sequence;
    expected.lengths = task.lengths;
    expected.wants_null2 = task.wants_null2;
    const Alphabet& alphabet = Alphabet::get(query.profile->profile.alphabet);
    hmmer3::score_envelopes(query.profile->floats, alphabet, {&expected, 1});
    if (same(task, expected)) return;
    throw WrongScore(scorer.description() + " gave a domain of " + std::to_string(task.sequence.size()) +
                     " residues of profile " + query.profile->profile.name +
                     " a wrong score or alignment. Do not use this device");
  }

  StageDevices& devices_;
  std::span<const std::unique_ptr<StagedComparison>> compared_;
  std::size_t shares_;
};

void StageDevices::score_envelopes(std::span<const std::unique_ptr<StagedComparison>> compared) {
  Domains(*this, compared).score_envelopes();
}

}  // namespace gpuhmm::hmmer3
