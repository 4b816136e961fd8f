// From nats to bits, with and without correction for biased composition.
#include "hmmer3/scored_target.hpp"

#include <cmath>
#include <utility>

#include "hmmer3/arithmetic.hpp"
#include "hmmer3/random.hpp"

namespace gpuhmm::hmmer3 {

namespace {

class Scorer {
 public:
  Scorer(const Statistics& statistics, std::int64_t length, bool null2)
      : statistics_(statistics),
        length_(length),
        null_(NullModel(length).score),
        // The cost of each residue outside of domains.
        outside_(std::log(static_cast<double>(static_cast<float>(length) / static_cast<float>(length + 3)))),
        null2_(null2) {}

  // The correction, nats, for a sum of null2 scores.
  float bias(float null2_sum) const {
    static const double prior = std::log(static_cast<double>(1.0F / 256.0F));
    if (!null2_) return 0;
    return table_log_sum(0, static_cast<float>(prior + static_cast<double>(null2_sum)));
  }
  float with_outside(float nats, std::int64_t inside) const {
    return static_cast<float>(static_cast<double>(nats) + static_cast<double>(length_ - inside) * outside_);
  }
  float bits(float nats, float correction) const { return bits_above(nats, null_ + correction); }
  float bits(float nats) const { return bits_above(nats, null_); }
  double log_p(float score) const {
    return log_exponential_survival(score, statistics_.forward_tau, statistics_.forward_lambda);
  }

  void score(Domain& domain) const {
    domain.bias = bias(domain.correction);
    domain.bits =
        bits(with_outside(domain.envelope_score, domain.envelope_to - domain.envelope_from + 1), domain.bias);
    domain.log_p = log_p(domain.bits);
  }

  // The score put together from the domains that gain something, if it is better than the hit's.
  void score_by_domains(Hit& hit) const {
    float sum = 0, correction = 0;
    std::int64_t inside = 0;
    for (const Domain& domain : hit.domains) {
      const float gain = null2_ ? domain.envelope_score - domain.correction : domain.envelope_score;
      if (!(gain > 0.0F)) continue;
      sum = sum + domain.envelope_score;
      inside += domain.envelope_to - domain.envelope_from + 1;
      correction = correction + domain.correction;
    }
    if (inside == 0) return;
    sum = with_outside(sum, inside);
    const float score = bits(sum, bias(correction));
    if (!(score > hit.score)) return;
    hit.score = score;
    hit.score_before_bias = bits(sum);
  }

 private:
  const Statistics& statistics_;
  std::int64_t length_;
  float null_;
  double outside_;
  bool null2_;
};

}  // namespace

Hit scored_hit(TargetDomains&& found, const Statistics& statistics, float forward_score, std::int64_t length,
               bool null2) {
  const Scorer scorer(statistics, length, null2);
  Hit hit;
  hit.expected_domains = found.expected_domains;
  hit.regions = found.regions;
  hit.clustered = found.clustered;
  hit.overlaps = found.overlaps;
  hit.envelopes = found.envelopes;
  hit.domains = std::move(found.domains);
  hit.score_before_bias = scorer.bits(forward_score);
  hit.score = scorer.bits(forward_score, scorer.bias(compensated_sum(found.null2)));
  scorer.score_by_domains(hit);
  hit.log_p = scorer.log_p(hit.score);
  for (std::size_t d = 0; d < hit.domains.size(); ++d) {
    scorer.score(hit.domains[d]);
    if (hit.domains[d].bits > hit.domains[hit.best].bits) hit.best = d;
  }
  return hit;
}

}  // namespace gpuhmm::hmmer3
